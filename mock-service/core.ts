import { Faults } from './faults';
import { RequestLog } from './requests';
import { randomOf } from './random';
import { RateLimiter } from './rateLimit';
import { DEFAULTS, type ServiceOptions, type Settings } from './settings';
import { State } from './state';
import { Webhooks } from './webhooks';

/** State shared by the routes and the controls of a running service. */
export class Core {
	readonly settings: Settings;
	readonly basePath: string; // without a trailing slash
	readonly state: State;
	readonly faults: Faults;
	readonly log: RequestLog;
	readonly limiter = new RateLimiter();
	readonly webhooks = new Webhooks(() => this.settings);
	url = ''; // with the prefix, set once it is listening

	constructor(options: ServiceOptions) {
		const settings = { ...DEFAULTS, ...options };
		this.settings = settings;
		this.basePath = settings.basePath.replace(/\/+$/, '');
		this.state = new State(settings.credits, settings.seed, () => settings);
		this.faults = new Faults(randomOf(settings.seed));
		this.log = new RequestLog(settings.apiKey);
	}

	/** Changes options at run time, except port, apiKey, basePath and seed. */
	set(changed: Partial<ServiceOptions>): void {
		Object.assign(this.settings, changed);
		if (changed.credits !== undefined) this.state.remaining = changed.credits;
		if ('rateLimit' in changed) this.limiter.reset();
	}
}
