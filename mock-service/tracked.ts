import { diffOf } from './data/diff';
import type { Entry, Typed } from './entry';

/** A page as it was at an earlier time. */
interface Seen {
	jobId: string;
	at: number; // ms since 1970
	markdown: string;
	json: unknown;
}

/** The versions of pages that change tracking has seen. */
export class Tracked {
	private readonly seen = new Map<string, Seen[]>(); // by URL and tag, oldest first

	/**
	 * Returns how a page differs from what was seen before, and remembers it. For one job, a page is compared once; asked
	 * again, the answer is the same.
	 */
	changeOf(jobId: string, url: string, page: Entry, { tag, modes }: Typed): Entry {
		const key = JSON.stringify([url, tag ?? null]);
		const all = this.seen.get(key) ?? [];
		const index = all.findIndex((one) => one.jobId === jobId);
		const now: Seen = all[index] ?? {
			jobId,
			at: Date.now(),
			markdown: String(page.markdown ?? ''),
			json: page.json,
		};
		if (index < 0) this.seen.set(key, [...all, now]);
		return changed(all[(index < 0 ? all.length : index) - 1], now, (modes ?? []) as string[]);
	}
}

function changed(before: Seen | undefined, now: Seen, modes: string[]): Entry {
	const visibility = 'visible';
	if (!before) return { previousScrapeAt: null, changeStatus: 'new', visibility };
	const isSame = before.markdown === now.markdown;
	const known = { previousScrapeAt: new Date(before.at).toISOString(), visibility };
	if (isSame) return { ...known, changeStatus: 'same' };
	return {
		...known,
		changeStatus: 'changed',
		...(modes.includes('git-diff') && { diff: diffOf(before.markdown, now.markdown) }),
		...(modes.includes('json') && {
			json: { content: { previous: before.markdown, current: now.markdown } },
		}),
	};
}
