import type { NodeError } from '../../errors/nodeErrors';

/** Counts how a node run's items ended, for the errors of those that failed. */
export class Tally {
	private started = 0;
	private finished = 0;
	private unsent = 0;
	private failed = 0;
	/** Maps the errors of failed items to their original texts. */
	private readonly failures = new Map<NodeError, string>();

	get isOver(): boolean {
		return this.started === this.finished + this.unsent + this.failed;
	}

	start(): void {
		this.started++;
	}

	finish(): void {
		this.finished++;
	}

	/** Counts an item that was not sent, because another one failed. */
	skip(): void {
		this.unsent++;
	}

	fail(error: NodeError, isUnsent: boolean): void {
		if (isUnsent) this.unsent++;
		else this.failed++;
		if (!this.failures.has(error)) this.failures.set(error, error.description ?? '');
	}

	/** Adds to the errors what became of the other items. */
	tellFailures(): void {
		if (this.started < 2) return;
		for (const [error, description] of this.failures) {
			error.description = `${description} ${this.text()}`.trim();
		}
	}

	private text(): string {
		const counts = `Of ${this.started} items, ${this.finished} had finished, ${this.failed} failed and ${this.unsent} were not sent.`;
		if (this.finished === 0) return counts;
		return `${counts} Finished results are not passed on, because the node stops on errors: set On Error to “Continue (using error output)” to keep them. Retry On Fail does not pay again for finished results; running the workflow again does.`;
	}
}
