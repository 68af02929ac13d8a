#!/usr/bin/env node
/**
 * n8n's verification of the sources and of an archive that `npm pack` made: `npm run scan -- <file>.tgz`. `npm test`
 * does the same with a package of its own.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run } from './lib/command.mjs';
import { scanPackage, scanSource } from './lib/n8n-scan.mjs';
import { CACHE } from './lib/paths.mjs';
import { say } from './lib/say.mjs';

const [archive] = process.argv.slice(2);
const folder = join(CACHE, 'scanned-archive');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await run('tar', ['-xzf', resolve(archive)], { cwd: folder });
const findings = [await scanSource(), await scanPackage(join(folder, 'package'))].filter(Boolean);
say(findings.length > 0 ? findings.join('\n') : `✔ n8n's scan finds nothing in ${archive}`);
process.exitCode = findings.length > 0 ? 1 : 0;
