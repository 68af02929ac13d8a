/* eslint-disable @n8n/community-nodes/no-hardcoded-secrets */
import type { BrowserLimit } from './browsers';
import type { IssueStyle } from './rules/schemas';
import type { RateLimit } from './rateLimit';

export interface ServiceOptions {
	port?: number; // 0: any free port
	apiKey?: string; // default 'test-key-0123456789'
	basePath?: string; // e.g. '/prefix' before /v1 and /v2
	credits?: number; // the team's remaining credits, default 100_000; a POST that costs more gets a 402
	rateLimit?: RateLimit;
	browsers?: BrowserLimit; // unlimited by default
	latencyMs?: number; // duration of each response
	seed?: number; // makes the data deterministic
	crawlMs?: number; // duration of a crawl, default 2000 (0: only tests end it)
	jobMs?: number; // the same for agent and extract jobs, default 1000
	growMs?: number; // how often sites, searches and pages get something new, default 0: only tests add to them
	chunkBytes?: number; // crawl data per response, default 10 MB
	activity?: boolean; // false: the service has no /v2/team/activity
	issues?: IssueStyle; // style of a 400's details, default zod4
	extractAtOnce?: boolean; // /v1/extract responds with the result, without an ID
	falseEnd?: boolean; // crawls and batches report from the start that they are completed
	database?: boolean; // false: usage and activity respond with a 500
	only?: 'v1' | 'v2'; // the only API version that the service has
	mangleNext?: (next: string) => string; // how the service changes `next` URLs
}

/** The options with a default. */
export const DEFAULTS = {
	apiKey: 'test-key-0123456789',
	basePath: '',
	credits: 100_000,
	latencyMs: 0,
	seed: 1,
	crawlMs: 2000,
	jobMs: 1000,
	growMs: 0,
	chunkBytes: 10 * 1024 * 1024,
	activity: true,
	issues: 'zod4',
	extractAtOnce: false,
	falseEnd: false,
	database: true,
} satisfies ServiceOptions;

/** The options with their defaults. */
export type Settings = ServiceOptions & Required<Pick<ServiceOptions, keyof typeof DEFAULTS>>;

export const settingsOf = (options: ServiceOptions): Settings => ({ ...DEFAULTS, ...options });
