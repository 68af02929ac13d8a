import { isTerminal, jobStateOf } from '../../../nodes/shared/jobs/jobState';

it.each([
	['scraping', 'running', false],
	['Processing', 'running', false],
	['completed', 'completed', true],
	['failed', 'failed', true],
	['cancelled', 'cancelled', true],
	['canceled', 'cancelled', true],
	['resting', 'unknown', false],
	['constructor', 'unknown', false],
	[undefined, 'unknown', false],
	[{ toString: 1 }, 'unknown', false],
])('a job that is %p is %s', (status, state, isOver) => {
	expect(jobStateOf(status)).toBe(state);
	expect(isTerminal(jobStateOf(status))).toBe(isOver);
});
