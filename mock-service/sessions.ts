import type { Entry } from './entry';

/** How long the browser of a scrape stays open, in ms. */
const KEPT_MS = 10 * 60 * 1000;

/** Pages that a site only shows to users who are signed in; others get its login page. */
const MEMBERS = /^\/members\b/;

export interface Profile {
	name: string;
	saveChanges?: boolean;
}

/** A page that was scraped, and its browser once it has been used. */
interface Scraped {
	id: string;
	url: string;
	/** The result of the scrape. */
	page: Entry;
	profile?: Profile;
	browser?: { openedAt: number; credits: number; isClosed?: true };
}

/** The scrapes whose browser can be opened, and the saved profiles. */
export class Sessions {
	private readonly scrapes = new Map<string, Scraped>();
	private readonly saved = new Set<string>();

	add(scrape: Omit<Scraped, 'browser'>, isOpen = false): void {
		const browser = isOpen ? { openedAt: Date.now(), credits: 0 } : undefined;
		this.scrapes.set(scrape.id, { ...scrape, browser });
	}

	find(id: string): Scraped | undefined {
		return this.scrapes.get(id);
	}

	isOpen({ browser }: Scraped): boolean {
		if (!browser || browser.isClosed) return false;
		return Date.now() < browser.openedAt + KEPT_MS;
	}

	/** Whether the browser of another scrape will save the same profile as this one. */
	isProfileBusy(scrape: Scraped): boolean {
		const saves = ({ profile }: Scraped) =>
			profile && profile.saveChanges !== false ? profile.name : undefined;
		return [...this.scrapes.values()].some(
			(other) =>
				other !== scrape &&
				this.isOpen(other) &&
				saves(other) !== undefined &&
				saves(other) === saves(scrape),
		);
	}

	/** Closes a browser; its profile then counts as signed in. */
	close({ browser, profile }: Scraped): void {
		if (browser) browser.isClosed = true;
		if (profile && profile.saveChanges !== false) this.saved.add(profile.name);
	}

	/** Returns the URL of the page that a site shows, which may be its login page. */
	pageFor(url: string, profile?: Profile): string {
		const isIn = profile !== undefined && this.saved.has(profile.name);
		return MEMBERS.test(new URL(url).pathname) && !isIn ? new URL('/login', url).href : url;
	}
}
