import { controlsOf } from './drive';
import type { Fault } from './faults';
import { randomOf } from './random';
import { RateLimiter } from './rateLimit';
import { DEFAULTS, type ServiceOptions, type Settings } from './settings';
import { State } from './state';
import type { UploadedFile } from './upload';
import { Webhooks } from './webhooks';

/** A request as received. `path` includes the prefix but not the query. */
export interface RecordedRequest {
	at: number; // ms since 1970
	method: string;
	path: string;
	query: Record<string, unknown>;
	headers: Record<string, unknown>; // authorization: 'right' or 'wrong', absent if there was none
	body: unknown;
	file?: UploadedFile;
	status: number; // 0 until the response is sent
	responded: boolean; // whether the whole response was sent
}

/** State shared by the routes, and the controls for tests. */
export class Core {
	readonly settings: Settings;
	readonly basePath: string; // without a trailing slash
	readonly state: State;
	/** The requests to the API. */
	readonly requests: RecordedRequest[] = [];
	/** Breaches of the contract by requests. */
	readonly violations: string[] = [];
	maxInFlight = 0;
	readonly limiter = new RateLimiter();
	readonly webhooks = new Webhooks(() => this.settings);
	url = ''; // with the prefix, but without a trailing slash; set once it is listening
	private faults: Array<{ fault: Fault; left: number }> = [];
	private readonly random: () => number;

	constructor(options: ServiceOptions) {
		const settings = { ...DEFAULTS, ...options };
		this.settings = settings;
		this.basePath = settings.basePath.replace(/\/+$/, '');
		this.state = new State(settings.credits, settings.seed, () => settings);
		this.random = randomOf(settings.seed);
		Object.assign(this, controlsOf(this.state));
	}

	get apiKey() {
		return this.settings.apiKey;
	}

	/** Every paid POST that was actually processed. */
	get ledger() {
		return this.state.ledger;
	}

	/** Pages that change, and search results added by tests. */
	get web() {
		return this.state.web;
	}

	/** Changes options at run time, except port, apiKey, basePath and seed. */
	set(changed: Partial<ServiceOptions>): void {
		Object.assign(this.settings, changed);
		if (changed.credits !== undefined) this.state.remaining = changed.credits;
		if ('rateLimit' in changed) this.limiter.reset();
	}

	/** Adds a rule. Among the rules that match and may still apply, the first one counts. */
	fail(fault: Fault): void {
		this.faults.push({ fault, left: fault.times ?? Infinity });
	}

	clearFaults(): void {
		this.faults = [];
	}

	/** Returns the first matching rule that may still apply, and counts one use of it. */
	faultOf(call: { method: string; path: string; query: unknown; body: unknown }) {
		const rule = this.faults.find(
			({ fault: { method = call.method, path = call.path, when, probability = 1 }, left }) =>
				left > 0 &&
				method === call.method &&
				(typeof path === 'string' ? path === call.path : call.path.search(path) >= 0) &&
				(when?.(call) ?? true) &&
				(probability === 1 || this.random() < probability),
		);
		if (rule) rule.left--;
		return rule?.fault;
	}
}
