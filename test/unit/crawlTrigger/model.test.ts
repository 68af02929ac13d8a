/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { httpError } from './fakeService';
/**
 * Random schedules of crawls, faults, overlapping polls and n8n restarts against the trigger's poll,
 * checked after every poll against an account of what n8n kept and the service showed.
 */

import type { INodeExecutionData } from 'n8n-workflow';

import type { SeenCrawl } from '../../../nodes/WebDataCrawlTrigger/crawlWatch';
import { pollOnce } from '../../../nodes/WebDataCrawlTrigger/poll';
import type { CrawlRequests } from '../../../nodes/WebDataCrawlTrigger/requests';
import { KeptState, type Mode, random } from '../../support/keptState';
import { seedCount, totalOf } from '../../support/seeds';

const SEEDS = seedCount(50);
const STEPS = 160;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Crawl {
	id: string;
	url: string;
	createdAt: number;
	/** Creation date by the service's clock. */
	dated: number;
	endedAt?: number;
	status: string;
	expiresAt: number;
	listedAt: number;
	/** Whether it counts fewer pages than were asked for. */
	isShort: boolean;
	/** Time from which it counts all of its pages. */
	wholeAt?: number;
	/** Time before which it isn't active and says that it has completed, without a page. */
	begunAt: number;
	/** A date in the future that the activity list shows for it. */
	misdatedTo?: number;
	/** Time until which its status or pages can't be fetched. */
	badUntil?: number;
}

/** What n8n's stored state can know from the lists that the service sent. */
interface Lineage {
	/** When the baseline was set; what had ended by then doesn't concern the trigger. */
	begunAt?: number;
	seen: Set<string>;
	/** Date from which a crawl is news whenever the activity list shows it. */
	newsFrom?: number;
	/** Latest date of a crawl at the first poll, up to which it may consider all crawls known. */
	latest: number;
	/** Crawls dated so long before it that they may be considered known, because the service's own clock is behind. */
	excused: Set<string>;
}

interface Poll {
	begun: number;
	clean: boolean;
	/** Whether its time never runs out, however long the schedule makes it wait. */
	patient: boolean;
	running?: string[];
	activityAt?: number;
	/** When it read the list's first page. */
	firstPageAt?: number;
}

class World {
	private readonly rng: ReturnType<typeof random>;
	private readonly n8n: KeptState<Lineage>;
	private now = Date.UTC(2026, 0, 1);
	/** How far (ms) n8n's clock is ahead of the service's; it is set now and then. */
	private ahead = 0;
	/** How far (ms) the service's clock is off. */
	private serviceAhead = 0;
	private readonly setsClock: boolean;
	private readonly crawls = new Map<string, Crawl>();
	private faults = true;
	/** The crawls that polls have failed for, as long as the process of n8n lives. */
	private told = new Set<string>();
	private activityOff: boolean;
	private readonly emitted = new Map<string, string>();
	private readonly counts = { steps: 0, checked: 0, unreachable: 0, jumps: 0 };
	private readonly withPages: boolean;
	/** Whether its lists are never behind, so that nothing that ended before the baseline may be emitted. */
	private readonly exact: boolean;
	private readonly late: boolean;
	/** Whether some crawls have a future date in the activity list. */
	private readonly misdates: boolean;
	private readonly oneAtATime: boolean;
	private readonly specific: boolean;
	private readonly patterned: boolean;
	private readonly ids: string[];

	constructor(readonly seed: number) {
		this.rng = random(seed);
		const mode = (['default', 'durable', 'unsaved'] as Mode[])[seed % 3];
		this.n8n = new KeptState<Lineage>(
			mode,
			{ seen: new Set(), latest: 0, excused: new Set() },
			this.rng.below,
		);
		this.activityOff = seed % 4 === 1;
		this.withPages = this.rng.chance(0.5);
		this.exact = this.rng.chance(0.4);
		this.late = !this.exact && this.rng.chance(0.3);
		this.misdates = !this.late && seed % 5 === 0;
		this.oneAtATime = this.rng.chance(0.2);
		this.setsClock = !this.misdates && this.rng.chance(0.4);
		this.specific = this.rng.chance(0.2);
		this.patterned = !this.specific && this.rng.chance(0.3);
		this.ids = Array.from({ length: 6 }, (_, index) => `crawl-${index * 3}`);
		const first = this.specific ? 16 : this.rng.below(5);
		while (this.crawls.size < first) this.start();
		for (const crawl of this.crawls.values()) if (this.rng.chance(0.4)) this.end(crawl);
	}

