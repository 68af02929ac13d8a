import { parseArgs } from 'node:util';
import { startService, type LocalService, type ServiceOptions } from './index';

// Runs the local service as a process: prints its URL as one line, or with --say what a person needs to know. Ends on
// SIGTERM and SIGINT. docs/local-service.md explains the options.
const { values } = parseArgs({
	options: {
		port: { type: 'string' },
		'api-key': { type: 'string' },
		'base-path': { type: 'string' },
		credits: { type: 'string' },
		'latency-ms': { type: 'string' },
		seed: { type: 'string' },
		'crawl-ms': { type: 'string' },
		'job-ms': { type: 'string' },
		'chunk-bytes': { type: 'string' },
		'rate-limit': { type: 'string' }, // requests/ms, e.g. 50/1000
		'retry-after': { type: 'string' },
		browsers: { type: 'string' }, // browsers/ms/ms, e.g. 5/600/6000
		issues: { type: 'string' },
		'extract-at-once': { type: 'boolean' },
		'unknown-credits': { type: 'boolean' },
		'no-activity': { type: 'boolean' },
		'no-beyond': { type: 'boolean' },
		say: { type: 'boolean' },
	},
});

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

const number = (text?: string) => (text === undefined ? undefined : Number(text));

function said({ url, apiKey }: LocalService): string {
	return `The local service runs. Stop it with Ctrl+C.\n\n  Base URL  ${url}\n  API key   ${apiKey}\n\n`;
}

async function main(): Promise<void> {
	const [requests, perMs] = values['rate-limit']?.split('/').map(Number) ?? [];
	const [browsers, scrapeMs, queueMs] = values.browsers?.split('/').map(Number) ?? [];
	const given: ServiceOptions = {
		port: number(values.port),
		apiKey: values['api-key'],
		basePath: values['base-path'],
		credits: number(values.credits),
		latencyMs: number(values['latency-ms']),
		seed: number(values.seed),
		crawlMs: number(values['crawl-ms']),
		jobMs: number(values['job-ms']),
		chunkBytes: number(values['chunk-bytes']),
		rateLimit: requests
			? {
					requests,
					perMs: perMs || 1000,
					retryAfter: choice('retry-after', RETRY_AFTER, values['retry-after']),
				}
			: undefined,
		browsers: browsers
			? { browsers, scrapeMs: scrapeMs || 1000, queueMs: queueMs || 60_000 }
			: undefined,
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
}

main().catch((error: Error & { code?: string }) => {
	const isTaken = error.code === 'EADDRINUSE';
	const message = isTaken
		? `Port ${values.port} is in use: choose another with --port`
		: error.message;
	process.stderr.write(`${message}\n`);
	process.exit(1);
});
