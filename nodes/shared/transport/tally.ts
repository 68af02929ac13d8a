import { isUnsent, type NodeError } from './errors';

/** What became of the items of a node run, for the errors of those that failed. */
export class Tally {
	private started = 0;

	private open = 0;

	private finished = 0;

	private notSent = 0;

	private failed = 0;

	/** The errors of those that failed, which items that share a job have in common, with what they said at first. */
	private readonly failures = new Map<NodeError, string>();

	/** Whether an item failed. */
	get hasFailed(): boolean {
		return this.failures.size > 0;
	}

	start(): void {
		this.started++;
		this.open++;
	}

	finish(): void {
		this.finished++;
		this.close();
	}

	skip(): void {
		this.notSent++;
		this.close();
	}

	fail(error: NodeError): void {
		if (isUnsent(error)) this.notSent++;
		else this.failed++;
		if (!this.failures.has(error)) this.failures.set(error, error.description ?? '');
		this.close();
	}

	/** An item is done; after the last one, errors get the count of what became of the others. */
	private close(): void {
		this.open--;
		if (this.open > 0 || this.started < 2) return;
		for (const [error, description] of this.failures) {
			error.description = `${description} ${this.text()}`.trim();
		}
	}

	private text(): string {
		const counts = `Of ${this.started} items, ${this.finished} had finished, ${this.failed} failed and ${this.notSent} were not sent.`;
		if (this.finished === 0) return counts;
		return `${counts} Finished results are not passed on, because the node stops on errors: set On Error to “Continue (using error output)” to keep them. Retry On Fail does not pay again for what came back; running the workflow again does.`;
	}
}
