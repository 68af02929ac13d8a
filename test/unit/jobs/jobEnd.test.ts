import type { IDataObject } from 'n8n-workflow';

import {
	withDoubt,
	type KnownOfJob,
	type Standstill,
	missingOf,
	owedBy,
	standstillOf,
	phaseOf,
	shortfallOf,
} from '../../../nodes/shared/jobs/jobEnd';
import type { Job } from '../../../nodes/shared/jobs/job';
import type { JobState } from '../../../nodes/shared/jobs/jobState';

/** What comes of a job that is polled, as in `0 completed 3/30` (after 0 s, 3 of 30 pages): its phase at each status. */
function phases(statuses: string, known: KnownOfJob, rest: IDataObject = {}): string {
	let standstill: Standstill | undefined;
	const all = statuses.split(', ').map((seen) => {
		const [seconds, status, counts] = seen.split(' ');
		const [completed, total] = counts?.split('/').map(Number) ?? [];
		const body: IDataObject = { status, completed, total, ...rest };
		const now = Number(seconds) * 1_000;
		standstill = standstillOf(standstill, body, now);
		return phaseOf(body, known, standstill, now);
	});
	return all.join(', ');
}

describe('the end of a job', () => {
	// What a running service answered, the early ends among them, which it never took back.
	it.each<[string, string, string, KnownOfJob?]>([
		['grows', '3.4 completed 37/1000, 73 completed 1000/1000', 'running, ended', { asked: 1000 }],
		['is at its start', '0 completed 0/300, 30 completed 300/300', 'running, ended'],
		['is one short', '2 completed 4/5, 7 completed 5/5', 'running, ended', { asked: 5 }],
		['grows short', '0 completed 2/30, 33 completed 28/30', 'running, ended', { withoutPage: 2 }],
		['is true', '60 scraping 30/30, 64.6 completed 30/30', 'running, ended'],
		['leaves failed URLs out of its total', '12 completed 8/8', 'ended', { asked: 10 }],
		['counts failed URLs', '12 completed 8/10', 'ended', { asked: 10, withoutPage: 2 }],
		['failed in all', '12 completed 0/0', 'ended', { asked: 2, withoutPage: 2 }],
		['was asked for fewer than it found', '9 completed 10/200', 'ended', { asked: 10 }],
		['met its own time limit', '2 timeout 3/3', 'ended'],
		[
			'stands still for a minute',
			'0 completed 3/30, 59 completed 3/30, 60 completed 3/30',
			'running, running, short',
		],
		[
			'goes on after half a minute',
			'0 completed 3/30, 50 completed 4/30, 70 completed 4/30',
			'running, running, running',
		],
		['is empty', '0 completed 0/0, 60 completed 0/0', 'running, short'],
		['has a word alone', '0 completed, 9 completed, 10 completed', 'running, running, ended'],
		['has failed alone', '0 failed, 9 failed, 10 failed', 'running, running, ended'],
		['failed short', '0 failed 3/30, 9 failed 3/30, 10 failed 3/30', 'running, running, ended'],
		['fails soon', '0 failed 3/30, 5 scraping 4/30, 60 completed 30/30', 'running, running, ended'],
		['failed with all its pages', '0 failed 30/30', 'ended'],
		['counts', '2 completed 1/1, 20 completed 3/3', 'running, ended', { asked: 3, owesAll: true }],
		['stops', '2 completed 2/2, 62 completed 2/2', 'running, short', { asked: 3, owesAll: true }],
		['was cancelled short', '0 cancelled 3/30', 'ended'],
		['has an unfamiliar word and whole counts', '0 odd 3/3, 60 odd 3/3', 'running, ended'],
		['has one and short counts', '0 odd 3/9, 99 odd 3/9', 'running, running'],
		['has one and counts of 0', '0 odd 0/0, 99 odd 0/0', 'running, running', { withoutPage: 1 }],
		['has one and no counts', '0 odd, 99 odd', 'running, running'],
	])('of one that %s: %s', (_, statuses, expected, known = {}) => {
		expect(phases(statuses, known)).toBe(expected);
	});

	it.each<IDataObject>([
		{ data: [] },
		{ data: { a: 1 } },
		{ result: { a: 1 } },
		{ error: 'Blocked' },
		{ stopReason: 'max_steps' },
		{ completed: 3 },
		{ total: 0 },
	])('is believed at once if %j comes with it', (rest) => {
		for (const word of ['completed', 'failed'])
			expect(phases(`0 ${word}`, { withoutPage: 1 }, rest)).toBe('ended');
	});

	it('is believed by a clock that was set back since', () => {
		const body = { status: 'completed', completed: 3, total: 30 };
		const standstill = standstillOf(undefined, body, 1e9);
		expect(phaseOf(body, {}, standstill, 0)).toBe('short');
	});

	it('of one that says why it is empty owes nothing', () => {
		expect(owedBy({ completed: 0, total: 0, error: 'robots.txt' })).toBe(0);
		expect(owedBy({ completed: 1, total: 3, stopReason: 'max_steps' })).toBe(0);
		expect(owedBy({ completed: 0, total: 0 })).toBe(1);
		expect(owedBy({})).toBe(0);
	});

	it.each<[IDataObject, number, KnownOfJob, number]>([
		[{ status: 'completed', completed: 300, total: 300 }, 19, {}, 281],
		[{ status: 'completed', completed: 19, total: 300 }, 19, {}, 281],
		[{ status: 'completed', completed: 8, total: 10 }, 8, { withoutPage: 2 }, 0],
		[{ status: 'completed', completed: 10, total: 200 }, 10, { asked: 10 }, 0],
		[{ status: 'scraping', completed: 2, total: 9 }, 2, {}, 0],
		[{ status: 'failed', completed: 2, total: 9 }, 1, {}, 1],
		[{ status: 'completed' }, 3, {}, 0],
	])('%j with %i pages, knowing %j, misses %i', (status, count, known, missing) => {
		expect(missingOf(status, count, known)).toBe(missing);
	});
});

