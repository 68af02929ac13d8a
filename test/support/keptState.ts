/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { randomOf } from '../../mock-service/random';
import { inTurn } from '../../nodes/shared/trigger/pollTurns';

/** Returns a generator of numbers that depend only on the seed. */
export function random(seed: number) {
	const next = randomOf(seed * 2654435761 + 1);
	return { next, chance: (p: number) => next() < p, below: (n: number) => Math.floor(next() * n) };
}

/** The schedulers of n8n; `unsaved` is the durable one without durable cursors. */
export type Mode = 'default' | 'durable' | 'unsaved';

interface PollOfN8n<Account> {
	/** What the state that the poll began with can know. */
	known: Account;
	data: { state?: unknown };
}

let processes = 0;

/**
 * Simulates what n8n keeps of a polling trigger's state, poll by poll and restart by restart, together with an account
 * of what that state can know. A poll is in flight until its gates have been opened, in any order.
 */
export class KeptState<Account> {
	private live: { state?: unknown } = {};
	private saved?: string;
	private isPublished = false;
	private hasPolled = false;
	private savedAccount: Account;
	/** The poll in flight; one that overlaps it leaves the work to it. */
	private current?: PollOfN8n<Account>;
	private process = ++processes;
	private readonly gates: Array<() => void> = [];
	/** The first expectation that failed inside a poll. */
	broken: unknown;
	readonly counts = { polls: 0, kills: 0, overlaps: 0, failed: 0 };

	constructor(
		readonly mode: Mode,
		public account: Account,
		private readonly below: (n: number) => number,
	) {
		this.savedAccount = structuredClone(account);
	}

	/** Must be awaited by everything in a poll that takes time. */
	gate = async () => await new Promise<void>((resolve) => this.gates.push(resolve));

	get isIdle(): boolean {
		return this.gates.length === 0;
	}

	get isPolling(): boolean {
		return this.current !== undefined;
	}

	get stateSize(): number {
		return this.saved?.length ?? 0;
	}

	async openGate(): Promise<void> {
		const [open] = this.gates.splice(this.below(this.gates.length), 1);
		open?.();
		await new Promise((resolve) => setImmediate(resolve));
	}

	/** Lets everything end, with some more polls. Throws the first expectation that failed on the way. */
	async settle(beginPoll: () => void): Promise<void> {
		for (let round = 0; round < 4; round++) {
			while (!this.isIdle) await this.openGate();
			beginPoll();
		}
		while (!this.isIdle) await this.openGate();
		if (this.broken) throw this.broken;
	}

	/**
	 * Starts a poll. Unless n8n was killed, `emit` is called at its end with its results, or `keep` if it failed and n8n
	 * goes on with the stored state.
	 */
	begin<Report>(
		poll: (
			store: { read(): unknown; write(state: unknown): void },
			begin: 'start' | 'publication' | undefined,
		) => Promise<Report[]>,
		emit: (reports: Report[], known: Account) => void,
		keep: () => void = () => undefined,
	): void {
		this.counts.polls++;
		// Only polls in default mode share one object; the others each get a copy of what is saved.
		const shared = this.mode === 'default';
		const data = shared ? this.live : { state: this.saved && JSON.parse(this.saved) };
		const own: PollOfN8n<Account> = { known: structuredClone(this.account), data };
		const store = {
			read: () => data.state,
			write: (state: unknown) => {
				if (this.current === own) data.state = deepFrozen(state);
			},
		};
		const context = {
			getWorkflow: () => ({ id: `process ${this.process}` }),
			getNode: () => ({ id: 'trigger' }),
			logger: { info: () => this.counts.overlaps++ },
		} as unknown as IPollFunctions;
		inTurn(context, { data: data as IDataObject, scope: '' }, async () => {
			expect(this.current).toBeUndefined();
			this.current = own;
			return await poll(store, this.beginning);
		})
			.then(
				(reports) => this.end(own, reports, emit, keep),
				(error) => {
					// Only faults of the service may end a poll.
					expect(error.message).toMatch(
						/^(fault|HTTP|Crawls? .* can’t be read: (HTTP|The service))/,
					);
					this.counts.failed++;
					this.end(own, undefined, emit, keep);
				},
			)
			.catch((broken) => (this.broken ??= broken));
	}

	private end<Report>(
		own: PollOfN8n<Account>,
		reports: Report[] | undefined,
		emit: (reports: Report[], known: Account) => void,
		keep: () => void,
	): void {
		if (this.current !== own) return;
		this.current = undefined;
		if (!reports) {
			if (this.mode === 'default') keep();
			return;
		}
		emit(reports, own.known);
		this.hasPolled = true;
		const atPublication = !this.isPublished;
		this.isPublished = true;
		const isSaved =
			reports.length > 0 ||
			(this.mode === 'durable' && !atPublication) ||
			(this.mode !== 'durable' && atPublication);
		if (isSaved) {
			this.live = own.data;
			this.save();
		} else if (this.mode !== 'default') {
			this.account = structuredClone(this.savedAccount);
		}
	}

	/** What the node learns about n8n's start, which durable mode doesn't reveal. */
	get beginning(): 'start' | 'publication' | undefined {
		if (this.mode !== 'default' || this.hasPolled) return undefined;
		return this.isPublished ? 'start' : 'publication';
	}

	/** Simulates that the workflow is published with other settings: n8n saves the next poll that succeeds. */
	publish(): void {
		this.isPublished = false;
		this.hasPolled = false;
	}

	private save(): void {
		this.saved = this.live.state === undefined ? undefined : JSON.stringify(this.live.state);
		this.savedAccount = structuredClone(this.account);
	}

	/** Simulates kill -9, or an orderly stop that saves; a poll in flight dies with the process. */
	restart(isOrderly: boolean): void {
		this.counts.kills++;
		if (this.mode === 'default' && isOrderly && this.isPublished && !this.isPolling) this.save();
		this.current = undefined;
		this.hasPolled = false;
		this.process = ++processes;
		this.gates.length = 0;
		this.live = { state: this.saved === undefined ? undefined : JSON.parse(this.saved) };
		this.account = structuredClone(this.savedAccount);
	}
}

function deepFrozen<T>(value: T): T {
	if (typeof value === 'object' && value !== null) {
		Object.values(value).forEach(deepFrozen);
		Object.freeze(value);
	}
	return value;
}
