import type { PollTools } from './runPoll';

/** The jobs to work through in one poll, and how to work on each. */
export interface JobRound<Job, Result> {
	jobs: Job[];
	/** Does one job. Once a job throws, no other one is started. */
	work(job: Job): Promise<Result>;
	/** Receives a job's result, unless it came too late. */
	take(job: Job, result: Result): void;
	atOnce: number;
	mayBegin?(): boolean;
	/** When the last job may start, and when the round ends (ms since 1970). */
	beginBy: number;
	finishBy: number;
}

/** Does as many of the jobs as time allows, and ends in time whatever a job does. */
export async function workThrough<Job, Result>(
	round: JobRound<Job, Result>,
	{ now, wait }: Pick<PollTools, 'now' | 'wait'>,
): Promise<{ late: Job[]; failure?: { job: Job; error: unknown } }> {
	const open = new Set<Job>();
	const over = new AbortController();
	let failure: { job: Job; error: unknown } | undefined;
	const remaining = [...round.jobs];
	const mayBegin = () =>
		!over.signal.aborted &&
		failure === undefined &&
		now() < round.beginBy &&
		round.mayBegin?.() !== false;
	const worker = async () => {
		while (remaining.length > 0 && mayBegin()) {
			const job = remaining.shift()!;
			open.add(job);
			try {
				const outcome = await round.work(job);
				if (!over.signal.aborted) round.take(job, outcome);
			} catch (error) {
				if (!over.signal.aborted) failure ??= { job, error };
			} finally {
				open.delete(job);
			}
		}
	};
	const all = Promise.all(Array.from({ length: round.atOnce }, worker));
	// A job that hangs must not take the others down with it: durable mode drops a poll that is late.
	await Promise.race([all, wait(round.finishBy - now(), over.signal)]);
	over.abort();
	return { late: [...open], failure };
}
