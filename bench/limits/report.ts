import { CONCURRENCY } from '../../nodes/shared/transport/limits/concurrency';
import { PACE } from '../../nodes/shared/transport/limits/pace';
import { FEW } from '../../nodes/shared/transport/limits/span';
import { WINDOWS } from '../../nodes/shared/transport/limits/windows';
import { CHANGES, HINTS, MACHINES, SMALL_LATENCIES, WORKERS_LATER_MS } from './cases';
import { USUAL } from './process';
import type { Hint } from './service';
import type { Result, Summary } from './simulate';

/** All that the document shows. */
export interface Measured {
	all: Array<{ limit: string; hint: Hint; row: Summary[] }>;
	buckets: Array<{ requests: number; burst: number; row: Summary[] }>;
	many: Array<{ limit: string; row: Summary[] }>;
	crowd: Array<{ limit: string; row: Summary[] }>;
	busy: Array<{ limit: string; hint: Hint; row: Summary[] }>;
	workers: Array<{ limit: string; hint: Hint; row: Summary[] }>;
	rested: Array<{ limit: string; row: Summary[] }>;
	changed: Array<{ limit: string; hint: Hint; row: Summary[] }>;
	random: Array<{ now: number; second: number; seconds: number[] }>;
	rivals: Array<{ name: string; row: Array<{ limit: string; summaries: Summary[] }> }>;
	polled: Array<{ hint: Hint; results: Result[] }>;
	quick: Array<{ items: number; latencyMs: number; ratios: number[] }>;
}

const percent = (share: number) => `${Math.round(100 * share)} %`;

