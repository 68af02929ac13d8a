import { SENTENCES, capital, slug } from './data/texts';

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

/** A page in the list of a site; a plain string is its URL. */
export type SetLink = SetHit | string;

/** Posts that a site has from the beginning. */
const FIRST_POSTS = 4;

/** Prices over time of a page that changes, in percent of the original. */
const PRICE_STEPS = [100, 90, 95, 80];

/** The part of the web that tests can set: pages that change, sites, and results that come first in web searches. */
export class Web {
	private readonly begun = Date.now();

	private readonly sites = new Map<string, SetLink[]>();

	private readonly pages = new Map<string, SetPage>();

	private readonly hits: SetHit[] = [];

	/** `growMs` is how often each site gets a new post, each search a new result and each page a change; 0: never. */
	constructor(private readonly growMs: () => number) {}

	/** Sets a page's content from now on. */
	setPage(url: string, page: SetPage): void {
		this.pages.set(url, page);
	}

	/** Adds results ahead of those that web searches already find; one with the same URL replaces the old one. */
	addHits(...added: SetHit[]): void {
		const urls = new Set(added.map(({ url }) => url));
		const others = this.hits.filter(({ url }) => !urls.has(url));
		this.hits.splice(0, this.hits.length, ...added, ...others);
	}

	/** Returns the results of a web search, new and added ones first; their number stays the same. */
	found<Hit extends object>(hits: Hit[], topic: string): Array<Hit | SetHit> {
		return [...this.hits, ...this.newHits(topic), ...hits].slice(0, hits.length);
	}

	/** Returns the results that a search has gained since the service started: one every `growMs`, newest first. */
	newHits(topic: string): SetHit[] {
		return this.grown().map((number) => ({
			url: `https://thedailyledger.example/reports/${slug(topic)}-${number}`,
			title: `${capital(topic)}: report ${number}`,
			description: `Report ${number} on ${topic}, published a moment ago.`,
		}));
	}

	/** Sets what a map of a site lists from now on, for any host. */
	setSite(origin: string, links: SetLink[]): void {
		this.sites.set(origin, links);
	}

	/** Returns what a site has: what was set, or else its new posts and `usual`. */
	linksOf(origin: string, usual: SetLink[]): SetLink[] {
		return this.sites.get(origin) ?? [...this.newPosts(origin), ...usual];
	}

	/** Returns the posts that a site has gained since the service started: one every `growMs`, newest first. */
	private newPosts(origin: string): SetHit[] {
		return this.grown().map((number) => {
			const title = `Post ${FIRST_POSTS + number}`;
			const url = `${origin}/blog/post-${FIRST_POSTS + number}`;
			return { url, title, description: `${title} of the blog` };
		});
	}

	/** Returns the numbers of everything added since the service started, highest first. */
	private grown(): number[] {
		const each = this.growMs();
		const count = each === 0 ? 0 : Math.floor((Date.now() - this.begun) / each);
		return Array.from({ length: count }, (_, index) => count - index);
	}

	/** Changes a scraped page's text and prices, depending on how much time has passed since the service started. */
	private grow(result: Record<string, unknown>): void {
		const [count = 0] = this.grown();
		if (count === 0) return;
		if (typeof result.markdown === 'string')
			result.markdown += `\n## Latest\n\n- Update ${count}: ${SENTENCES[count % SENTENCES.length]}\n`;
		for (const part of [result.json, result.product] as Array<
			Record<string, unknown> | undefined
		>) {
			const price = part?.price;
			if (typeof price === 'number') part!.price = Math.round(price * PRICE_STEPS[count % 4]) / 100;
		}
	}

	/** Overwrites the parts of a scraped page that have changed or that a test has set. */
	applyTo(url: string, result: Record<string, unknown>): void {
		this.grow(result);
		const { markdown, json, statusCode } = this.pages.get(url) ?? {};
		if (markdown !== undefined && 'markdown' in result) result.markdown = markdown;
		if (json !== undefined && 'json' in result) result.json = json;
		if (statusCode !== undefined) Object.assign(result.metadata as object, { statusCode });
	}
}
