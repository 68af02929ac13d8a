/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/** Starts counting the CPU time (ms) of this process, which, unlike the clock, doesn't run while other programs do. */
export function cpuTime(): () => number {
	const begun = process.cpuUsage();
	return () => {
		const { user, system } = process.cpuUsage(begun);
		return (user + system) / 1_000;
	};
}
