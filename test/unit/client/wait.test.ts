import { wait } from '../../../nodes/shared/base/time';

beforeEach(() => {
	jest.useFakeTimers({ now: 1_000_000 });
});

afterEach(() => {
	jest.useRealTimers();
});

/** Starts a wait and returns a function that says whether it is over. */
function begun(ms: number, signal?: AbortSignal): () => boolean {
	let isOver = false;
	void wait(ms, signal).then(() => (isOver = true));
	return () => isOver;
}

it('a wait takes as long as asked', async () => {
	const isOver = begun(1_100);
	await jest.advanceTimersByTimeAsync(1_099);
	expect(isOver()).toBe(false);
	await jest.advanceTimersByTimeAsync(1);
	expect(isOver()).toBe(true);
});

it('a wait takes no longer where n8n was busy', async () => {
	const late = jest.spyOn(performance, 'now').mockImplementation(() => Date.now());
	const isOver = begun(1_000);
	// A timer is late because n8n did something else meanwhile.
	jest.setSystemTime(1_000_600);
	await jest.advanceTimersByTimeAsync(400);
	late.mockRestore();
	expect(isOver()).toBe(true);
});

it('a wait takes no longer where the clock is set back', async () => {
	const isOver = begun(1_000);
	await jest.advanceTimersByTimeAsync(250);
	jest.setSystemTime(0);
	await jest.advanceTimersByTimeAsync(750);
	expect(isOver()).toBe(true);
});

it('a wait ends soon when it is cancelled', async () => {
	const controller = new AbortController();
	const isOver = begun(60_000, controller.signal);
	controller.abort();
	await jest.advanceTimersByTimeAsync(250);
	expect(isOver()).toBe(true);
});