	/** Runs the schedule, then polls without faults until nothing more can come, checking all the way. */
	async run(): Promise<void> {
		for (let step = 0; step < STEPS; step++) await this.step();
		this.faults = false;
		// If n8n keeps nothing of an empty poll, nothing is ever given up, and unchanged counts go unnoticed.
		const isForgetful = this.n8n.mode === 'unsaved';
		for (const crawl of this.crawls.values()) {
			if (isForgetful)
				Object.assign(crawl, { badUntil: undefined, isShort: false, wholeAt: this.now });
		}
		while (!this.n8n.isIdle) await this.n8n.openGate();
		for (let idle = 0; idle < 12; idle++) {
			this.now += MINUTE;
			const before = this.emitted.size;
			this.beginPoll();
			while (!this.n8n.isIdle) await this.n8n.openGate();
			if (before < this.emitted.size) idle = 0;
		}
		if (this.n8n.broken) throw this.n8n.broken;
	}

	private async step(): Promise<void> {
		this.counts.steps++;
		const { rng } = this;
		const dice = rng.next();
		if (dice < 0.12) this.start();
		else if (dice < 0.24) this.endOne();
		else if (dice < 0.28) this.makeBad();
		else if (dice < 0.31) this.restart();
		else if (dice < 0.34 && this.setsClock) this.setClock();
		else if (dice < 0.35 && this.seed % 4 === 2) this.activityOff = !this.activityOff;
		else if (dice < 0.38)
			this.now += rng.chance(0.1) ? rng.below(30) * HOUR : rng.below(20) * MINUTE;
		else if (dice < 0.6) {
			this.now += rng.chance(0.3) ? 10_000 : MINUTE;
			if (!this.n8n.isPolling || (this.n8n.mode === 'default' && rng.chance(0.3))) this.beginPoll();
		} else await this.n8n.openGate();
		await new Promise((resolve) => setImmediate(resolve));
	}

	private start(): void {
		const id = `crawl-${this.crawls.size}`;
		const host = this.rng.chance(0.7) ? 'https://docs.example.com' : 'https://shop.example.org';
		this.now += 1;
		this.crawls.set(id, {
			id,
			url: `${host}/${id}`,
			createdAt: this.now,
			dated: this.now + this.serviceAhead,
			status: 'scraping',
			expiresAt: this.now + 48 * HOUR,
			listedAt: this.now + (this.late ? this.rng.below(10) * MINUTE : 0),
			isShort: this.rng.chance(0.2),
			begunAt: this.now + (this.canBeLate && this.rng.chance(0.3) ? 25_000 : 0),
			...(this.misdates && this.rng.chance(0.4) && { misdatedTo: this.now + 1_000 * HOUR }),
		});
	}

	private endOne(): void {
		const running = [...this.crawls.values()].filter(
			(crawl) => crawl.endedAt === undefined && crawl.begunAt <= this.now && this.knows(crawl),
		);
		if (running.length > 0) this.end(running[this.rng.below(running.length)]);
	}

	private end(crawl: Crawl): void {
		crawl.endedAt = this.now;
		crawl.status = ['completed', 'completed', 'failed', 'cancelled'][this.rng.below(4)];
		crawl.expiresAt = this.now + (this.rng.chance(0.1) ? 10 * MINUTE : 24 * HOUR);
	}

