/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/** Starts counting the CPU time (ms) of this process, which, unlike the clock, doesn't run while other programs do. */
export function cpuTime(): () => number {
	const begun = process.cpuUsage();
	return () => {
		const { user, system } = process.cpuUsage(begun);
		return (user + system) / 1_000;
	};
}

/** CPU time (ms) of the work below on a quiet machine of two cores. */
const QUIET_MS = 14;

/** Times that it is done: the first ones take longer, until V8 has optimized it. */
const TRIES = 4;

/** Returns how many times as slow this machine is at present, because of its kind or of other work. */
export function slowness(): number {
	let least = Infinity;
	for (let tries = 0; tries < TRIES; tries++) {
		const spent = cpuTime();
		let length = 0;
		for (let n = 0; n < 200_000; n++) length += `${n} a`.replace(/ /g, '').length;
		expect(length).toBeGreaterThan(0);
		least = Math.min(least, spent());
	}
	return Math.max(1, least / QUIET_MS);
}

/** Does some work; returns its result, and the most CPU time (ms) for which it left no other work its turn. */
export async function longestTurn<Result>(
	work: () => Promise<Result>,
): Promise<{ result: Result; ms: number }> {
	let ms = 0;
	let spent = cpuTime();
	const take = () => {
		ms = Math.max(ms, spent());
		spent = cpuTime();
	};
	const timer = setInterval(take, 1);
	const result = await work();
	clearInterval(timer);
	take();
	return { result, ms };
}
