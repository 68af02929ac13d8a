import { CONCURRENCY } from '../../nodes/shared/transport/limits/concurrency';
import { EVEN } from '../../nodes/shared/transport/limits/even';
import { PACE } from '../../nodes/shared/transport/limits/pace';
import { FEW, SECOND_MS } from '../../nodes/shared/transport/limits/span';
import { WINDOWS } from '../../nodes/shared/transport/limits/windows';
import {
	CHANGES,
	HINTS,
	MACHINES,
	OUTAGES_MS,
	SMALL_LATENCIES,
	UNEQUAL_ITEMS,
	WORKERS_LATER_MS,
} from './cases';
import { USUAL } from './process';
import type { Hint } from './service';
import type { Result, Summary } from './simulate';

/** All that docs/rate-limits.md shows. */
export interface Measured {
	all: Array<{ limit: string; hint: Hint; row: Summary[] }>;
	buckets: Array<{ requests: number; burst: number; row: Summary[] }>;
	many: Array<{ limit: string; row: Summary[] }>;
	crowd: Array<{ limit: string; row: Summary[] }>;
	busy: Array<{ limit: string; hint: Hint; row: Summary[] }>;
	workers: Array<{ limit: string; hint: Hint; row: Summary[] }>;
	rested: Array<{ limit: string; row: Summary[] }>;
	changed: Array<{ limit: string; hint: Hint; row: Summary[] }>;
	outages: Array<{ limit: string; row: Array<Array<{ first: number; third: number }>> }>;
	both: Array<{ limits: string; row: Summary[] }>;
	odd: Array<{ limit: string; row: Summary[] }>;
	random: Array<{ now: number; second: number; seconds: number[] }>;
	rivals: Array<{ name: string; row: Array<{ limit: string; summaries: Summary[] }> }>;
	polled: Array<{ hint: Hint; results: Result[] }>;
	quick: Array<{ items: number; latencyMs: number; ratios: number[] }>;
	spread: Array<{ times: string; row: number[][] }>;
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

- Before the first 429 nothing is known of the limit. ${CONCURRENCY.start} calls may be in flight: more while all goes well (up to ${CONCURRENCY.max}), fewer when calls
  take longer for two rounds in a row (after Gradient2 of Netflix's _concurrency-limits_, but by geometric means, as some pages take many times as long as
  others), half as many after a 503, when a call timed out in the service's queue for
  browsers, or when ${CONCURRENCY.broken.calls} calls in a row broke off or met an error of a proxy within ${CONCURRENCY.broken.ms / 1_000} seconds, as where a proxy takes no more. If calls are no faster with fewer in flight, as on a slower site or when n8n itself is busy, their number is not the reason, and as many as before
  may be in flight again.
- After a 429 nothing is sent until the wait that it names is over: in seconds, as a date, or in its text. If it names none, single calls probe after 0.1,
  0.25, 0.5, 1, 2, 3, 5, 10 … seconds, and also 5, 10, 20 … seconds after the first call that counted, as a window of time may have begun with it. Once a pace
  is known, all calls wait 0.1 seconds first, and single calls probe only if everything is rejected after that.
- If a call that left after a rejected one is accepted, the pause ends: the rejected one had only been overtaken. Before a limit is known, such 429s count as
  accidents, up to ${percent(PACE.accidents)} of the responses.
- A few 429s at a pace far below one that was accepted are accidents, too: slower calls would not prevent them. After ${FEW.least} of them
  whose pauses cost calls, the next calls leave three times as fast, and so on after every ${FEW.least} more, until more than ${percent(PACE.laterAccidents)} are rejected.
- A limit per second is assumed if at least ${FEW.least} calls were accepted and ${FEW.calls} answered before a pause of half a second to two, and next to none accepted
  after the first 429. Then as many calls leave at once each second, a little later the longer calls take, as they take unequal times. No second
  ever has more, even if n8n was busy in the middle of one (a sliding window log). In the first such second ${percent(WINDOWS.first.calls)} of the
  calls leave at once, the others when some of these are accepted, or after half a second: a token bucket that was full looks like such a limit, but takes
  hardly any more calls. The first second after a pause shows how many calls fit; 429s in later
  ones show that the seconds begin too early. If hardly anything fits, or even ${WINDOWS.longest.toLocaleString('en-US')} ms are too early, it is no such limit. If calls take less than ${WINDOWS.proof.quick} ms, half as
  many more follow once, in the second second: a token bucket that refills with more than it takes at once looks like such a limit, but accepts them.
- After many full seconds more calls are tried. That is sooner if they are few or became fewer, as where others share the limit, or if the last trial went
  well, as the limit may have been raised. If others had used up the limit before, so that next to nothing is accepted, what is left says nothing about it:
  ${FEW.calls} calls are tried at once.
- A pause longer than 3 seconds means a limit per longer window: as many calls as the last window accepted leave at once, then one more at a time, but none
  sooner than a window after the call of the last one whose place it takes (again a sliding window log). If the next window accepts much less, it is no such
  limit. A window may have begun before the run did, so that the first pause is short: then the window shows in the first pause that is longer than the time in
  which calls left.
- In such a window single calls probe at its end or after at least half of it; once two windows were equally long, only at the end. But in the first such
  pause, and again after 2, 4, 8, 8 … more, one call probes after a second. If it is accepted, calls go on, and one probes that early in every
  pause. If such a window then passes without a pause that lasts until its end, it was none: the service had been short of something, or the limit has changed.
- If nothing is accepted between two pauses, the wait was too short, or rejected calls count, too. So after each further pause a single call finds out whether
  anything is accepted again (before a limit is known, ${FEW.least} do); if it gets no response for ${PACE.alone / SECOND_MS} seconds, another one leaves. A long window in which nothing was
  accepted shows neither how long it is nor how much it takes. Calls that probe don't make the pace slower, either.
- Otherwise calls leave evenly, slightly slower than they were accepted. Each 429 slows them down by the share that was rejected, by at most a fifth if
  the pace is younger than two seconds. After some time at a pace, in one run or in several, a faster one is tried: the more rarely the more a 429 costs, but
  sooner if the pace is far below one that was rejected, later below ${1_000 * EVEN.slow} calls per second, where 429s show late that a step was too large, and in large
  steps if it was measured from few calls. Each step that goes well makes the next one
  larger; one that is rejected is undone, and the next is smaller, but at least ${1_000 * EVEN.more.perMs} calls per second or a quarter, whichever is less: another
  worker may have stopped. Calls that leave evenly never leave closer together than that: some limits take no two calls at once.
- After a pause of half a second or more a token bucket is full. So what is accepted from then until the next 429, apart from what fits at once, shows how
  fast it refills. If that is slower than the pace, calls leave at that rate, and steps are half as large, at least ${1_000 * EVEN.more.refill.perMs} calls
  per second.
- Nothing is learned from time in which there were no calls to send, except that a long window goes on meanwhile. Until a limit is known, measuring begins with each run, and reaches back at most ten
  seconds, or a minute for windows of that length.`;

const CONDITIONS = `The share of the pace of a client that knows the limit and loses no time but the latency, as median (worst) of nine seeds, then 429s per item. 1,000
items, 600 if the limit isn't per second. The columns are the mean time of a call: half of it passes before the service counts the call, and each way takes between
half and one and a half times its mean. n8n needs ${USUAL.sendingMs} ms to send a call and does nothing else meanwhile.`;

const SOURCES = `- _AWS adaptive_: the adaptive retry mode of the AWS SDKs (DefaultRateLimiter of smithy-typescript): a token bucket whose rate drops to 70 % with a 429 and comes
  back along a cubic curve.
- _AIMD_: the same bucket, but its rate is halved by a 429 and grows by one call per second each second (Chiu and Jain, as in TCP Reno).
- _Learned quota_: what was accepted before the first 429, over the time until calls are accepted again; 5 % slower with each further 429. An earlier version of
  this package worked like that.
- _Backoff only_: full speed again after each pause.

All of them run inside the same limiter and obey the same waits. Measuring what is accepted, instead of searching for it by halving, is the idea of BBR and of
goodput-based congestion control; keeping a pace until a trial is worth its cost corresponds to the flat part of CUBIC's curve. Bursts at the beginning of each
second suit the fixed window counters of services: unlike an even pace, they leave a gap between what two seconds count, so that calls that take unequal times
aren't rejected.`;

const BOUNDS = `- A Retry-After in whole seconds costs half a second each time, a date or a wait in words up to one second more. Obeying a single 429 pauses for a twentieth of
  the time of 1,000 items at 50 per second. A bucket of 5 looks like 5 per second until faster paces are tried, each at the price of a pause.
- If calls take 2 s on average, and each between 1 and 3, calls that left at once arrive over more than a second. So calls leave evenly then, and of a limit of 50
  per second some are rejected at any pace close to it.
- If a limit is used up in one go, everything in flight at the first 429 is rejected: about 80 of 600 items, and more if the limit is larger.
- A bucket that fills up in a minute names the same wait of a second as a limit per second does, so as many calls are rejected once more before the two can be
  told apart.
- If no wait is named, a limit per few seconds is only known as precisely as single calls find its end.`;

/** The text of docs/rate-limits.md. */
export function markdown({
	all,
	buckets,
	many,
	crowd,
	busy,
	workers,
	rested,
	changed,
	outages,
	both,
	odd,
	random,
	rivals,
	polled,
	quick,
	spread,
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
		'A service that rejects everything for a while and names no wait: runs of 200 items, one every five minutes, 300 ms; median time of the first and the third run after it, in seconds:',
		table(
			['Limit', ...OUTAGES_MS.map((ms) => `${ms / 1_000} s`)],
			outages.map(({ limit, row }) => [
				limit,
				...row.map((results) => {
					const [first, third] = [results.map((of) => of.first), results.map((of) => of.third)];
					return `${Math.round(median(first))}, ${Math.round(median(third))}`;
				}),
			]),
		),
		'Two limits at once, 300 ms; 600 items, 900 with a limit per hour:',
		table(
			['Limits', 'seconds', 'none'],
			both.map(({ limits, row }) => [limits, ...row.map(summary)]),
		),
		'100 calls a minute, counted from the first one, with an oddity; 600 items, the wait in seconds:',
		table(
			['Oddity', ...latencies],
			odd.map(({ limit, row }) => [limit, ...row.map(summary)]),
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
		`No limit, calls of a second on average that take unequal times: seconds until 95 % are accepted, median (worst) of nine seeds. With ${CONCURRENCY.max} in flight all the time it would be 4.8 for 1,000 and 14.3 for 3,000:`,
		table(
			[
				'Times of a call',
				...UNEQUAL_ITEMS.map((items) => `${items.toLocaleString('en-US')} items`),
			],
			spread.map(({ times, row }) => [
				times,
				...row.map(
					(seconds) => `${median(seconds).toFixed(1)} (${Math.max(...seconds).toFixed(1)})`,
				),
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
		'## What limits it',
		BOUNDS,
		'',
	].join('\n\n');
}
