import { sleep, type IExecutePaginationFunctions } from 'n8n-workflow';

import { nodeErrorOf, type NodeError } from './errors';
import { Stretch, turns } from './turns';

/** What the check of an item gave. */
type Checked<Prepared> = { prepared: Prepared } | { error: NodeError };

/** An item that n8n has started, and what composes and checks it. */
interface Item<Prepared> {
	context: IExecutePaginationFunctions;
	prepare: (context: IExecutePaginationFunctions) => Prepared;
}

/**
 * Checks all items of a node run before any is sent, in short stretches, so that n8n goes on serving others meanwhile.
 * With Settings → Request Options → Batching n8n starts the items little by little; they are checked ahead of that.
 */
export class Checklist {
	/** Whether an item can't be sent. */
	hasError = false;

	private readonly started = new Map<number, Item<unknown>>();

	private readonly checked = new Map<number, Checked<unknown>>();

	private allChecked?: Promise<void>;

	constructor(private readonly items: number) {}

	/** What `prepare` gives for an item, once all items are checked. Throws the NodeError of the item. */
	async prepared<Prepared>(
		context: IExecutePaginationFunctions,
		prepare: Item<Prepared>['prepare'],
	): Promise<Prepared> {
		const itemIndex = context.getItemIndex();
		const item = { context, prepare };
		this.started.set(itemIndex, item);
		this.allChecked ??= this.checkAll(itemIndex);
		await this.allChecked;
		await turns.take();
		const checked = (this.checked.get(itemIndex) ?? this.check(item)) as Checked<Prepared>;
		this.checked.delete(itemIndex);
		if ('error' in checked) throw checked.error;
		return checked.prepared;
	}

	private async checkAll(firstIndex: number): Promise<void> {
		// n8n starts all items in one go, before any timer fires.
		await sleep(0);
		const first = this.started.get(firstIndex)!;
		const stretch = new Stretch();
		for (let index = firstIndex; index < this.items || this.started.has(index); index++) {
			const item = this.started.get(index) ?? itemAt(first, index);
			if (item === undefined) return;
			this.checked.set(index, this.check(item));
			await stretch.breathe();
		}
	}

	private check({ context, prepare }: Item<unknown>): Checked<unknown> {
		try {
			return { prepared: prepare(context) };
		} catch (error) {
			this.hasError = true;
			return { error: nodeErrorOf(error, context.getNode(), context.getItemIndex()) };
		}
	}
}

/** An item that n8n has yet to start, made of another one; undefined where n8n's contexts don't allow that. */
function itemAt({ context, prepare }: Item<unknown>, itemIndex: number): Item<unknown> | undefined {
	const other = Object.create(context, {
		itemIndex: { value: itemIndex },
	}) as IExecutePaginationFunctions;
	return other.getItemIndex() === itemIndex ? { context: other, prepare } : undefined;
}
