#!/usr/bin/env node
/** A step of every release, with its version: what is Unreleased in CHANGELOG.md becomes the version's entry. */
import { readFileSync, writeFileSync } from 'node:fs';

const UNRELEASED = '## Unreleased\n';
const entry = `## ${process.argv[2]}\n`;
const text = readFileSync('CHANGELOG.md', 'utf8');
writeFileSync(
	'CHANGELOG.md',
	text.includes(UNRELEASED)
		? text.replace(UNRELEASED, entry)
		: text.replace('## ', `${entry}\nNothing that users notice.\n\n## `),
);
