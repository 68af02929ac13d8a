/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/** Starts to count the CPU time (ms) of this process: unlike the clock, it stands while other programs have their turn. */
export function cpuTime(): () => number {
	const begun = process.cpuUsage();
	return () => {
		const { user, system } = process.cpuUsage(begun);
		return (user + system) / 1_000;
	};
}
