/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { RateLimit } from './rateLimit';
import { DEFAULTS, type ServiceOptions } from './settings';

const DOCS = join(__dirname, '../docs/maintainers/local-service.md');

/** Examples of the settings that the command line can set, which give their types. */
const SETTINGS = { port: 0, rateLimit: '', ...DEFAULTS };

const RATE_LIMIT = /^([1-9]\d*)\/([1-9]\d*)(?:\/(text|seconds|date|body|none))?$/;

const optionOf = (setting: string) => setting.replace(/[A-Z]/g, (at) => `-${at.toLowerCase()}`);

/** Returns the value of a setting as its option gives it. Throws for one that it can't have. */
function valueOf(setting: string, given: string | boolean): unknown {
	if (typeof given === 'boolean') return given;
	const wrong = `--${optionOf(setting)} is ${given}, but has to be`;
	if (setting === 'rateLimit') {
		const [, requests, perMs, retryAfter] = RATE_LIMIT.exec(given) ?? [];
		if (!requests) throw new Error(`${wrong} written like 50/1000 or 50/1000/date`);
		return { requests: Number(requests), perMs: Number(perMs), retryAfter } as RateLimit;
	}
	if (typeof SETTINGS[setting as keyof typeof SETTINGS] !== 'number') return given;
	if (!/^\d+$/.test(given)) throw new Error(`${wrong} a whole number`);
	return Number(given);
}

/** Returns what the command line asks for. Throws for anything it can't read. */
export function commandLineOf(args: string[]): { options: ServiceOptions; isHelp: boolean } {
	const known = Object.entries({ ...SETTINGS, help: false }).map(
		([setting, value]) =>
			[optionOf(setting), { type: typeof value === 'boolean' ? 'boolean' : 'string' }] as const,
	);
	const { values } = parseArgs({ args, options: Object.fromEntries(known), allowNegative: true });
	const options = Object.keys(SETTINGS).flatMap((setting) => {
		const given = values[optionOf(setting)];
		return given === undefined ? [] : [[setting, valueOf(setting, given)] as const];
	});
	return { options: Object.fromEntries(options), isHelp: values.help === true };
}

/** Returns the help text, with the options as docs/maintainers/local-service.md lists them. */
export function help(): string {
	const text = readFileSync(DOCS, 'utf8').replaceAll('`', '');
	const lines = [...text.matchAll(/^\| (--[a-z].*?) *\| (.*?) *\|$/gm)].map(
		([, option, what]) => `  ${option}\n      ${what}\n`,
	);
	return `Usage: npm run service -- [options]\n\n${lines.join('')}`;
}
