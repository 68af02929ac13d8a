import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import type { LocalService } from '../../../mock-service';
import { type MoreOptions, served } from '../../support/served';
import { agent, crawl, extract, scrape, search, usage } from '../../support/nodes';

/** What a run of one operation sent, gave, and failed with. */
export interface Outcome {
	/** The bodies of its requests. */
	bodies: IDataObject[];
	items: IDataObject[];
	message?: string;
	credits: number;
}

type Operate = (parameters: INodeParameters, more?: MoreOptions) => Promise<Outcome>;

/** Starts the stand-in for a file; the functions run an operation of a node against it. */
export function documented() {
	const at: { service: LocalService } = { service: undefined as never };
	const run = served({ credits: 1_000_000, jobMs: 1, crawlMs: 0 }, (started) => {
		at.service = started;
	});
	const through =
		(node: INodeType, operation: string, given: INodeParameters): Operate =>
		async (parameters, more) => {
			const { service } = at;
			service.requests.length = 0;
			service.ledger.length = 0;
			const { output, error } = await run(node, { operation, ...given, ...parameters }, more);
			return {
				bodies: service.requests.map(({ body }) => body as IDataObject),
				items: (output[0] ?? []).map(({ json }) => json),
				message: error && `${error.message} ${String(error.description)}`,
				credits: service.ledger.reduce((sum, { credits }) => sum + credits, 0),
			};
		};
	return {
		at,
		through,
		search: through(search, 'search', { query: 'tea' }),
		searchAndScrape: through(search, 'searchAndScrape', { query: 'tea', limit: 1 }),
		scrape: through(scrape, 'scrape', { url: 'https://a.example/tea' }),
		agent: through(agent, 'start', { prompt: 'Find the price' }),
		task: through(agent, 'startAndWait', { prompt: 'Find the price' }),
		extract: through(extract, 'start', { urls: 'https://a.example/*', prompt: 'Prices' }),
		nodes: { search, scrape, agent, crawl, extract, usage },
	};
}

/** Returns the parameters of Page Actions. */
export const actionsOf = (...action: INodeParameters[]) => ({
	options: { browserOptions: { actions: { action } } },
});

/** Expects that nothing was sent because of a field. */
export function expectRefused({ bodies, message }: Outcome, field: string): void {
	expect([bodies, message]).toEqual([[], expect.stringContaining(field)]);
}
