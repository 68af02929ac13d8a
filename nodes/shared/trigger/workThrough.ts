import type { PollTools } from './pollTools';

/** Work on many things within the time of one poll. */
export interface Round<Job, Result> {
	jobs: Job[];
	/** Does one job. What it throws ends the round. */
	work(job: Job): Promise<Result>;
	/** Jobs at the same time. */
	atOnce: number;
	/** Whether a further job may begin. */
	mayBegin?(): boolean;
	/** No job begins later than this, and the round is over then (ms since 1970). */
	beginBy: number;
	finishBy: number;
	/** How long (ms) the others have to end once a job has thrown. */
	graceMs: number;
}

export interface RoundResult<Job, Result> {
	done: Map<Job, Result>;
	/** Jobs that had begun when the time was up. What still becomes of them is lost. */
	late: Job[];
	/** What a job has thrown. */
	failure?: { job: Job; error: unknown };
}

/** Does as many of the jobs as there is time for, and ends in time whatever a job does. */
export async function workThrough<Job, Result>(
	round: Round<Job, Result>,
	{ now, wait }: Pick<PollTools, 'now' | 'wait'>,
): Promise<RoundResult<Job, Result>> {
	const open = new Set<Job>();
	const over = new AbortController();
	const result: RoundResult<Job, Result> = { done: new Map(), late: [] };
	const remaining = [...round.jobs];
	const mayBegin = () =>
		!over.signal.aborted &&
		result.failure === undefined &&
		now() < round.beginBy &&
		round.mayBegin?.() !== false;
	let giveUp = () => {};
	const isGivenUp = new Promise<void>((resolve) => (giveUp = resolve));
	const worker = async () => {
		while (remaining.length > 0 && mayBegin()) {
			const job = remaining.shift()!;
			open.add(job);
			try {
				const outcome = await round.work(job);
				if (!over.signal.aborted) result.done.set(job, outcome);
			} catch (error) {
				if (!over.signal.aborted) result.failure ??= { job, error };
				giveUp();
			} finally {
				open.delete(job);
			}
		}
	};
	const all = Promise.all(Array.from({ length: round.atOnce }, worker));
	// One that hangs must not take the others with it: durable mode drops a poll that is late.
	await Promise.race([
		all,
		wait(round.finishBy - now(), over.signal),
		isGivenUp.then(async () => await wait(round.graceMs, over.signal)),
	]);
	over.abort();
	result.late = [...open];
	return result;
}
