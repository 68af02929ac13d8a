/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/**
 * Random histories of pages, faults, overlapping polls and n8n restarts against the trigger's poll, checked after every
 * poll against an account of what n8n kept and the service showed.
 */
import { changedCharacters, diffLines } from '../../../nodes/WebDataPageTrigger/lineDiff';
import { pollPages } from '../../../nodes/WebDataPageTrigger/poll';
import type { PageReading, PageReport } from '../../../nodes/WebDataPageTrigger/pageState';
import { KeptState, type Mode, random } from '../../support/keptState';
import { seedCount, totalOf } from '../../support/seeds';

// Real pauses would make the histories differ between runs.
jest.mock('../../../nodes/shared/base/time', () => ({
	...jest.requireActual<object>('../../../nodes/shared/base/time'),
	breathe: async () => {},
}));

const SEEDS = seedCount(50);
const STEPS = 160;

/** Most text kept, in characters, where that isn't enough for all pages. */
const LITTLE_TEXT = 40;

interface Page {
	lines: string[];
	/** Number of its edits. */
	version: number;
	/** Number of further readings in which it can't be read; `isBusy`: it may be available again in a moment. */
	badFor: number;
	isBusy: boolean;
}

/** What n8n's stored state can know: the last reported version of each page, and whether its failure was reported. */
type Account = Map<
	string,
	{ lines: string[]; isReported: boolean; failures: number; version: number }
>;

type Content = Pick<Page, 'lines' | 'version'>;

const hashOf = (lines: string[]) => `#${lines.join('|')}`;

class World {
	private readonly rng: ReturnType<typeof random>;
	private readonly n8n: KeptState<Account>;
	private readonly pages = new Map<string, Page>();
	private made = 0;
	private faults = true;
	private readonly leastChange: number;
	private readonly maxKeptText: number;
	private readonly failuresNeeded: number;
	readonly counts = { emitted: 0, failures: 0, hashOnly: 0, checked: 0, small: 0, unread: 0 };

	constructor(readonly seed: number) {
		this.rng = random(seed);
		const mode = (['default', 'durable', 'unsaved'] as Mode[])[seed % 3];
		this.n8n = new KeptState<Account>(mode, new Map(), this.rng.below);
		this.leastChange = this.rng.chance(0.5) ? 1 : 12;
		this.maxKeptText = this.rng.chance(0.2) ? LITTLE_TEXT : 20_000;
		this.failuresNeeded = 1 + this.rng.below(3);
		for (let index = 0; index < 1 + this.rng.below(4); index++) {
			const lines = Array.from({ length: 1 + this.rng.below(6) }, () => this.line());
			this.pages.set(`https://example.com/${index}`, {
				lines,
				version: 0,
				badFor: this.rng.chance(0.3) ? 1 + this.rng.below(4) : 0,
				isBusy: this.rng.chance(0.7),
			});
		}
	}

	async run(): Promise<void> {
		for (let step = 0; step < STEPS; step++) await this.step();
		this.faults = false;
		for (const page of this.pages.values()) page.badFor = 0;
		await this.n8n.settle(() => this.beginPoll());
	}

	get totals() {
		return { ...this.n8n.counts, ...this.counts };
	}

	private line(): string {
		return `line ${this.made++}${this.rng.chance(0.3) ? ' of some more words' : ''}`;
	}

	private async step(): Promise<void> {
		const { rng } = this;
		const dice = rng.next();
		if (dice < 0.22) this.edit();
		else if (dice < 0.26)
			Object.assign(this.anyPage(), { badFor: 1 + rng.below(5), isBusy: rng.chance(0.5) });
		else if (dice < 0.3) this.restart();
		else if (dice < 0.55) {
			if (!this.n8n.isPolling || (this.n8n.mode === 'default' && rng.chance(0.4))) this.beginPoll();
		} else await this.n8n.openGate();
		await new Promise((resolve) => setImmediate(resolve));
	}

	private anyPage(): Page {
		return [...this.pages.values()][this.rng.below(this.pages.size)];
	}

	private edit(): void {
		const page = this.anyPage();
		const lines = [...page.lines];
		const at = this.rng.below(lines.length);
		const dice = this.rng.next();
		if (dice < 0.3) lines[at] = this.line();
		else if (dice < 0.5) lines[at] += '.';
		else if (dice < 0.75) lines.splice(at, 0, this.line());
		else if (lines.length > 1) lines.splice(at, 1);
		page.lines = lines;
		page.version++;
	}

	private restart(): void {
		this.n8n.restart(this.rng.chance(0.3));
		this.beginPoll();
	}

