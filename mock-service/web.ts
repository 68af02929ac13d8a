/** A page as set by a test; the rest of it is made up as usual. */
export interface SetPage {
	markdown?: string;
	/** The result of an extraction, whatever the schema. */
	json?: object;
	/** The status with which its site responds; 200 by default. */
	statusCode?: number;
}

/** A search result added by a test. */
export interface SetHit {
	url: string;
	title: string;
	description: string;
}

/** A page in the list of a site; a text is its URL alone. */
export type SetLink = SetHit | string;

/** The part of the web that tests set by hand: pages that change, sites, and results that web searches find first. */
export class Web {
	private readonly begun = Date.now();

	private readonly sites = new Map<string, SetLink[]>();

	private readonly pages = new Map<string, SetPage>();

	private readonly hits: SetHit[] = [];

	/** Sets a page's content from now on. */
	setPage(url: string, page: SetPage): void {
		this.pages.set(url, page);
	}

	/** Adds results before those that web searches already find; one with the same URL is replaced. */
	addHits(...added: SetHit[]): void {
		const urls = new Set(added.map(({ url }) => url));
		const others = this.hits.filter(({ url }) => !urls.has(url));
		this.hits.splice(0, this.hits.length, ...added, ...others);
	}

	/** Returns the results of a web search with the added ones first, the same number in all. */
	found<Hit extends object>(hits: Hit[]): Array<Hit | SetHit> {
		return [...this.hits, ...hits].slice(0, hits.length);
	}

	/** Sets what a map of a site lists from now on, whatever its host. */
	setSite(origin: string, links: SetLink[]): void {
		this.sites.set(origin, links);
	}

	/** Returns what was set for a site; undefined if nothing was. */
	siteAt(origin: string): SetLink[] | undefined {
		return this.sites.get(origin);
	}

	/** Returns the posts of a site whose host begins with `growing.`: a new one every `growMs`, newest first. */
	postsOf({ hostname, origin }: URL, growMs: number): SetHit[] {
		if (!hostname.startsWith('growing.') || growMs === 0) return [];
		const count = Math.floor((Date.now() - this.begun) / growMs);
		return Array.from({ length: count }, (_, index) => {
			const number = count - index;
			const title = `Post ${number}`;
			return { url: `${origin}/blog/post-${number}`, title, description: `${title} of the blog` };
		});
	}

	/** Overwrites those parts of a scraped page that a test has set. */
	applyTo(url: string, result: Record<string, unknown>): void {
		const { markdown, json, statusCode } = this.pages.get(url) ?? {};
		if (markdown !== undefined && 'markdown' in result) result.markdown = markdown;
		if (json !== undefined && 'json' in result) result.json = json;
		if (statusCode !== undefined) Object.assign(result.metadata as object, { statusCode });
	}
}
