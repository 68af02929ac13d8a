/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/**
 * Random histories of a search's results, faults, overlapping polls and n8n restarts against the trigger's poll, checked
 * after every poll against an account of what n8n kept and the service showed.
 */
import { type FoundResult, pollSearch } from '../../../nodes/WebDataSearchTrigger/poll';
import { KeptState, type Mode, random } from '../../support/keptState';
import { seedCount, totalOf } from '../../support/seeds';

const SEEDS = seedCount(25);
const STEPS = 150;

/** What n8n's stored state can know: what was there at first or was emitted, with its text then. */
interface Account {
	hasBegun: boolean;
	known: Map<string, string>;
}

const idOf = (index: number) => `result${String(index).padStart(2, '0')}`;

class World {
	private readonly rng: ReturnType<typeof random>;
	private readonly n8n: KeptState<Account>;
	private shown: FoundResult[] = [];
	private made = 0;
	private versions = 0;
	private readonly lastTexts = new Map<string, string>();
	private faults = true;
	private readonly compareTexts: boolean;
	private readonly emitFirst: boolean;
	private readonly emitted = new Set<string>();
	readonly counts = { emitted: 0, changed: 0, checked: 0 };

	constructor(readonly seed: number) {
		this.rng = random(seed);
		const mode = (['default', 'durable', 'unsaved'] as Mode[])[seed % 3];
		this.n8n = new KeptState(mode, { hasBegun: false, known: new Map() }, this.rng.below);
		this.compareTexts = this.rng.chance(0.4);
		this.emitFirst = this.rng.chance(0.3);
		for (let left = this.rng.below(6); left > 0; left--) this.show();
	}

	async run(): Promise<void> {
		for (let step = 0; step < STEPS; step++) await this.step();
		this.faults = false;
		await this.n8n.settle(() => this.beginPoll());
	}

	get totals() {
		return { ...this.n8n.counts, ...this.counts };
	}

	get stateSize() {
		return this.n8n.stateSize;
	}

	private async step(): Promise<void> {
		const { rng } = this;
		const dice = rng.next();
		if (dice < 0.14) this.show();
		else if (dice < 0.2) this.hide();
		else if (dice < 0.26) this.showAgain();
		else if (dice < 0.32) this.retitle();
		else if (dice < 0.36) this.restart();
		else if (dice < 0.62) {
			if (!this.n8n.isPolling || (this.n8n.mode === 'default' && rng.chance(0.4))) this.beginPoll();
		} else await this.n8n.openGate();
		await new Promise((resolve) => setImmediate(resolve));
	}

	private show(): void {
		const identity = idOf(this.made++);
		this.shown.unshift({ identity, text: 'v000', result: { identity, text: 'v000' } });
	}

	private hide(): void {
		const hidden = this.shown[this.rng.below(this.shown.length)];
		this.shown = this.shown.filter(({ identity }) => identity !== hidden?.identity);
	}

	/** Shows a result again that was there before, or twice at once, the second time with another text. */
	private showAgain(): void {
		if (this.made === 0) return;
		const identity = idOf(this.rng.below(this.made));
		const isShown = this.shown.some((found) => found.identity === identity);
		const text = isShown ? 'x' : (this.lastTexts.get(identity) ?? 'v000');
		this.shown.push({ identity, text, result: { identity, text } });
	}

	private retitle(): void {
		const found = this.shown[this.rng.below(this.shown.length)];
		if (!found) return;
		const text = `v${String(++this.versions).padStart(3, '0')}`;
		const { identity } = found;
		this.lastTexts.set(identity, text);
		this.shown = this.shown.map((other) =>
			other.identity === identity ? { identity, text, result: { identity, text } } : other,
		);
	}

	private restart(): void {
		this.n8n.restart(this.rng.chance(0.3));
		this.beginPoll();
	}

	private beginPoll(): void {
		let found: FoundResult[] | undefined;
		this.n8n.begin(
			async (store) =>
				await pollSearch({
					store,
					log: { info: () => undefined, warn: () => undefined },
					settings: { scope: 'query', emitFirst: this.emitFirst, compareTexts: this.compareTexts },
					search: async () => {
						await this.n8n.gate();
						if (this.faults && this.rng.chance(0.15)) throw new Error('fault');
						found = [...this.shown];
						await this.n8n.gate();
						return found;
					},
				}),
			(reports, before) => this.check(reports, found, before),
		);
	}

	private check(
		reports: Array<Record<string, unknown>>,
		found: FoundResult[] | undefined,
		before: Account,
	): void {
		const { account } = this.n8n;
		for (const { event, identity, text } of reports as Array<Record<string, string>>) {
			this.counts.emitted++;
			const known = account.known.get(identity);
			const where = [this.seed, identity, text];
			if (event === 'new') {
				expect([...where, known, this.emitted.has(identity)]).toEqual([...where, undefined, false]);
			} else {
				this.counts.changed++;
				expect(this.compareTexts).toBe(true);
				// Never back to an older one: texts are numbered.
				expect([...where, text > known!]).toEqual([...where, true]);
			}
			this.emitted.add(identity);
			account.known.set(identity, text);
		}
		if (!found) return;
		const firsts = new Map([...found].reverse().map(({ identity, text }) => [identity, text]));
		if (!account.hasBegun) {
			account.hasBegun = true;
			for (const [identity, text] of firsts) account.known.set(identity, text);
			expect(reports.length).toBe(this.emitFirst ? firsts.size : 0);
			return;
		}
		if (!before.hasBegun) return;
		// The promise: what the service showed in this poll is known now, as it was shown.
		for (const [identity, text] of firsts) {
			this.counts.checked++;
			const known = account.known.get(identity);
			const isKnown = this.compareTexts ? known === text : known !== undefined;
			expect([this.seed, identity, isKnown]).toEqual([this.seed, identity, true]);
		}
	}
}

describe('the search trigger under random histories', () => {
	it('emits each new result exactly once', async () => {
		const total = await totalOf(SEEDS, async (seed) => {
			const world = new World(seed);
			await world.run();
			expect(world.stateSize).toBeLessThan(3_000);
			return world.totals;
		});
		// The histories must have covered what they are for.
		expect(total.kills).toBeGreaterThan(SEEDS);
		expect(total.overlaps).toBeGreaterThan(SEEDS);
		expect(total.failed).toBeGreaterThan(SEEDS);
		expect(total.emitted).toBeGreaterThan(SEEDS * 5);
		expect(total.changed).toBeGreaterThan(SEEDS);
		expect(total.checked).toBeGreaterThan(SEEDS * 20);
	}, 600_000);
});