	private beginPoll(): void {
		const shown = new Map<string, string[] | 'failed'>();
		const asked = new Map<string, { times: number; mayPass: boolean }>();
		let isStopped = false;
		// The clock is set, by years.
		const clock = this.rng.below(8e15);
		const { beginning: begin } = this.n8n;
		this.n8n.begin(
			async (store) =>
				await pollPages({
					store,
					log: { info: () => undefined, warn: () => undefined },
					begin,
					now: () => clock,
					// A poll's time doesn't run out, however long its requests take.
					wait: async (ms) =>
						ms === 5_000 ? await this.n8n.gate() : await new Promise(() => undefined),
					budgetMs: 40_000,
					leastMs: 100,
					random: this.rng.next,
					nothingRead: (reason) => new Error(`fault: ${reason}`),
					settings: {
						scope: 'pages',
						urls: [...this.pages.keys()],
						leastChange: this.leastChange,
						reportChanges: true,
						reportFailures: true,
						failuresNeeded: this.failuresNeeded,
						maxKeptText: this.maxKeptText,
					},
					read: async (url): Promise<PageReading> => {
						await this.n8n.gate();
						if (this.faults && this.rng.chance(0.05)) {
							isStopped = true;
							// A failure that may pass, or one that stays until somebody does something about it.
							const cause = this.rng.chance(0.5) ? 'temporarily-unavailable' : 'quota-exhausted';
							throw Object.assign(new Error('fault'), { failure: { cause } });
						}
						const { lines, version, badFor, isBusy } = this.pages.get(url)!;
						asked.set(url, { times: (asked.get(url)?.times ?? 0) + 1, mayPass: isBusy });
						if (badFor > 0) {
							this.pages.get(url)!.badFor--;
							shown.set(url, 'failed');
							return { kind: 'failed', reason: 'blocked', mayPass: isBusy };
						}
						shown.set(url, lines);
						await this.n8n.gate();
						const text = lines.join('\n');
						return {
							kind: 'read',
							text,
							hash: hashOf(lines),
							content: { content: JSON.stringify({ lines, version }) },
						};
					},
				}),
			(reports, before) => {
				if (begin) this.countAnew(this.n8n.account);
				if (before.size === 0 && !isStopped) this.checkFirst(shown, asked);
				for (const report of reports) this.checkReport(report);
				this.checkPromise(shown, before, !isStopped);
			},
			() => {
				// What it has read is kept, and so are its counts.
				if (begin) this.countAnew(this.n8n.account);
				this.checkPromise(shown, this.n8n.account, false);
			},
		);
	}

	/**
	 * Resets the counts: n8n may have lost that a page could be read since its failure was reported, so it is reported
	 * again.
	 */
	private countAnew(account: Account): void {
		for (const known of account.values()) Object.assign(known, { isReported: false, failures: 0 });
	}

	/** Checks that what the first poll leaves unread has failed three times, or for good. */
	private checkFirst(
		shown: Map<string, string[] | 'failed'>,
		asked: Map<string, { times: number; mayPass: boolean }>,
	): void {
		for (const [url, lines] of shown) {
			if (lines !== 'failed') continue;
			this.counts.unread++;
			const { times, mayPass } = asked.get(url)!;
			expect([this.seed, url, !mayPass || times === 3]).toEqual([this.seed, url, true]);
		}
	}

	private checkReport(report: PageReport): void {
		const known = this.n8n.account.get(report.url);
		const where = [this.seed, report.url, report.event];
		if (report.event === 'failed') {
			this.counts.failures++;
			expect([...where, known?.isReported ?? false]).toEqual([...where, false]);
			this.n8n.account.set(report.url, {
				lines: [],
				failures: 1,
				version: -1,
				...known,
				isReported: true,
			});
			return;
		}
		this.counts.emitted++;
		// The chain is unbroken: from the version last reported to the one that was read.
		const { lines, version } = JSON.parse(report.content.content!) as Content;
		expect([...where, version > known!.version]).toEqual([...where, true]);
		expect([...where, report.previousHash]).toEqual([...where, hashOf(known?.lines ?? [])]);
		expect(report.hash).toBe(hashOf(lines));
		expect(report.hash).not.toBe(report.previousHash);
		if (report.hunks === undefined) {
			this.counts.hashOnly++;
			// Other pages may have been longer when its last version was read.
			expect(this.maxKeptText).toBe(LITTLE_TEXT);
		} else {
			expect(report.hunks).toEqual(diffLines(known!.lines, lines));
			expect(changedCharacters(report.hunks)).toBeGreaterThanOrEqual(this.leastChange);
		}
		this.n8n.account.set(report.url, { lines, version, isReported: false, failures: 0 });
	}

	/**
	 * Checks that what was read is now the version last reported, or differs from it by less than the smallest change.
	 */
	private checkPromise(
		shown: Map<string, string[] | 'failed'>,
		before: Account,
		isPromised: boolean,
	): void {
		for (const [url, lines] of shown) {
			let known = this.n8n.account.get(url);
			if (known === undefined) {
				known = { lines: [], isReported: false, failures: 0, version: -1 };
				this.n8n.account.set(url, known);
			}
			if (lines === 'failed') {
				if (isPromised && ++known.failures >= this.failuresNeeded) {
					expect([this.seed, url, known.isReported]).toEqual([this.seed, url, true]);
				}
				continue;
			}
			Object.assign(known, { isReported: false, failures: 0 });
			if (known.lines.length === 0) known.lines = lines;
			if (!isPromised || !before.has(url)) continue;
			this.counts.checked++;
			if (hashOf(known.lines) === hashOf(lines)) continue;
			this.counts.small++;
			const size = changedCharacters(diffLines(known.lines, lines));
			expect([this.seed, url, size < this.leastChange]).toEqual([this.seed, url, true]);
		}
	}
}

describe('the page trigger under random histories', () => {
	it('emits each change exactly once', async () => {
		const total = await totalOf(SEEDS, async (seed) => {
			const world = new World(seed);
			await world.run();
			return world.totals;
		});
		// The histories must have covered what they are for.
		expect(total.kills).toBeGreaterThan(SEEDS);
		expect(total.overlaps).toBeGreaterThan(SEEDS);
		expect(total.failed).toBeGreaterThan(SEEDS / 2);
		expect(total.emitted).toBeGreaterThan(SEEDS * 5);
		expect(total.failures).toBeGreaterThan(SEEDS / 4);
		expect(total.hashOnly).toBeGreaterThan(SEEDS / 4);
		expect(total.small).toBeGreaterThan(SEEDS);
		expect(total.checked).toBeGreaterThan(SEEDS * 20);
	}, 600_000);
});
