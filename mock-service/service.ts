import type { Core } from './core';
import {
	batchControls,
	crawlControls,
	jobControls,
	scrapeControls,
	type BatchControls,
	type CrawlControls,
	type JobControls,
	type ScrapeControls,
} from './drive';
import type { Fault } from './faults';
import type { RecordedRequest } from './requests';
import type { ServiceOptions } from './settings';
import type { LedgerEntry } from './state';
import type { Web } from './web';

/** A running service: what it received, and the controls for tests. */
export interface LocalService {
	url: string; // with the prefix, but without a trailing slash
	apiKey: string;
	requests: RecordedRequest[];
	/** Every paid POST that was actually processed. */
	ledger: LedgerEntry[];
	maxInFlight: number;
	/** Requests that broke the contract. */
	violations: string[];
	/** Adds a rule. Among the rules that match and may still apply, the first one counts. */
	fail(rule: Fault): void;
	clearFaults(): void;
	crawls: CrawlControls;
	batches: BatchControls;
	jobs: JobControls;
	scrapes: ScrapeControls;
	/** Pages that change, and search results added by tests (see `Web`). */
	web: Web;
	/** Changes options of the running service, except port, apiKey, basePath and seed. */
	set(options: Partial<ServiceOptions>): void;
	close(): Promise<void>;
}

export function serviceOf(core: Core, close: () => Promise<void>): LocalService {
	const { state, faults, log } = core;
	return {
		get url() {
			return core.url;
		},
		apiKey: core.settings.apiKey,
		requests: log.requests,
		ledger: state.ledger,
		get maxInFlight() {
			return log.maxInFlight;
		},
		set maxInFlight(count) {
			log.maxInFlight = count;
		},
		violations: log.violations,
		fail: (rule) => faults.add(rule),
		clearFaults: () => faults.clear(),
		crawls: crawlControls(state),
		batches: batchControls(state),
		jobs: jobControls(state),
		scrapes: scrapeControls(state),
		web: state.web,
		set: (changed) => core.set(changed),
		close,
	};
}
