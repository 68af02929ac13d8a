import type { IDataObject } from 'n8n-workflow';

import {
	withDoubt,
	type KnownOfJob,
	type Standstill,
	missingOf,
	owedBy,
	standstillOf,
	phaseOf,
} from '../../../nodes/shared/jobs/jobEnd';

type Seen = [
	seconds: number,
	status: string,
	completed?: number,
	total?: number,
	rest?: IDataObject,
];

/** What comes of a job that is polled: its phase at each status. */
function phases(seen: Seen[], known: KnownOfJob = {}): string[] {
	let standstill: Standstill | undefined;
	return seen.map(([seconds, status, completed, total, rest]) => {
		const body: IDataObject = { status, completed, total, ...rest };
		const now = seconds * 1_000;
		standstill = standstillOf(standstill, body, now);
		return phaseOf(body, known, standstill, now);
	});
}

describe('the end of a job', () => {
	// What a running service answered, the early ends among them, which it never took back.
	it.each<[string, Seen[], KnownOfJob, string[]]>([
		[
			'a batch of 1,000 that grows',
			[
				[3.4, 'completed', 37, 1000],
				[73, 'completed', 1000, 1000],
			],
			{ asked: 1000 },
			['running', 'ended'],
		],
		[
			'a batch of 1,000 at its start',
			[
				[0, 'completed', 0, 1000],
				[70, 'completed', 1000, 1000],
			],
			{ asked: 1000 },
			['running', 'ended'],
		],
		[
			'a batch of 300 that grows',
			[
				[2.4, 'completed', 25, 300],
				[22, 'completed', 300, 300],
			],
			{},
			['running', 'ended'],
		],
		[
			'a batch of 300 at its start',
			[
				[0, 'completed', 0, 300],
				[30, 'completed', 300, 300],
			],
			{},
			['running', 'ended'],
		],
		[
			'a batch of 5, one short',
			[
				[2.2, 'completed', 4, 5],
				[7, 'completed', 5, 5],
			],
			{ asked: 5 },
			['running', 'ended'],
		],
		[
			'a crawl that grows, two of which failed',
			[
				[0, 'completed', 2, 30],
				[33, 'completed', 28, 30],
			],
			{ withoutPage: 2 },
			['running', 'ended'],
		],
		[
			'a crawl, true',
			[
				[60, 'scraping', 30, 30],
				[64.6, 'completed', 30, 30],
			],
			{},
			['running', 'ended'],
		],
		[
			'a batch whose total leaves failed URLs out',
			[[12, 'completed', 8, 8]],
			{ asked: 10 },
			['ended'],
		],
		[
			'a batch whose total counts failed URLs',
			[[12, 'completed', 8, 10]],
			{ asked: 10, withoutPage: 2 },
			['ended'],
		],
		[
			'a batch of which all failed',
			[[12, 'completed', 0, 0]],
			{ asked: 2, withoutPage: 2 },
			['ended'],
		],
		[
			'a crawl that was asked for fewer than it found',
			[[9, 'completed', 10, 200]],
			{ asked: 10 },
			['ended'],
		],
		['a crawl that met its own time limit', [[2, 'timeout', 3, 3]], {}, ['ended']],
		[
			'one that stands still for a minute',
			[
				[0, 'completed', 3, 30],
				[59, 'completed', 3, 30],
				[60, 'completed', 3, 30],
			],
			{},
			['running', 'running', 'short'],
		],
		[
			'one that goes on after half a minute',
			[
				[0, 'completed', 3, 30],
				[50, 'completed', 4, 30],
				[70, 'completed', 4, 30],
			],
			{},
			['running', 'running', 'running'],
		],
		[
			'an empty one',
			[
				[0, 'completed', 0, 0],
				[60, 'completed', 0, 0],
			],
			{},
			['running', 'short'],
		],
		...['completed', 'failed'].map((word): [string, Seen[], KnownOfJob, string[]] => [
			`one that is ${word} and nothing else`,
			[
				[0, word],
				[9, word],
				[10, word],
			],
			{},
			['running', 'running', 'ended'],
		]),
		...['completed', 'failed'].flatMap((word) =>
			[
				{ data: [] },
				{ data: { a: 1 } },
				{ result: { a: 1 } },
				{ error: 'Blocked' },
				{ stopReason: 'max_steps' },
			].map((rest): [string, Seen[], KnownOfJob, string[]] => [
				`one that is ${word} with ${JSON.stringify(rest)}`,
				[[0, word, undefined, undefined, rest]],
				{},
				['ended'],
			]),
		),
		[
			'a task whose data come after its end',
			[
				[0, 'completed'],
				[4, 'completed', undefined, undefined, { data: { a: 1 } }],
			],
			{},
			['running', 'ended'],
		],
		[
			'one that failed short',
			[
				[0, 'failed', 3, 30],
				[9, 'failed', 3, 30],
				[10, 'failed', 3, 30],
			],
			{},
			['running', 'running', 'ended'],
		],
		[
			'one that goes on after it failed',
			[
				[0, 'failed', 3, 30],
				[5, 'scraping', 4, 30],
				[60, 'completed', 30, 30],
			],
			{},
			['running', 'running', 'ended'],
		],
		['one that failed with all its pages', [[0, 'failed', 30, 30]], {}, ['ended']],
		[
			'a batch that counts only what came',
			[
				[2, 'completed', 1, 1],
				[20, 'completed', 3, 3],
			],
			{ asked: 3, owesAll: true },
			['running', 'ended'],
		],
		[
			'a batch that never gets its last URL',
			[
				[2, 'completed', 2, 2],
				[62, 'completed', 2, 2],
			],
			{ asked: 3, owesAll: true },
			['running', 'short'],
		],
		['one that was cancelled short', [[0, 'cancelled', 3, 30]], {}, ['ended']],
		[
			'an unfamiliar word with whole counts',
			[
				[0, 'archived', 3, 3],
				[60, 'archived', 3, 3],
			],
			{},
			['running', 'ended'],
		],
		[
			'an unfamiliar word with short counts',
			[
				[0, 'resting', 3, 9],
				[99, 'resting', 3, 9],
			],
			{},
			['running', 'running'],
		],
		[
			'an unfamiliar word without counts',
			[
				[0, 'resting'],
				[99, 'resting'],
			],
			{},
			['running', 'running'],
		],
	])('of %s', (_, seen, known, expected) => {
		expect(phases(seen, known)).toEqual(expected);
	});

	it('is believed by a clock that was set back since', () => {
		const body = { status: 'completed', completed: 3, total: 30 };
		const standstill = standstillOf(undefined, body, 1e9);
		expect(phaseOf(body, {}, standstill, 0)).toBe('short');
	});

	it('of one that says why it is empty owes nothing', () => {
		expect(owedBy({ completed: 0, total: 0, error: 'robots.txt' })).toBe(0);
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

it.each<[IDataObject, string]>([
	[{ status: 'odd', completed: 3, total: 3 }, 'ended'],
	[{ status: 'odd', completed: 2, total: 3 }, 'running'],
	[{ status: 'odd', completed: 0, total: 0 }, 'running'],
	[{ status: 'odd', completed: 3 }, 'running'],
	[{ status: 'odd', total: 3 }, 'running'],
	[{ status: 'odd', completed: '3', total: '3' }, 'running'],
	[{ status: 'odd' }, 'running'],
])('an unfamiliar word that has stood still for long, %j, is taken as %s', (status, phase) => {
	expect(phaseOf(status, {}, { counts: '', since: 0 }, 3_600_000)).toBe(phase);
});
