// The local service with one crawl, as a process of its own for measure.ts; tells its parent where it is.
import { startService } from '../../mock-service';

async function main(): Promise<void> {
	const service = await startService({
		mangleNext: (next) => next.replace(/^https?:\/\/[^/]+/, 'https://internal:3002'),
	});
	const { id } = service.crawls.add(JSON.parse(process.argv[2]));
	process.send?.({ url: service.url, apiKey: service.apiKey, id });
}

void main();
