import type { Core } from './core';
import { controlsOf } from './drive';
import type { Fault } from './faults';
import type { ServiceOptions } from './settings';

/** A running service: what it received, and the controls for tests. */
export type LocalService = ReturnType<typeof serviceOf>;

export function serviceOf(core: Core, close: () => Promise<void>) {
	const { state, faults, log } = core;
	return {
		/** With the prefix, but without a trailing slash. */
		get url() {
			return core.url;
		},
		apiKey: core.settings.apiKey,
		requests: log.requests,
		/** Every paid POST that was actually processed. */
		ledger: state.ledger,
		get maxInFlight() {
			return log.maxInFlight;
		},
		set maxInFlight(count) {
			log.maxInFlight = count;
		},
		/** Requests that broke the contract. */
		violations: log.violations,
		/** Adds a rule. Among the rules that match and may still apply, the first one counts. */
		fail: (rule: Fault) => faults.add(rule),
		clearFaults: () => faults.clear(),
		...controlsOf(state),
		/** Pages that change, and search results added by tests. */
		web: state.web,
		/** Changes options of the running service, except port, apiKey, basePath and seed. */
		set: (changed: Partial<ServiceOptions>) => core.set(changed),
		close,
	};
}