it.each<[string, IDataObject, string | undefined]>([
	['adds up', { status: 'completed', completed: 3, total: 3 }, undefined],
	['has no counts', { status: 'completed' }, undefined],
	['is running', { status: 'scraping', completed: 1, total: 3 }, undefined],
	['failed', { status: 'failed', completed: 1, total: 3 }, undefined],
	[
		'lacks pages',
		{ status: 'completed', completed: 37, total: 1000 },
		'The service says that it has completed, but counts 37 of 1000 pages: the others failed, which Get Crawl Errors shows, or it goes on.',
	],
	[
		'has a warning of its own',
		{ status: 'completed', completed: 0, total: 0, warning: 'Robots.' },
		'Robots. The service says that it has completed, but counts 0 of 0 pages: the others failed, which Get Crawl Errors shows, or it goes on.',
	],
])('a status that %s says whether its end is in doubt', (_, status, warning) => {
	expect(withDoubt(status).warning).toBe(warning);
});

it.each<[IDataObject, string, number?]>([
	[{ completed: 3, total: 3 }, 'ended'],
	[{ completed: 0, total: 0 }, 'running'],
	[{ completed: 0, total: 0 }, 'running', 1],
	[{ completed: 3 }, 'running'],
	[{ total: 3 }, 'running', 3],
	[{ completed: '3', total: '3' }, 'running'],
	[{ completed: '3', total: 0 }, 'running', 1],
])(
	'an unfamiliar word that has stood still for long, with %j, is taken as %s',
	(counts, phase, withoutPage = 0) => {
		const standstill = { counts: '', since: 0 };
		expect(phaseOf({ status: 'odd', ...counts }, { withoutPage }, standstill, 3_600_000)).toBe(
			phase,
		);
	},
);

it.each<[JobState, number, string]>([
	['completed', 2, ' pages, but sent 2: the others may follow, and "Get" with the job ID j'],
	['completed', 0, ' pages, but sent 0'],
	['failed', 2, ' pages, but sent 2'],
])('the pages that one that is %s lacks after %i', (state, count, end) => {
	const job: Job = { what: 'crawl', paths: ['/'], getBy: 'Get' };
	const text = shortfallOf(job, 'j', count, 3, state);
	expect(text.replace(/ gets them at no cost$/, '')).toBe(`The service counted ${count + 3}${end}`);
});