const table = (head: string[], rows: string[][]) =>
	[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const summary = ({ share, worst, rejected }: Summary) =>
	`${share.toFixed(2)} (${worst.toFixed(2)}), ${percent(rejected)}`;

const short = ({ share, rejected }: Summary) => `${share.toFixed(2)}, ${percent(rejected)}`;

const median = (values: number[]) => values.sort((a, b) => a - b)[(values.length - 1) / 2];

const HOW = `A limit belongs to the account (base URL and API key), and so does the limiter: all executions and nodes in an n8n process share it. Each endpoint
has a pace of its own, so that polls don't wait for starts, and the node runs take turns.

- Before the first 429 nothing is known of the limit. ${CONCURRENCY.start} calls may be in flight, more while all goes well (up to ${CONCURRENCY.max}), fewer when calls take longer the
  more of them there are (after Gradient2 of Netflix's _concurrency-limits_), half after a 503. Where fewer make calls no quicker, as on a slower
  site, or where n8n itself is busy, that is not for their number, and as many as before may be in flight.
- After a 429 nothing is sent until the wait is over that it names: in seconds, as a date, or in its text. Without one, a single call finds out after 0.1,
  0.25, 0.5, 1, 2, 3, 5, 10 … seconds, and 5, 10, 20 … seconds after the first call that counted, too: a window of time may have begun with it. Where a pace is known,
  the first wait is 0.1 seconds, and single calls find out if all is rejected after it.
- An accepted call that left after a rejected one ends the pause: the rejected one was only overtaken. Before a limit is known, such 429s are taken for
  accidents, up to ${percent(PACE.accidents)} of the responses.
- A few 429s at a pace far below one that was accepted are accidents, too: slower calls would not stop them. After ${FEW.least} of them
  whose pauses cost calls, the next ones leave three times as fast, and so on after each ${FEW.least}, until more than ${percent(PACE.laterAccidents)} are rejected.
- Where at least ${FEW.least} were accepted and ${FEW.calls} answered before a pause of half a second to two, and none to speak of after the first 429, the limit is taken for one per second: as many calls
  leave at once each second, and a little later the longer calls take, since they take unequal times. No second ever has more, also where n8n was busy in the middle
  of one (a sliding window log). The first second after a pause shows how many fit, 429s in later ones that the seconds come too early. Where hardly anything
  fits, or even ${WINDOWS.longest.toLocaleString('en-US')} ms are too early, it is no such limit. Where calls are quicker than ${WINDOWS.proof.quick} ms, half as many more follow once, in the second second: a
  token bucket that is refilled with more than it takes at once looks like such a limit, and takes them. After many full ones more calls are tried, sooner where they are few or became
  fewer, as where others share the limit, or where the last trial went well, as the limit may have been raised. Where others took all before, what they leave
  tells nothing: ${FEW.calls} calls are tried at once.
- Where a pause is longer than 3 seconds, the limit is one per window: as many calls as the last window took leave at once, then one more at a time, but none
  sooner than a window after the call of the last one whose place it takes (a sliding window log again). Where the next window takes much less, it is no such limit. A window may
  have begun before the run did, so that the first pause is short: then the first pause that is longer than the time in which calls left shows the window.
- Otherwise calls leave evenly, at the rate at which they were accepted, a little below. Each 429 makes that slower, by as much as was rejected, at most by a
  fifth where the pace is younger than two seconds. After some time at the pace, in one run or in several, a faster one is tried, the more seldom the more a 429 costs, and sooner far below a pace that
  was rejected; what was measured from few calls grows quickly. Each step that goes well makes the next one bolder. One that is rejected is taken back, and
  the next is smaller. Calls that leave evenly never leave closer together than that: some limits take no two calls at once.
- After a pause of half a second or more a token bucket is full. So what is accepted from then until the next 429, but for what fits at once, is what it is refilled
  with: where that is less than the pace, calls leave at that rate, and steps are half as large.
- Nothing is learned from time in which no calls were there to leave: what is measured begins with each run until a limit is known, and ten seconds
  ago at the latest, or a minute where windows are so long.`;

const CONDITIONS = `Share of the pace of a client that knows the limit and needs no time for anything but the latency: median (worst) of nine seeds, then 429s per item. 1,000
items, 600 where a limit isn't per second. The columns are the mean time of a call: half of it passes before the service counts it, and each way takes between half
and one and a half times its mean. n8n needs ${USUAL.sendingMs} ms to send a call, and does nothing else meanwhile.`;

const SOURCES = `- _AWS adaptive_: the adaptive retry mode of the AWS SDKs (DefaultRateLimiter of smithy-typescript): a token bucket whose rate drops to 70 % with a 429 and comes
  back along a cubic curve.
- _AIMD_: the same bucket, half after a 429, one call per second more each second (Chiu and Jain, as in TCP Reno).
- _Learned quota_: what was accepted before the first 429, over the time until calls are accepted again, 5 % slower with each further one. An earlier version of this
  package paced like that.
- _Backoff only_: full speed again after each pause.

All with the same limiter around them, obeying the same waits. Measuring what is accepted instead of searching for it by halving is the idea of BBR and of goodput-based
congestion control; the flat part of CUBIC is the pace that is kept here until a trial is worth its cost. Bursts at the beginning of each second come from the
fixed window counters of services: unlike an even pace, they leave a gap between what two seconds count, so that calls of unequal length aren't rejected.`;

const BOUNDS = `- A Retry-After in whole seconds costs half a second each time, a date and a wait in words up to one more. The pause of one obeyed 429 is a twentieth of
  1,000 items at 50 per second. A bucket of 5 looks like 5 per second until faster paces were tried, each at the price of a pause.
- With calls of 2 s, and each between 1 and 3, what left at once arrives over more than a second: calls leave evenly then, and of 50 per second some are rejected
  at any pace close to it.
- Where a limit is used up in one go, what was in flight at the first 429 is rejected: of 600 items some 80, and more where the limit is larger.
- A bucket that fills up in a minute names the same wait of a second as a limit per second does, so that as many are rejected once more before it is told from one.
- Without a wait, a limit of a few seconds is only known as exactly as single calls find its end.`;

/** The document. */
export function markdown({
	all,
	buckets,
	many,
	crowd,
	busy,
	workers,
	rested,
	changed,
	random,
	rivals,
	polled,
	quick,
}: Measured): string {
	const latencies = ['0 ms', '300 ms', '2,000 ms'];
	const four = ['seconds, 0 ms', 'seconds, 300 ms', 'none, 0 ms', 'none, 300 ms'];
	const rivalLimits = rivals[0].row.map(({ limit }) => limit);
	return [
		'# Rate limits',
		'Written by `npm run bench:limits`; not edited by hand.',
		HOW,
		'## What is reached',
		CONDITIONS,
		table(
			['Limit', 'Wait named', ...latencies],
			all.map(({ limit, hint, row }) => [limit, HINTS[hint], ...row.map(summary)]),
		),
		'Token buckets that take fewer calls at once than they are refilled with in a second; as many items as in 20 seconds:',
		table(
			[
				'Per second',
				'At once',
				...['seconds', 'none'].flatMap((hint) => SMALL_LATENCIES.map((ms) => `${hint}, ${ms} ms`)),
			],
			buckets.map(({ requests, burst, row }) => [`${requests}`, `${burst}`, ...row.map(summary)]),
		),
		'3,000 items:',
		table(
			['Limit', ...four],
			many.map(({ limit, row }) => [limit, ...row.map(summary)]),
		),
		'15 executions at once, 40 items each, one account:',
		table(
			['Limit', ...four],
			crowd.map(({ limit, row }) => [limit, ...row.map(summary)]),
		),
		`Where n8n needs ${MACHINES.slow.sendingMs} ms to send a call (slow), or ${MACHINES.busy.sendingMs} ms and has other work to do, about once a second for ${MACHINES.busy.other.forMs} ms on average (busy):`,
		table(
			['Limit', 'Wait named', 'slow, 0 ms', 'slow, 300 ms', 'busy, 0 ms', 'busy, 300 ms'],
			busy.map(({ limit, hint, row }) => [limit, HINTS[hint], ...row.map(summary)]),
		),
		'Two n8n workers that share an account, but not what they learn of it: 20 executions of 40 items in one queue, five at once in each worker, 300 ms; the second worker begins later by:',
		table(
			['Limit', 'Wait named', ...WORKERS_LATER_MS.map((ms) => `${ms.toLocaleString('en-US')} ms`)],
			workers.map(({ limit, hint, row }) => [limit, HINTS[hint], ...row.map(summary)]),
		),
		'A run of 300 items after 30 of 10, one every two minutes:',
		table(
			['Limit', 'seconds, 300 ms', 'seconds, 2,000 ms', 'none, 300 ms', 'none, 2,000 ms'],
			rested.map(({ limit, row }) => [limit, ...row.map(summary)]),
		),
		'A limit that is raised or lowered, each one for half a minute and the last to the end; as many items as a perfect client sends in that time, 300 ms:',
		table(
			['Limit', 'Wait named', ...CHANGES.map((perSecond) => `${perSecond.join(' → ')} per second`)],
			changed.map(({ limit, hint, row }) => [
				limit.replace(/^.*, /, ''),
				HINTS[hint],
				...row.map(summary),
			]),
		),
		'429s that no pace stops, as where a service is short of something else; the time of 3,000 items of 20 ms, median (worst) of nine seeds:',
		table(
			['With Retry-After: 0', 'With Retry-After: 1', 'Seconds'],
			random.map(({ now, second, seconds }) => [
				percent(now),
				percent(second),
				`${Math.round(median(seconds))} (${Math.round(Math.max(...seconds))})`,
			]),
		),
		'30 jobs of two minutes, 2 starts and 500 polls a minute allowed:',
		table(
			['Wait named', 'Share', '429s per job'],
			polled.map(({ hint, results }) => [
				HINTS[hint],
				median(results.map(({ share }) => share)).toFixed(2),
				median(results.map(({ rejected }) => rejected)).toFixed(2),
			]),
		),
		'## A quick start',
		'No limit; time beside a client that sends all at once, median of nine seeds:',
		table(
			['Items', 'Latency', 'Times as long'],
			quick.map(({ items, latencyMs, ratios }) => [
				items.toLocaleString('en-US'),
				`${latencyMs} ms`,
				median(ratios).toFixed(2),
			]),
		),
		'## Why this one',
		'Median share and 429s per item, 300 ms, wait in seconds / none:',
		table(
			['', ...rivalLimits],
			rivals.map(({ name, row }) => [
				name,
				...row.map(({ summaries }) => summaries.map(short).join(' / ')),
			]),
		),
		SOURCES,
		'## What bounds it',
		BOUNDS,
		'',
	].join('\n\n');
}
