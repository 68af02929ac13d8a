/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/**
 * Random histories of a site's list, faults, overlapping polls, changed settings and n8n restarts against the trigger's
 * poll, checked after every poll against an account of what n8n kept and the service listed.
 */
import { type ListedPage, pollSite } from '../../../nodes/WebDataPageTrigger/newPages';
import { KeptState, type Mode, random } from '../../support/keptState';
import { seedCount, totalOf } from '../../support/seeds';

// Real pauses would make the histories differ between runs.
jest.mock('../../../nodes/shared/base/time', () => ({
	...jest.requireActual<object>('../../../nodes/shared/base/time'),
	breathe: async () => {},
}));

const SEEDS = seedCount(50);
const STEPS = 150;
const FAILURES_NEEDED = 2;

/** What n8n's stored state can know: the settings of the last list, and the addresses that are not new any more. */
interface Account {
	list?: string;
	listed: number;
	known: Set<string>;
	/** Addresses that were new, and whose page is yet to be read. */
	waiting: Set<string>;
}

const pageOf = (url: string): ListedPage => ({ identity: url, text: '', link: { url } });

/** Whether a list has nothing, or half of what the last one had, unless that had only a few. */
function isLost(listed: string[], list: string, account: Account): boolean {
	const before = account.list === list ? account.listed : 0;
	return listed.length === 0 || (before > 3 && listed.length * 2 <= before);
}

class World {
	private readonly rng: ReturnType<typeof random>;
	private readonly n8n: KeptState<Account>;
	/** The addresses of the site, those that vanished, and those whose page can't be read. */
	private site: string[] = [];
	private gone: string[] = [];
	private readonly broken = new Set<string>();
	private made = 0;
	private settings = 0;
	private faults = true;
	private readonly withPages: boolean;
	private readonly emitted = new Set<string>();
	readonly counts = { emitted: 0, unread: 0, checked: 0, looks: 0, unbelieved: 0, returned: 0 };

	constructor(readonly seed: number) {
		this.rng = random(seed);
		const mode = (['default', 'durable', 'unsaved'] as Mode[])[seed % 3];
		this.n8n = new KeptState<Account>(
			mode,
			{ listed: 0, known: new Set(), waiting: new Set() },
			this.rng.below,
		);
		this.withPages = this.rng.chance(0.5);
		for (let left = 1 + this.rng.below(12); left > 0; left--) this.grow();
	}

	async run(): Promise<void> {
		for (let step = 0; step < STEPS; step++) await this.step();
		this.faults = false;
		this.broken.clear();
		for (const url of this.gone) this.site.push(url);
		const open = () => this.site.filter((url) => !this.n8n.account.known.has(url));
		// A poll reads a few pages at most.
		for (let round = 0; round < 10 && (round === 0 || open().length > 0); round++) {
			await this.n8n.settle(() => this.beginPoll());
		}
		expect([this.seed, ...open()]).toEqual([this.seed]);
	}

	get totals() {
		return { ...this.n8n.counts, ...this.counts };
	}

	private grow(): void {
		// Short, as digests are: the state keeps only their beginning.
		this.site.push(`u${String(this.made++).padStart(7, '0')}`);
	}

	private async step(): Promise<void> {
		const { rng } = this;
		const dice = rng.next();
		if (dice < 0.12) this.grow();
		else if (dice < 0.17) this.vanish();
		else if (dice < 0.22) this.comeBack();
		else if (dice < 0.26) this.site.sort(() => rng.next() - 0.5);
		else if (dice < 0.28) this.change();
		else if (dice < 0.32) this.broken.add(this.site[rng.below(this.site.length)]);
		else if (dice < 0.34) this.broken.clear();
		else if (dice < 0.38) this.restart();
		else if (dice < 0.62) {
			if (!this.n8n.isPolling || (this.n8n.mode === 'default' && rng.chance(0.4))) this.beginPoll();
		} else await this.n8n.openGate();
		await new Promise((resolve) => setImmediate(resolve));
	}

	private vanish(): void {
		if (this.site.length < 2) return;
		this.gone.push(...this.site.splice(this.rng.below(this.site.length), 1));
	}

	private comeBack(): void {
		const [url] = this.gone.splice(this.rng.below(this.gone.length), 1);
		if (url === undefined) return;
		this.counts.returned++;
		this.site.push(url);
	}

	private change(): void {
		if (this.n8n.isPolling) return;
		this.settings++;
		this.n8n.publish();
		this.beginPoll();
	}

	private restart(): void {
		this.n8n.restart(this.rng.chance(0.3));
		this.beginPoll();
	}

