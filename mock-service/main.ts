import { parseArgs } from 'node:util';
import { startService, type ServiceOptions } from './index';

// Runs the local service as a process: prints its URL as one line, ends on SIGTERM and SIGINT.
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
		'no-activity': { type: 'boolean' },
		'no-beyond': { type: 'boolean' },
	},
});

const number = (text?: string) => (text === undefined ? undefined : Number(text));

async function main(): Promise<void> {
	const [requests, perMs] = values['rate-limit']?.split('/').map(Number) ?? [];
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
		rateLimit: requests ? { requests, perMs: perMs || 1000 } : undefined,
		activity: values['no-activity'] ? false : undefined,
		beyond: values['no-beyond'] ? false : undefined,
	};
	const options = Object.fromEntries(
		Object.entries(given).filter(([, value]) => value !== undefined),
	) as ServiceOptions;
	const service = await startService(options);
	process.stdout.write(`${service.url}\n`);
	const stop = () => void service.close().then(() => process.exit(0));
	process.on('SIGTERM', stop);
	process.on('SIGINT', stop);
}

main().catch((error: Error) => {
	process.stderr.write(`${error.message}\n`);
	process.exit(1);
});
