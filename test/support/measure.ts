// Measures the request path at full size through n8n-core's engine: npx tsx test/support/measure.ts [case …]
import 'reflect-metadata';
import { startService, type ServiceOptions } from '../service';
import { callNode } from './callNode';
import { itemsOf, runNode } from './engine';

const cases: Record<string, () => Promise<void>> = {
	window: async () => await limited({ rateLimit: { requests: 50, perMs: 1_000 } }),
	windowSlow: async () =>
		await limited({ rateLimit: { requests: 50, perMs: 1_000 }, latencyMs: 300 }),
	windowNone: async () =>
		await limited({ rateLimit: { requests: 50, perMs: 1_000, retryAfter: 'none' } }),
	slow: async () => await limited({ latencyMs: 500 }),
	fast: async () => await limited({}),
};

async function limited(options: ServiceOptions, count = 1_000): Promise<void> {
	const service = await startService({ ...options, credits: 1_000_000 });
	const items = itemsOf(...Array.from({ length: count }, (_, n) => ({ n })));
	const cpu = process.cpuUsage();
	const started = Date.now();
	const { output, error, status } = await runNode({
		nodeType: callNode(),
		parameters: {},
		items,
		credentials: { baseUrl: service.url, apiKey: service.apiKey },
	});
	const { user, system } = process.cpuUsage(cpu);
	const refused = service.requests.filter((request) => request.status === 429).length;
	console.log(JSON.stringify(options), {
		status,
		error: error?.message,
		results: output[0]?.length,
		processed: service.ledger.length,
		distinct: new Set(service.ledger.map((entry) => JSON.stringify(entry.body))).size,
		refused,
		maxInFlight: service.maxInFlight,
		seconds: (Date.now() - started) / 1_000,
		cpuMsPerItem: (user + system) / 1_000 / count,
	});
	await service.close();
}

async function main(): Promise<void> {
	const chosen = process.argv.slice(2);
	for (const [name, run] of Object.entries(cases)) {
		if (chosen.length === 0 || chosen.includes(name)) await run();
	}
	process.exit(0);
}

void main();
