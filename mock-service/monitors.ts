import type { Entry, Typed } from './entry';
import type { Webhook } from './webhooks';

/** What a monitor watches; each type has some of these. */
export interface Target extends Typed {
	id: string;
	url: string;
	urls: string[];
	queries: string[];
	maxResults: number;
	crawlOptions?: Entry;
	scrapeOptions?: Entry & { formats?: Typed[] };
}

/** What requests set. */
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
export type CheckedPage = Entry & { url: string; targetId: string; status: string };

/** A check: its data as the service shows it, and its pages. */
export interface Check {
	data: Entry & { id: string; status: string };
	begunAt: number; // ms since 1970
	pages: CheckedPage[];
	/** What is still to do: each returns a page. */
	left: Array<() => CheckedPage>;
	/** Price of its searches. */
	searchCredits: number;
	/** Why it will fail. */
	fails?: string;
}

/** A page as the last check saw it. */
export interface SeenPage {
	scrapeId: string | null;
	markdown: string;
	json: unknown;
}

export interface Monitor {
	id: string;
	settings: MonitorSettings;
	times: { createdAt: string; updatedAt: string };
	/** When the last interval of its schedule began, in ms since 1970. */
	since: number;
	checks: Check[]; // oldest first
	current?: Check;
	/** Its pages, by target and URL. */
	seen: Map<string, SeenPage>;
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