	private makeBad(): void {
		const all = [...this.crawls.values()];
		if (all.length === 0) return;
		const forMs = this.rng.chance(0.5) ? this.rng.below(300) * MINUTE : 1000 * HOUR;
		all[this.rng.below(all.length)].badUntil = this.now + forMs;
	}

	private restart(): void {
		this.n8n.restart(this.rng.chance(0.3));
		this.told = new Set();
		if (this.rng.chance(0.3)) this.now += this.rng.below(12) * HOUR;
		this.beginPoll();
	}

	/**
	 * Sets a clock a little, by days or by years, ahead or back: n8n's, the service's, or both on one machine. Or sets it
	 * right again.
	 */
	private setClock(): void {
		this.counts.jumps++;
		const { rng } = this;
		const by = (rng.chance(0.5) ? 1 : -1) * rng.below(HOUR) * 60 ** rng.below(4);
		const off = rng.chance(0.3) ? 0 : by;
		const whose = rng.below(3);
		if (whose !== 1) this.ahead = off;
		if (whose !== 0) this.serviceAhead = Math.max(off, -this.now);
	}

	/** Whether crawls may say too early that they have completed; a crawl's age must then be known. */
	private get canBeLate(): boolean {
		return !this.misdates && !this.setsClock;
	}

	private knows(crawl: Crawl): boolean {
		return this.now < crawl.expiresAt;
	}

	private requests(poll: Poll): CrawlRequests {
		const trouble = (p: number) => this.faults && this.rng.chance(p) && !(poll.clean = false);
		const asSeen = ({ id, url, dated, misdatedTo = dated }: Crawl): SeenCrawl => ({
			// Lists may differ in letter case.
			id: this.rng.chance(0.3) ? id.toUpperCase() : id,
			url,
			createdAt: misdatedTo,
		});
		const dateOf = ({ dated, misdatedTo = dated }: Crawl) => misdatedTo;
		const { n8n } = this;
		const newestFirst = () =>
			[...this.crawls.values()]
				.filter(({ createdAt, listedAt }) => {
					return listedAt <= this.now && createdAt > this.now - 24 * HOUR;
				})
				.reverse()
				.sort((a, b) => dateOf(b) - dateOf(a));
		// A late or misplaced entry is found as long as it is on the first page.
		const pageSize = this.late || this.setsClock || this.misdates ? 100 : 5;
		return {
			active: async () => {
				await n8n.gate();
				if (trouble(0.08)) throw httpError(['500', '429', '401', undefined][this.rng.below(4)]);
				const listed = [...this.crawls.values()].filter((crawl) => {
					if (this.now < crawl.begunAt) return false;
					// In a list that is a little behind, a running crawl is missing and an ended one is still there.
					if (crawl.endedAt === undefined) return this.knows(crawl) && !trouble(0.02);
					return !this.exact && this.now - crawl.endedAt < 3 * MINUTE && trouble(0.1);
				});
				poll.running = listed.filter(({ endedAt }) => endedAt === undefined).map(({ id }) => id);
				return listed.map(({ id, url }) => ({ id, url }));
			},
			activity: async function* (this: World) {
				await n8n.gate();
				if (this.activityOff) throw httpError('404');
				if (trouble(0.13)) throw httpError(['500', '429'][this.rng.below(2)]);
				poll.activityAt = this.now;
				poll.firstPageAt = this.now;
				const all = newestFirst();
				for (let from = 0; from === 0 || from < all.length; from += pageSize) {
					if (from > 0 && trouble(0.02)) {
						delete poll.activityAt;
						throw httpError('500');
					}
					yield all.slice(from, from + pageSize).map(asSeen);
				}
			}.bind(this),
			status: async (id) => {
				await n8n.gate();
				if (trouble(0.03)) throw httpError(['429', '500', undefined][this.rng.below(3)]);
				const crawl = this.crawls.get(id.toLowerCase());
				if (!crawl || !this.knows(crawl)) return undefined;
				if (!this.withPages) this.rejectIfBad(crawl, poll);
				const [word, completed] =
					this.now < crawl.begunAt ? ['completed', 0] : [crawl.status, crawl.isShort ? 9 : 10];
				const call = { method: 'GET' as const, path: `/v2/crawl/${id}` };
				return { status: 200, call, body: { status: word, completed, total: 10 } };
			},
			countFailed: async () => 0,
			pages: async (id) => {
				await n8n.gate();
				this.rejectIfBad(this.crawls.get(id.toLowerCase())!, poll);
				return [{ json: { markdown: id.toLowerCase() } }];
			},
		};
	}

