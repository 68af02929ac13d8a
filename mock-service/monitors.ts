import type { Entry, Typed } from './entry';
import type { State } from './state';
import type { Webhook } from './webhooks';

/** What a monitor watches. */
export interface Target extends Typed {
	id: string;
	url: string; // of a crawl
	urls: string[]; // of a scrape
	queries: string[]; // of a search
	maxResults: number;
	crawlOptions?: Entry;
	scrapeOptions?: Entry & { formats?: Typed[] };
}

/** What a request sets. */
export interface MonitorSettings {
	name: string;
	status: string;
	schedule: { cron: string; timezone: string };
	targets: Target[];
	goal: string | null;
	judgeEnabled: boolean;
	retentionDays: number;
	webhook: Webhook | null;
	notification: Entry;
}

/** A page or a result of a search in a check, as the service shows it. */
export interface CheckedPage extends Entry {
	url: string;
	targetId: string;
	status: string;
	judgment: Entry | null;
	metadata: Entry;
}

export interface Check {
	id: string;
	status: string;
	trigger: 'scheduled' | 'manual';
	createdAt: number; // ms since 1970
	scheduledFor?: number;
	startedAt?: number;
	finishedAt?: number;
	estimatedCredits: number;
	actualCredits?: number;
	error?: string;
	pages: CheckedPage[];
	/** What is still to do: each returns a page. */
	left: Array<() => CheckedPage>;
	/** Price of the searches. */
	searchCredits: number;
	/** Why it fails when nothing is left to do. */
	fails?: string;
}

export interface Monitor extends MonitorSettings {
	id: string;
	createdAt: number;
	updatedAt: number;
	/** When the last interval of its schedule began. */
	since: number;
	checks: Check[]; // oldest first
	current?: Check;
	last?: Check;
	/** Its pages as the last check saw them, by target and URL. */
	seen: Map<string, { scrapeId: string; markdown: string; json: unknown }>;
}

/** The settings of a monitor before a request sets some. */
export const NEW_MONITOR: MonitorSettings = {
	name: 'Pages',
	status: 'active',
	schedule: { cron: '0 * * * *', timezone: 'UTC' },
	targets: [],
	goal: null,
	judgeEnabled: false,
	retentionDays: 30,
	webhook: null,
	notification: {},
};

/** Returns a monitor that the service has from now on. */
export function newMonitor(state: State, settings: MonitorSettings, id = state.newId()): Monitor {
	const now = Date.now();
	const times = { createdAt: now, updatedAt: now, since: now };
	const monitor: Monitor = { id, ...settings, ...times, checks: [], seen: new Map() };
	state.monitors.set(id, monitor);
	return monitor;
}
