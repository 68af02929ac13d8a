import { CONCURRENCY } from '../../nodes/shared/transport/limits/concurrency';
import { EVEN } from '../../nodes/shared/transport/limits/even';
import { PACE } from '../../nodes/shared/transport/limits/pace';
import { MANY_PROBES } from '../../nodes/shared/transport/limits/pause';
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
import { median } from '../process';
import { USUAL } from './process';
import type { Hint } from './service';
import type { Result, Summary } from './simulate';

/** All that docs/rate-limits.md shows. */
export interface Measured {
	all: Array<{ limit: string; hint: Hint; row: Summary[] }>;
	small: Array<{ requests: number; burst?: number; row: Summary[] }>;
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

const HOW = `How the nodes find the pace that a service allows, and how much of a limit they use. What that means for a workflow is in
[What is guaranteed](reliability.md#rate-limits-and-concurrency).

A limit belongs to an account (a base URL with an API key), and so does the limiter: all executions and nodes in an n8n process share it. Node runs take
turns. Calls of each kind (by method and resource) have a pace of their own, so that polls don't wait for starts.

In short: calls leave quickly until the first 429. Then the node waits, tells from how long it had to wait and from what was accepted what kind of limit it has
met, and keeps to that. Now and then it tries a little more, since the limit may have been raised.

## Before the first 429

Nothing is known of the limit yet, and a 429 costs nothing. At most ${1_000 * PACE.first.perMs} calls a second leave until ${PACE.first.until} are accepted. Where no call takes less than a second,
the first 429 comes late, and what left meanwhile is rejected. So there, after the first ${PACE.first.calls} calls, one leaves every ${PACE.first.slowMs} ms until half of all are accepted.

At most ${CONCURRENCY.start} may be in flight at once. That number changes with what the service can take, after a 429 as well:

- It grows, up to ${CONCURRENCY.max}, while all goes well.
- It falls when calls take longer for two rounds in a row (after Gradient2 of Netflix's _concurrency-limits_, but by geometric means, as some pages take many times
  as long as others). If calls are no faster then, their number was not the reason: the site may be slow, or n8n busy. So it goes back to what it was.
- It is halved by a 503, by a call that timed out in the service's queue for browsers, and when ${CONCURRENCY.broken.calls} calls in a row failed within ${CONCURRENCY.broken.ms / 1_000} seconds each because their connection broke
  off or could not be made, or with an error of a proxy: the proxy may take no more.

## After a 429

Nothing is sent until the wait that the 429 names is over, in seconds, as a date or in its text. If it names none:

- Where no limit is known yet, or one per long window, single calls _probe_ whether it is over: after 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30 and 60 seconds and then once a minute,
  and also 5, 10, 20 … seconds after the first call that counted, as a window of time may have begun with it. Where calls take a second or more and no limit is known,
  a limit per second would long be over by the time the first probe is answered. So there, one leaves every ${MANY_PROBES.everyMs} ms at first, for ${MANY_PROBES.forMs / SECOND_MS} seconds or until one is rejected.
- Where a limit per second is known, calls go on with the next second.
- Where calls leave evenly, they go on after 0.1 seconds. Single calls probe if everything is rejected after that.

If a call that left after the rejected one is accepted, the pause ends at once: the rejected one had only been overtaken.

## What kind of limit it is

**A limit per second** is assumed after a pause of half a second to two, if at least ${FEW.least} calls were accepted before it, but next to none that left after the first
rejected one, and if ${FEW.calls} had left in all or calls take less than ${WINDOWS.proof.quick} ms.

- As many calls leave at once each second. The seconds are a little longer than one, the more so the longer calls take, as they take unequal times. No second ever
  has more calls, even if n8n was busy in the middle of one (a sliding window log).
- The first second after a pause shows how many calls fit. 429s in later ones show that the seconds begin too early. If hardly any fit, or even
  ${WINDOWS.longest.toLocaleString('en-US')} ms are too short, it is no such limit.
- A token bucket, which holds some calls and is refilled all the time, looks the same if it was full, but then takes hardly any more calls. So in the first such
  second only ${percent(WINDOWS.first.calls)} of the calls leave at once, the others when some of these are accepted, or after half a second.
- One that takes few calls at once but is refilled quickly looks the same, too. So if calls take less than ${WINDOWS.proof.quick} ms, half as many more follow once, in the
  second second: such a bucket accepts these and most of those of the next second.
- After many full seconds more calls are tried: sooner if they are few or became fewer, as others may share the limit, or if the last trial went well.
- If next to nothing was accepted because others had used up the limit, that says nothing about it: ${FEW.calls} calls are tried at once. So they are, once, if others leave
  next to nothing of a second after a wait that was named.

**A limit per longer window**, such as a minute, shows in a pause of more than ${PACE.longPause / SECOND_MS} seconds.

- As many calls as the last window accepted leave at once, then more as they are accepted. None leaves sooner than a window after the call of the last one
  whose place it takes (again a sliding window log). If the next window accepts much less, it is no such limit.
- A window may have begun before the run did, so that the first pause is short. It shows in the first pause that is longer than the time in which calls left.
- If 429s name no wait, single calls probe at the window's end, or after half of its length. Once two windows were equally long, they probe only at the end.
  But the service may have been short of something else: so in the first such pause, and again after 2, 4, 8, 8 … more, one call probes after a second. If it is
  accepted, calls go on, and one probes that early in every pause. If then no pause lasts until the window's end, there is no such window, or no longer.

**With any other limit**, calls leave evenly, slightly slower than they were accepted.

- Two calls never leave closer together than at that pace, as some limits take no two at once. Only where n8n was too busy to send them in time, up to ${PACE.catchUp} are made up for.
- 429s slow the pace down by the share that was rejected, by at most a fifth if it is younger than two seconds. One 429, and then ${percent(EVEN.tolerated)} of
  the responses, change nothing where the pause ends at once because a later call is accepted: a slower pace would cost more.
- After some time at a pace, in one run or in several, a faster one is tried. The longer the last pause was, the later that is. It is sooner if the
  pace is far below one that was rejected, and later below ${1_000 * EVEN.slow} calls per second, where 429s show late that a step was too large.
- If the pace was measured from few calls, the first step is large. Each step that goes well makes the next one larger. One that is rejected is undone and makes
  the next one smaller, but never smaller than ${1_000 * EVEN.more.perMs} calls per second or a quarter of the pace, whichever is less: another worker may have stopped.
- If ${EVEN.squeezed.least} or more 429s in a row slowed the pace down to between ${1_000 * EVEN.squeezed.from} and ${1_000 * EVEN.squeezed.to} calls per second, others may have used the limit up. They may stop at any time, so after ${EVEN.squeezed.forMs / 1_000} seconds without
  a 429 the pace is doubled, once.
- After a pause of half a second or more a token bucket is full. So what is accepted from then until the next 429, apart from what it takes at once, shows how fast
  it is refilled. If that is slower than the pace, calls leave at that rate, and steps are half as large, at least ${1_000 * EVEN.more.refill.perMs} calls per second.

## When a 429 says little

- **Accidents.** Before a limit is known, 429s whose calls were overtaken change nothing, up to ${percent(PACE.accidents)} of the responses. Later, a few 429s at a pace far below one that was
  accepted don't either: slower calls would not prevent them. After ${FEW.least} of them whose pauses cost calls, the next calls leave three times as fast, and so on after
  every ${FEW.least} more, until more than ${percent(PACE.accidents)} are rejected.
- **Everything is rejected.** If nothing is accepted between two pauses, the wait was too short, or rejected calls count, too. So after each further pause a single
  call finds out whether anything is accepted again (before a limit is known, ${FEW.least} do). If it gets no response for ${PACE.alone / SECOND_MS} seconds, another one leaves. A long window
  in which nothing was accepted shows neither how long it is nor how much it takes.
- **Probes** don't make the pace slower.
- **Nothing to send.** Nothing is learned from time without calls, except that a long window goes on meanwhile. Until a limit is known, measuring begins with each
  run, and reaches back at most ${PACE.longAgo.pace / SECOND_MS} seconds, or a minute for windows of that length.`;

const CONDITIONS = `All figures are simulated, with the code that runs in n8n. _0.95 (0.91), 8 %_ means: the calls were accepted at 0.95 times the pace of a client that knows
the limit and loses no time but the latency (the median of nine runs of the simulation, the worst in brackets), and there were eight 429s per 100 items.

1,000 items, 600 if the limit isn't per second. The columns are the mean time of a call: half of it passes before the service counts the call, and each way takes
between half and one and a half times its mean. n8n needs ${USUAL.sendingMs} ms to send a call and does nothing else meanwhile. The limits: _fixed_ windows begin with the first call,
those _by the clock_ with each second or minute, _sliding_ ones count the calls of the last second or minute at any moment, and a _bucket of 5_ takes 5 calls at once.`;

const SOURCES = `- _AWS adaptive_: the adaptive retry mode of the AWS SDKs (DefaultRateLimiter of smithy-typescript): a token bucket whose rate drops to 70 % with a 429 and comes
  back along a cubic curve.
- _AIMD_: the same bucket, but its rate is halved by a 429 and grows by one call per second each second (Chiu and Jain, as in TCP Reno).
- _Learned quota_: what was accepted before the first 429, over the time until calls are accepted again; 5 % slower with each further 429. An earlier version of
  this package worked like that.
- _Backoff only_: full speed again after each pause.

All of them run inside the same limiter and obey the same waits. Measuring what is accepted, instead of searching for it by halving, is the idea of BBR and of
goodput-based congestion control; keeping a pace until a trial is worth its cost corresponds to the flat part of CUBIC's curve. Bursts at the beginning of each
second suit the fixed window counters of services: unlike an even pace, they leave a gap between two seconds, so that calls that take unequal times aren't rejected.`;

const BOUNDS = `- A Retry-After in whole seconds costs half a second each time, a date or a wait in words up to one second more. Obeying a single 429 pauses for a twentieth of
  the time of 1,000 items at 50 per second. A bucket of 5 looks like 5 per second until faster paces are tried, each at the price of a pause.
- If calls take 2 s on average, and each between 1 and 3, calls that left at once arrive over more than a second. So calls leave evenly then, and of a limit of 50
  per second some are rejected at any pace close to it.
- If a limit is used up in one go, everything in flight at the first 429 is rejected: about 70 of 600 items, and more if the limit is larger.
  The probes that leave one after the other, where no wait is named and calls take 2 s, add some 15. What they are for: of a limit per second, they are accepted.
- A bucket that fills up in a minute names the same wait of a second as a limit per second does, so as many calls are rejected once more before the two can be
  told apart.
- If no wait is named, a limit per few seconds is only known as precisely as single calls find its end.`;

/** The text of docs/rate-limits.md. */
export function markdown({
	all,
	small,
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
		'Token buckets that take fewer calls at once than they are refilled with in a second, and windows of few calls (all at once); as many items as in 20 seconds:',
		table(
			[
				'Per second',
				'At once',
				...['seconds', 'none'].flatMap((hint) => SMALL_LATENCIES.map((ms) => `${hint}, ${ms} ms`)),
			],
			small.map(({ requests, burst = 'all', row }) => [
				`${requests}`,
				`${burst}`,
				...row.map(summary),
			]),
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
		'A service that rejects everything for a while and names no wait: runs of 200 items, one every five minutes, 300 ms; median time of the first and the third run after that, in seconds:',
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
		'429s that no pace stops, as where a service is short of something else; the time of 3,000 items of 20 ms, median (worst):',
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
		'No limit; time compared with a client that sends all at once, median:',
		table(
			['Items', 'Latency', 'Times as long'],
			quick.map(({ items, latencyMs, ratios }) => [
				items.toLocaleString('en-US'),
				`${latencyMs} ms`,
				median(ratios).toFixed(2),
			]),
		),
		`No limit, calls of a second on average that take unequal times: seconds until 95 % are accepted, median (worst). With ${CONCURRENCY.max} in flight all the time it would be 4.8 for 1,000 and 14.3 for 3,000:`,
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
		'## Compared with other ways',
		'Median share and 429s per item, 300 ms, with a wait in seconds / none:',
		table(
			['', ...rivalLimits],
			rivals.map(({ name, row }) => [
				name,
				...row.map(({ summaries }) => summaries.map(short).join(' / ')),
			]),
		),
		SOURCES,
		'## What it cannot do better',
		BOUNDS,
		'',
	].join('\n\n');
}