	private rejectIfBad(crawl: Crawl, poll: Poll): void {
		if (this.now >= (crawl.badUntil ?? 0)) return;
		poll.clean = false;
		throw httpError('500');
	}

	private settings() {
		return {
			scope: 'any:1',
			urlPatterns: this.patterned ? ['https://docs.example.com/*'] : [],
			events: ['completed', 'failed'] as Array<'completed' | 'failed'>,
			...(this.specific && { ids: this.ids }),
		};
	}

	private beginPoll(): void {
		const { ahead } = this;
		// A first poll has a time limit of its own.
		const patient = this.rng.chance(0.7) && this.n8n.account.begunAt !== undefined;
		const poll: Poll = { begun: this.now, clean: true, patient };
		this.n8n.begin(
			async (store) =>
				await pollOnce({
					begin: this.n8n.beginning,
					requests: this.requests(poll),
					settings: this.settings(),
					withPages: this.withPages,
					oneAtATime: this.oneAtATime,
					isFirstFailure: (id) => !this.told.has(id) && this.told.add(id) !== undefined,
					budgetMs: poll.patient ? 1000 * HOUR : MINUTE,
					store,
					now: () => this.now + ahead,
					wait: async () => await new Promise(() => undefined),
					log: { info: () => undefined, warn: (text) => expect(text).not.toContain('starts over') },
				}),
			(items, known) => {
				if (this.oneAtATime) expect(items.length).toBeLessThanOrEqual(1);
				for (const item of items) this.emit(item);
				this.excuse(poll, known, ahead);
				this.learn(poll, ahead);
				this.check(poll, known);
			},
		);
	}

	private emit({ json }: INodeExecutionData): void {
		const { id: shown, event } = (this.withPages ? json.crawl : json) as Record<string, string>;
		const id = shown.toLowerCase();
		const source = this.crawls.get(id)!;
		expect([this.seed, id, this.emitted.get(id)]).toEqual([this.seed, id, undefined]);
		// A crawl that the service has forgotten may never have ended.
		const isForgotten = event === 'unreachable' && !this.knows(source);
		if (!isForgotten) {
			expect([this.seed, id, source.endedAt]).toEqual([this.seed, id, expect.any(Number)]);
		}
		// A future date says nothing about what had ended before a list that could not be read at first.
		const isDated = !this.setsClock && source.misdatedTo === undefined;
		if (this.exact && !this.specific && isDated && !isForgotten) {
			expect(source.endedAt).toBeGreaterThanOrEqual(this.n8n.account.begunAt ?? Infinity);
		}
		if (this.patterned) expect(source.url).toContain('docs.example.com');
		if (this.specific) expect(this.ids).toContain(id);
		expect(['completed', 'failed', 'unreachable']).toContain(event);
		if (event === 'unreachable') this.counts.unreachable++;
		else if (this.withPages) expect(json.markdown).toBe(id);
		this.emitted.set(id, event);
	}

	/**
	 * Excuses crawls that the list shows with a date well before the first poll, because they are considered known.
	 */
	private excuse(poll: Poll, { latest }: Lineage, ahead: number): void {
		if (poll.firstPageAt === undefined) return;
		const { account } = this.n8n;
		const clock = poll.begun + ahead;
		account.latest = Math.min(latest, clock);
		const isFirst = account.begunAt === undefined;
		const horizon = account.latest - 15 * MINUTE;
		for (const { id, dated, createdAt } of this.crawls.values()) {
			if (createdAt > poll.firstPageAt) continue;
			if (dated < horizon) account.excused.add(id);
			if (isFirst) account.latest = Math.max(account.latest, Math.min(dated, clock));
		}
	}

