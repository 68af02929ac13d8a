/** A page as a test has set it; the rest of it is made up as usual. */
export interface SetPage {
	markdown?: string;
	/** What an extraction finds, whatever the schema. */
	json?: object;
	/** The status that its site responds with, 200 unless set. */
	statusCode?: number;
}

/** A result that a test has put into the web. */
export interface SetHit {
	url: string;
	title: string;
	description: string;
}

/** The part of the web that tests set by hand: pages that change, and results that every web search finds first. */
export class Web {
	private readonly pages = new Map<string, SetPage>();

	private readonly hits: SetHit[] = [];

	/** Sets what a page is from now on. */
	setPage(url: string, page: SetPage): void {
		this.pages.set(url, page);
	}

	/** Puts results before those that web searches find already; one with the same URL takes its place. */
	addHits(...added: SetHit[]): void {
		const urls = new Set(added.map(({ url }) => url));
		const others = this.hits.filter(({ url }) => !urls.has(url));
		this.hits.splice(0, this.hits.length, ...added, ...others);
	}

	/** The results of a web search with those that were put there, as many as before. */
	found<Hit extends object>(hits: Hit[]): Array<Hit | SetHit> {
		return [...this.hits, ...hits].slice(0, hits.length);
	}

	/** Makes of a scraped page what was set, where it was. */
	applyTo(url: string, result: Record<string, unknown>): void {
		const { markdown, json, statusCode } = this.pages.get(url) ?? {};
		if (markdown !== undefined && 'markdown' in result) result.markdown = markdown;
		if (json !== undefined && 'json' in result) result.json = json;
		if (statusCode !== undefined) Object.assign(result.metadata as object, { statusCode });
	}
}
