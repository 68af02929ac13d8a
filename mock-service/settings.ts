/* eslint-disable @n8n/community-nodes/no-hardcoded-secrets */
import type { RateLimit } from './rateLimit';

/** The settings that have a default. */
export const DEFAULTS = {
	apiKey: 'test-key-0123456789',
	basePath: '', // e.g. '/prefix' before /v1 and /v2
	credits: 100_000, // the team's remaining credits; a POST that costs more gets a 402
	latencyMs: 0, // duration of each response
	seed: 1, // makes the data deterministic
	crawlMs: 2000, // duration of a crawl (0: only tests end it)
	jobMs: 1000, // the same for agent and extract jobs
	monitorMs: 0, // duration of each monitor's interval, whatever its schedule (0: checks only when asked to)
	growMs: 0, // how often sites, searches and pages get something new (0: only tests add to them)
	chunkBytes: 10 * 1024 * 1024, // crawl data per response
	activity: true, // false: the service has no /v2/team/activity
	monitors: true, // false: the service has no /v2/monitor
	retention: true, // false: the team has zero data retention, and so no monitors
	reportTimes: 1, // how often a webhook receives each event; 0: never
	extract: true, // false: extractions get a 410, as at the public service since 2026-12-10
	falseEnd: false, // crawls and batches report from the start that they are completed
};

export type Settings = typeof DEFAULTS & {
	port?: number; // any free port by default
	rateLimit?: RateLimit;
	mangleNext?: (next: string) => string; // how the service changes `next` URLs
};

export type ServiceOptions = Partial<Settings>;