	/** Updates what the state left by this poll can know. */
	private learn(poll: Poll, ahead: number): void {
		const { account } = this.n8n;
		if (this.specific) for (const id of this.ids) account.seen.add(id);
		account.begunAt ??= poll.begun;
		for (const id of poll.running ?? []) account.seen.add(id);
		// A first poll that could not read the list goes by n8n's clock.
		if (account.newsFrom === undefined && poll.activityAt === undefined)
			account.latest = Math.max(account.latest, poll.begun + ahead);
		account.newsFrom ??= poll.activityAt ?? poll.begun + Math.max(0, ahead);
	}

	/** Checks the promise after a poll without faults: everything that had ended and could be known is emitted. */
	private check(poll: Poll, known: Lineage): void {
		if (!poll.patient && this.now !== poll.begun) return;
		if (!poll.clean || (this.oneAtATime && this.faults)) return;
		const { seen, newsFrom = Infinity, begunAt = Infinity } = known;
		for (const crawl of this.crawls.values()) {
			const { id, status, createdAt, dated, endedAt, listedAt } = crawl;
			if (endedAt === undefined || endedAt >= poll.begun || !this.knows(crawl)) continue;
			if (!['completed', 'failed'].includes(status)) continue;
			if (this.patterned && !crawl.url.includes('docs.example.com')) continue;
			if (this.specific && !this.ids.includes(id)) continue;
			// One that may have completed before it began may be checked again in a later poll.
			const { isShort, begunAt: from, wholeAt = 0 } = crawl;
			if (isShort || Math.max(from, wholeAt) >= poll.begun) continue;
			const inActivity =
				!this.specific &&
				Math.min(createdAt, dated) > newsFrom &&
				!this.n8n.account.excused.has(id) &&
				poll.activityAt !== undefined &&
				listedAt <= poll.begun &&
				createdAt > poll.activityAt - 24 * HOUR;
			const promised = this.specific || (endedAt > begunAt && (seen.has(id) || inActivity));
			if (!promised || this.oneAtATime) continue;
			this.counts.checked++;
			expect([this.seed, id, this.emitted.has(id)]).toEqual([this.seed, id, true]);
		}
	}

	/** Does the check that must wait until the end if there is one crawl per execution. */
	checkAtEnd(): void {
		for (const crawl of this.crawls.values()) {
			const { id, status, endedAt = 0 } = crawl;
			if (endedAt <= (this.n8n.account.begunAt ?? 0) && !this.specific) continue;
			if (!['completed', 'failed'].includes(status) || !this.knows(crawl)) continue;
			if (this.patterned && !crawl.url.includes('docs.example.com')) continue;
			if (this.specific ? !this.ids.includes(id) : !this.n8n.account.seen.has(id)) continue;
			this.counts.checked++;
			expect([this.seed, id, this.emitted.has(id)]).toEqual([this.seed, id, true]);
		}
	}

	get totals() {
		return { ...this.n8n.counts, ...this.counts, emitted: this.emitted.size };
	}

	get stateSize() {
		return this.n8n.stateSize;
	}
}

describe('the crawl trigger under random schedules', () => {
	it('emits each promised crawl exactly once', async () => {
		const total = await totalOf(SEEDS, async (seed) => {
			const world = new World(seed);
			await world.run();
			world.checkAtEnd();
			expect(world.stateSize).toBeLessThan(20_000);
			return world.totals;
		});
		// The schedules must have covered what they are for.
		expect(total.steps).toBe(SEEDS * STEPS);
		expect(total.kills).toBeGreaterThan(SEEDS);
		expect(total.overlaps).toBeGreaterThan(SEEDS);
		expect(total.checked).toBeGreaterThan(SEEDS * 10);
		expect(total.unreachable).toBeGreaterThan(5);
		expect(total.jumps).toBeGreaterThan(SEEDS / 2);
	}, 600_000);
});
