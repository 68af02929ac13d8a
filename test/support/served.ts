import type { INodeParameters, INodeType } from 'n8n-workflow';

import { type LocalService, startService } from '../../mock-service';
import { type NodeRunOptions, type RunResult, runNode } from './engine';

export type MoreOptions = Partial<NodeRunOptions>;

/** Closes a stand-in that must not have seen a breach of the contract. */
export async function closed(service: LocalService): Promise<void> {
	expect(service.violations).toEqual([]);
	await service.close();
}

/** Runs a node against the stand-in. */
type Run = (
	nodeType: INodeType,
	parameters: INodeParameters,
	more?: MoreOptions,
) => Promise<RunResult>;

/**
 * Starts the stand-in for the tests of a file, which must not break the contract; each test begins with no faults,
 * requests and costs, and with these options. `started` receives it; the returned function runs a node against it.
 */
export function served(
	options: NonNullable<Parameters<typeof startService>[0]>,
	started: (service: LocalService) => void,
): Run {
	let service: LocalService;
	beforeAll(async () => {
		service = await startService(options);
		started(service);
	});
	afterAll(async () => await closed(service));
	beforeEach(() => {
		service.clearFaults();
		service.set({ chunkBytes: 10 * 1024 * 1024, ...options });
		service.requests.length = 0;
		service.ledger.length = 0;
	});
	return async (nodeType, parameters, more = {}) =>
		await runNode({
			nodeType,
			parameters,
			credentials: { baseUrl: service.url, apiKey: service.apiKey },
			...more,
		});
}
