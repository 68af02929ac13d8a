import { Stretch, turns } from '../../../nodes/shared/transport/turns';

/** Keeps n8n from serving anybody for so many ms. */
function work(ms: number): void {
	for (const end = performance.now() + ms; performance.now() < end;);
}

let now = Date.now();

/** From here on it is later only where `now` is set. */
function stopClock(): void {
	now += 1_000;
	jest.spyOn(performance, 'now').mockImplementation(() => now);
}

/** How many timers fired meanwhile. */
async function timersDuring(work: () => Promise<unknown>): Promise<number> {
	let fired = 0;
	const timer = setInterval(() => fired++, 1);
	await work();
	clearInterval(timer);
	return fired;
}

describe('a stretch of work', () => {
	it('lets others have their turn after 15 ms, again and again', async () => {
		const fired = await timersDuring(async () => {
			const stretch = new Stretch();
			for (let n = 0; n < 50; n++) {
				work(5);
				await stretch.breathe();
			}
		});
		expect(fired).toBeGreaterThanOrEqual(5);
	});

	it('is not interrupted before', async () => {
		const fired = await timersDuring(async () => {
			jest.spyOn(performance, 'now').mockReturnValue(0);
			const stretch = new Stretch();
			for (let n = 0; n < 1_000; n++) await stretch.breathe();
			jest.restoreAllMocks();
		});
		expect(fired).toBe(0);
	});
});

describe('turns', () => {
	it('let those that come at once go on in their order, with others in between', async () => {
		const order: number[] = [];
		const fired = await timersDuring(async () => {
			await Promise.all(
				Array.from({ length: 50 }, async (_, n) => {
					await turns.take();
					order.push(n);
					work(5);
				}),
			);
		});
		expect(order).toEqual(Array.from({ length: 50 }, (_, n) => n));
		expect(fired).toBeGreaterThanOrEqual(5);
	});

	it('cost those nothing that come one by one', async () => {
		work(20);
		const fired = await timersDuring(async () => {
			for (let n = 0; n < 3; n++) {
				await turns.take();
				work(20);
			}
		});
		expect(fired).toBe(0);
	});

	it('leave others in between where each brings the next', async () => {
		stopClock();
		const fired = await timersDuring(async () => {
			for (let n = 0; n < 50; n++) {
				await turns.take();
				now += 5;
			}
		});
		jest.restoreAllMocks();
		expect(fired).toBeGreaterThanOrEqual(5);
	});

	it('leave others in between also while more keep coming', async () => {
		stopClock();
		const fired = await timersDuring(async () => {
			const more: Array<Promise<void>> = [];
			await Promise.all(
				Array.from({ length: 50 }, async () => {
					await turns.take();
					more.push(turns.take());
					now += 5;
				}),
			);
			await Promise.all(more);
		});
		jest.restoreAllMocks();
		expect(fired).toBeGreaterThanOrEqual(5);
	});
});
