/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import type { ServiceOptions } from './settings';

const OPTIONS = {
	port: { type: 'string' },
	'api-key': { type: 'string' },
	'base-path': { type: 'string' },
	credits: { type: 'string' },
	'latency-ms': { type: 'string' },
	seed: { type: 'string' },
	'crawl-ms': { type: 'string' },
	'job-ms': { type: 'string' },
	'grow-ms': { type: 'string' },
	'chunk-bytes': { type: 'string' },
	'rate-limit': { type: 'string' },
	'retry-after': { type: 'string' },
	browsers: { type: 'string' },
	issues: { type: 'string' },
	'extract-at-once': { type: 'boolean' },
	'unknown-credits': { type: 'boolean' },
	'false-end': { type: 'boolean' },
	'webhook-secret': { type: 'string' },
	'webhook-once': { type: 'boolean' },
	only: { type: 'string' },
	'no-activity': { type: 'boolean' },
	'no-database': { type: 'boolean' },
	'no-beyond': { type: 'boolean' },
	say: { type: 'boolean' },
	help: { type: 'boolean' },
} as const;

const DOCS = join(__dirname, '../docs/maintainers/local-service.md');

const RETRY_AFTER = ['text', 'seconds', 'date', 'body', 'none'] as const;
const VERSIONS = ['v1', 'v2'] as const;
const ISSUES = ['zod3', 'zod4'] as const;

/** Returns the value of an option with fixed choices. Throws for any other value. */
function choice<T extends string>(
	name: string,
	choices: readonly T[],
	given?: string,
): T | undefined {
	const found = choices.find((one) => one === given);
	if (given === undefined || found !== undefined) return found;
	throw new Error(`--${name} is ${given}, but has to be one of ${choices.join(', ')}`);
}

/** Returns the value of an option that is a whole number, at most `most`. Throws for anything else. */
function number(name: string, given?: string, most = Infinity): number | undefined {
	if (given === undefined) return undefined;
	if (!/^\d+$/.test(given)) throw new Error(`--${name} is ${given}, but has to be a whole number`);
	if (Number(given) <= most) return Number(given);
	throw new Error(`--${name} is ${given}, but has to be at most ${most}`);
}

/** Returns the value of an option that is a path. Throws for anything else. */
function prefix(name: string, given?: string): string | undefined {
	if (given === undefined || /^(\/[\w.~-]+)*\/?$/.test(given)) return given;
	throw new Error(`--${name} is ${given}, but has to be written like /prefix`);
}

/** Returns the numbers of an option that takes several, as many as in its example. Throws for anything else. */
function numbers(name: string, example: string, given?: string): number[] | undefined {
	if (given === undefined) return undefined;
	const parts = given.split('/');
	const isLike = parts.length === example.split('/').length;
	if (isLike && parts.every((part) => /^[1-9]\d*$/.test(part))) return parts.map(Number);
	throw new Error(`--${name} is ${given}, but has to be written like ${example}`);
}

/**
 * Returns what the command line asks for: options for the service, and those for the command itself. Throws for
 * anything it can't read.
 */
export function commandLineOf(args: string[]): {
	options: ServiceOptions;
	isHelp: boolean;
	isSaid: boolean;
} {
	const { values } = parseArgs({ args, options: OPTIONS });
	const [requests, perMs] = numbers('rate-limit', '50/1000', values['rate-limit']) ?? [];
	const [browsers, scrapeMs, queueMs] = numbers('browsers', '5/600/6000', values.browsers) ?? [];
	const retryAfter = choice('retry-after', RETRY_AFTER, values['retry-after']);
	const given: ServiceOptions = {
		port: number('port', values.port, 65_535),
		apiKey: values['api-key'],
		basePath: prefix('base-path', values['base-path']),
		credits: number('credits', values.credits),
		latencyMs: number('latency-ms', values['latency-ms']),
		seed: number('seed', values.seed),
		crawlMs: number('crawl-ms', values['crawl-ms']),
		jobMs: number('job-ms', values['job-ms']),
		growMs: number('grow-ms', values['grow-ms']),
		chunkBytes: number('chunk-bytes', values['chunk-bytes']),
		rateLimit: requests ? { requests, perMs, retryAfter } : undefined,
		browsers: browsers ? { browsers, scrapeMs, queueMs } : undefined,
		issues: choice('issues', ISSUES, values.issues),
		extractAtOnce: values['extract-at-once'],
		knowsCredits: values['unknown-credits'] ? false : undefined,
		falseEnd: values['false-end'],
		webhookSecret: values['webhook-secret'],
		webhookTries: values['webhook-once'] ? 1 : undefined,
		only: choice('only', VERSIONS, values.only),
		activity: values['no-activity'] ? false : undefined,
		database: values['no-database'] ? false : undefined,
		beyond: values['no-beyond'] ? false : undefined,
	};
	const options = Object.fromEntries(
		Object.entries(given).filter(([, value]) => value !== undefined),
	) as ServiceOptions;
	return { options, isHelp: values.help === true, isSaid: values.say === true };
}

/** Widths of the help text and of its first column, in characters. */
const [WIDTH, OPTION_WIDTH] = [80, 30];

/** Returns the help text, with the options as docs/maintainers/local-service.md lists them. */
export function help(): string {
	const text = readFileSync(DOCS, 'utf8').replaceAll('`', '');
	const lines = [...text.matchAll(/^\| (--[a-z].*?) +\| (.*?) +\|$/gm)].map(
		([, option, what]) =>
			`  ${option.padEnd(OPTION_WIDTH)}${wrapped(what, WIDTH - OPTION_WIDTH - 2).join(`\n${' '.repeat(OPTION_WIDTH + 2)}`)}\n`,
	);
	return `Usage: npm run service -- [options]\n\n${lines.join('')}`;
}

/** Returns a text as lines of at most `width` characters. */
function wrapped(text: string, width: number): string[] {
	const lines = [''];
	for (const word of text.split(' ')) {
		const longer = `${lines.at(-1)} ${word}`.trim();
		if (longer.length <= width) lines[lines.length - 1] = longer;
		else lines.push(word);
	}
	return lines;
}

/** Returns why the process ended, as a message for the user. */
export function why({ code, port, message }: Error & { code?: string; port?: number }): string {
	if (code === 'EADDRINUSE') return `Port ${port} is in use: choose another with --port`;
	// The first sentence says what is wrong; the others are about positional arguments, of which there are none.
	if (code?.startsWith('ERR_PARSE_ARGS'))
		return `${message.split('. ')[0].replace(/\.$/, '')}. --help lists the options.`;
	return message;
}