	private beginPoll(): void {
		let listed: string[] | undefined;
		const read = new Set<string>();
		const list = `settings ${this.settings}`;
		this.n8n.begin(
			async (store) =>
				await pollSite({
					store,
					log: { info: () => undefined, warn: () => undefined },
					now: () => 0,
					// A poll's time doesn't run out, however long its requests take.
					wait: async () => await new Promise(() => undefined),
					budgetMs: 40_000,
					leastMs: 100,
					random: this.rng.next,
					nothingRead: (reason) => new Error(`fault: ${reason}`),
					settings: {
						scope: 'site',
						urls: [],
						leastChange: 1,
						reportChanges: true,
						reportFailures: true,
						failuresNeeded: FAILURES_NEEDED,
					},
					list,
					most: this.withPages ? 1 + this.rng.below(4) : 0,
					find: async () => {
						await this.n8n.gate();
						if (this.faults && this.rng.chance(0.1)) throw new Error('fault');
						const part = this.faults && this.rng.chance(0.1) ? this.rng.next() / 2 : 1;
						listed = this.site.slice(0, Math.floor(part * this.site.length));
						await this.n8n.gate();
						return listed.map(pageOf);
					},
					read: async (url) => {
						await this.n8n.gate();
						if (this.faults && this.rng.chance(0.05)) throw new Error('fault');
						if (this.broken.has(url)) return { kind: 'failed', reason: 'blocked' };
						read.add(url);
						return { kind: 'read', text: url, hash: url, content: { content: url } };
					},
				}).catch((error: Error) => {
					// The list was not believed: nothing may be emitted or forgotten.
					if (!error.message.startsWith('The list of the site')) throw error;
					expect([this.seed, isLost(listed!, list, this.n8n.account)]).toEqual([this.seed, true]);
					this.counts.unbelieved++;
					throw new Error('fault');
				}),
			(reports, before) => this.check(reports, listed!, read, list, before),
		);
	}

	private check(
		reports: Array<Record<string, unknown>>,
		listed: string[],
		read: Set<string>,
		list: string,
		before: Account,
	): void {
		const { account } = this.n8n;
		for (const { url, event, content } of reports as Array<Record<string, string>>) {
			this.counts.emitted++;
			const where = [this.seed, url, event];
			expect([...where, account.known.has(url), this.emitted.has(url)]).toEqual([
				...where,
				false,
				false,
			]);
			expect([...where, listed.includes(url)]).toEqual([...where, true]);
			if (event === 'failed') this.counts.unread++;
			else if (this.withPages) expect([...where, content]).toEqual([...where, url]);
			this.emitted.add(url);
			account.known.add(url);
		}
		const isSame = before.list === list;
		expect([this.seed, isLost(listed, list, before)]).toEqual([this.seed, false]);
		if (!isSame) {
			// Other settings, or none so far: it only looks around, and emits what waits.
			this.counts.looks++;
			for (const { url } of reports) {
				expect([this.seed, url, before.waiting.has(url as string)]).toEqual([this.seed, url, true]);
			}
			for (const url of listed) if (!account.waiting.has(url)) account.known.add(url);
		}
		for (const url of account.known) account.waiting.delete(url);
		for (const url of listed) if (!account.known.has(url)) account.waiting.add(url);
		Object.assign(account, { list, listed: listed.length });
		// The promise: what was listed is known now, and where pages are wanted, what of it was read.
		for (const url of this.withPages ? read : listed) {
			this.counts.checked++;
			expect([this.seed, url, account.known.has(url)]).toEqual([this.seed, url, true]);
		}
	}
}

describe('new pages of a site under random histories', () => {
	it('are emitted exactly once each', async () => {
		const total = await totalOf(SEEDS, async (seed) => {
			const world = new World(seed);
			await world.run();
			return world.totals;
		});
		// The histories must have covered what they are for.
		expect(total.kills).toBeGreaterThan(SEEDS);
		expect(total.overlaps).toBeGreaterThan(SEEDS);
		expect(total.failed).toBeGreaterThan(SEEDS);
		expect(total.emitted).toBeGreaterThan(SEEDS * 3);
		expect(total.unread).toBeGreaterThan(SEEDS / 10);
		expect(total.unbelieved).toBeGreaterThan(SEEDS / 4);
		expect(total.looks).toBeGreaterThan(SEEDS);
		expect(total.returned).toBeGreaterThan(SEEDS);
		expect(total.checked).toBeGreaterThan(SEEDS * 20);
	}, 600_000);
});
