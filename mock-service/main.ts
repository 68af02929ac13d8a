import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startService, type LocalService, type ServiceOptions } from './index';

/**
 * Runs the local service as a process: prints its URL as one line, or with --say what a person needs to know. Ends on
 * SIGTERM and SIGINT, and with the npm that runs it. docs/local-service.md explains the options.
 */
const OPTIONS = {
	port: { type: 'string' },
	'api-key': { type: 'string' },
	'base-path': { type: 'string' },
	credits: { type: 'string' },
	'latency-ms': { type: 'string' },
	seed: { type: 'string' },
	'crawl-ms': { type: 'string' },
	'job-ms': { type: 'string' },
	'chunk-bytes': { type: 'string' },
	'rate-limit': { type: 'string' },
	'retry-after': { type: 'string' },
	browsers: { type: 'string' },
	issues: { type: 'string' },
	'extract-at-once': { type: 'boolean' },
	'unknown-credits': { type: 'boolean' },
	'no-activity': { type: 'boolean' },
	'no-beyond': { type: 'boolean' },
	say: { type: 'boolean' },
	help: { type: 'boolean' },
} as const;

const DOCS = join(__dirname, '../docs/local-service.md');

const RETRY_AFTER = ['text', 'seconds', 'date', 'none'] as const;
const ISSUES = ['zod3', 'zod4'] as const;

/** The value of an option that has choices. Throws for another one. */
function choice<T extends string>(
	name: string,
	choices: readonly T[],
	given?: string,
): T | undefined {
	const found = choices.find((one) => one === given);
	if (given === undefined || found !== undefined) return found;
	throw new Error(`--${name} is ${given}, but has to be one of ${choices.join(', ')}`);
}

/** The value of an option that is a whole number, at most `most`. Throws for another one. */
function number(name: string, given?: string, most = Infinity): number | undefined {
	if (given === undefined) return undefined;
	if (!/^\d+$/.test(given)) throw new Error(`--${name} is ${given}, but has to be a whole number`);
	if (Number(given) <= most) return Number(given);
	throw new Error(`--${name} is ${given}, but has to be at most ${most}`);
}

/** The value of an option that is a path. Throws for another one. */
function prefix(name: string, given?: string): string | undefined {
	if (given === undefined || /^(\/[\w.~-]+)*\/?$/.test(given)) return given;
	throw new Error(`--${name} is ${given}, but has to be written like /prefix`);
}

/** The numbers of an option that has several, as many as its example. Throws for others. */
function numbers(name: string, example: string, given?: string): number[] | undefined {
	if (given === undefined) return undefined;
	const parts = given.split('/');
	const isLike = parts.length === example.split('/').length;
	if (isLike && parts.every((part) => /^[1-9]\d*$/.test(part))) return parts.map(Number);
	throw new Error(`--${name} is ${given}, but has to be written like ${example}`);
}

/** The options as docs/local-service.md lists them. */
function help(): string {
	const text = readFileSync(DOCS, 'utf8').replaceAll('`', '');
	const lines = [...text.matchAll(/^\| (--[a-z].*?) +\| (.*?) +\|$/gm)].map(
		([, option, what]) => `  ${option.padEnd(30)}${what}\n`,
	);
	return `Usage: npm run service -- [options]\n\n${lines.join('')}`;
}

function said({ url, apiKey }: LocalService): string {
	return `The local service runs. Stop it with Ctrl+C.\n\n  Base URL  ${url}\n  API key   ${apiKey}\n\n`;
}

async function main(): Promise<void> {
	const parent = process.ppid;
	const { values } = parseArgs({ options: OPTIONS });
	if (values.help) {
		process.stdout.write(help());
		return;
	}
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
		chunkBytes: number('chunk-bytes', values['chunk-bytes']),
		rateLimit: requests ? { requests, perMs, retryAfter } : undefined,
		browsers: browsers ? { browsers, scrapeMs, queueMs } : undefined,
		issues: choice('issues', ISSUES, values.issues),
		extractAtOnce: values['extract-at-once'],
		knowsCredits: values['unknown-credits'] ? false : undefined,
		activity: values['no-activity'] ? false : undefined,
		beyond: values['no-beyond'] ? false : undefined,
	};
	const options = Object.fromEntries(
		Object.entries(given).filter(([, value]) => value !== undefined),
	) as ServiceOptions;
	const service = await startService(options);
	process.stdout.write(values.say ? said(service) : `${service.url}\n`);
	const stop = () => void service.close().then(() => process.exit(0));
	process.on('SIGTERM', stop);
	process.on('SIGINT', stop);
	// An npm that is ended does not end what it runs.
	if (process.env.npm_lifecycle_event)
		setInterval(() => process.ppid !== parent && stop(), 1_000).unref();
}

/** What ended the process, for a person. */
function why({ code, port, message }: Error & { code?: string; port?: number }): string {
	if (code === 'EADDRINUSE') return `Port ${port} is in use: choose another with --port`;
	// The first sentence says what is wrong, the others how to write positional arguments, which there are none of.
	if (code?.startsWith('ERR_PARSE_ARGS'))
		return `${message.split('. ')[0].replace(/\.$/, '')}. --help lists the options.`;
	return message;
}

main().catch((error: Error) => {
	process.stderr.write(`${why(error)}\n`);
	process.exit(1);
});
