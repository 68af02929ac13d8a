import type { NodeError } from '../client/errors/nodeErrors';
import { ServiceError, type StartedJob, Stopped } from '../client/errors/serviceError';
import { plural } from '../base/text';

/** What is known about how an item ended. */
export interface Ending {
	/**
	 * `finished`: its results arrived. `failed`: it is over, without results. `running`: its job continues at the
	 * service. `unsure`: it was sent and may have been billed, but its result is lost. `unsent`: it was never sent.
	 */
	kind: 'finished' | 'failed' | 'running' | 'unsure' | 'unsent';
	/** The job that was started for it. */
	job?: StartedJob;
}

/** Maximum number of job IDs in an error; n8n's log has all of them. */
const MOST_NAMED = 10;

/** Returns the ending implied by an item's error. */
export function endingOf(error: unknown): Ending {
	if (error instanceof Stopped) {
		const { job, isUnsure } = error;
		return { kind: job ? 'running' : isUnsure ? 'unsure' : 'unsent', job };
	}
	if (!(error instanceof ServiceError)) return { kind: 'failed' };
	const { isUnsent, mayBeBilled, jobId, getBy, isRunning } = error.details;
	if (jobId !== undefined && getBy !== undefined) {
		return { kind: isRunning ? 'running' : 'failed', job: { id: jobId, getBy } };
	}
	return { kind: isUnsent ? 'unsent' : mayBeBilled ? 'unsure' : 'failed' };
}

/** How the items of a node run ended, for the errors of those that failed. */
export class Endings {
	private started = 0;
	private ended = 0;
	private readonly counted = new Map<Ending['kind'], number>();
	private readonly known = new Map<string, StartedJob>();
	/** The errors of failed items with their original descriptions. */
	private readonly failures = new Map<NodeError, string>();

	get isOver(): boolean {
		return this.started === this.ended;
	}

	begin(): void {
		this.started++;
	}

	/** Records an item's ending, and its error if n8n stops because of it. */
	end(ending: Ending, error?: NodeError): void {
		const { kind, job } = ending;
		this.ended++;
		this.counted.set(kind, this.count(kind) + 1);
		if (job) this.known.set(job.id, job);
		if (error && !this.failures.has(error)) this.failures.set(error, error.description ?? '');
	}

	/** The jobs whose results don't reach n8n, each listed once. */
	get jobs(): StartedJob[] {
		return [...this.known.values()];
	}

	/**
	 * Adds to the errors how the other items ended; until n8n has started the last one, only to the error that it
	 * shows. Thousands of items may fail at once, or one after another.
	 */
	describeFailures(isLast: boolean): void {
		if (this.started < 2) return;
		const summary = [this.counts, this.lost];
		for (const [error, description] of this.failures) {
			error.description = [description, ...summary, namedBeside(description, this.known)]
				.filter((text) => text !== '')
				.join(' ');
			if (!isLast) return;
		}
	}

	private count(kind: Ending['kind']): number {
		return this.counted.get(kind) ?? 0;
	}

	private get counts(): string {
		const [running, unsure, unsent] = [
			this.count('running'),
			this.count('unsure'),
			this.count('unsent'),
		];
		const parts = [`${this.count('finished')} had finished`, `${this.count('failed')} failed`];
		if (running > 0) parts.push(`${running} ${running === 1 ? 'goes' : 'go'} on at the service`);
		if (unsure > 0) parts.push(`${unsure} may have been billed`);
		if (unsent > 0) parts.push(`${unsent} ${unsent === 1 ? 'was' : 'were'} not sent`);
		return `Of ${this.started} items, ${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}.`;
	}

	private get lost(): string {
		if (this.count('finished') === 0) return '';
		return 'Finished results are not passed on, because the node stops on errors: set On Error to “Continue (using error output)” to keep them. Retry On Fail does not pay again for finished results; running the workflow again does.';
	}
}

/** Returns a sentence with the jobs that a description doesn't name, and how to get their results. */
function namedBeside(description: string, jobs: Map<string, StartedJob>): string {
	const said = new Set(description.match(/[\w-]+/g)?.filter((word) => jobs.has(word)));
	const count = jobs.size - said.size;
	if (count === 0) return '';
	const others: StartedJob[] = [];
	for (const job of jobs.values()) {
		if (others.length === MOST_NAMED) break;
		if (!said.has(job.id)) others.push(job);
	}
	const ids = others.map(({ id }) => id).join(', ');
	const more = count - others.length;
	const rest = more > 0 ? ` and ${more} more, which n8n's log names` : '';
	return `“${others[0].getBy}” gives the results of the other ${plural(count, 'job')} without paying again: ${ids}${rest}.`;
}
