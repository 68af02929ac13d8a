/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { readFileSync, writeFileSync } from 'node:fs';

/** Linux counts a process's CPU time in hundredths of a second. */
const MS_PER_TICK = 10;

/** Returns the CPU time (ms) that a process has used so far, in all its threads, without its children. */
export function cpuMs(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	// The name in brackets may contain spaces.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	const [user, system] = [Number(fields[11]), Number(fields[12])];
	return (user + system) * MS_PER_TICK;
}

function statusMb(pid: number, field: string): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
}

/** Returns the memory that a process uses now, in MB. */
export const residentMb = (pid: number) => statusMb(pid, 'VmRSS');

/** Returns the most memory that a process has used since the last `forgetPeak`, in MB. */
export const peakMb = (pid: number) => statusMb(pid, 'VmHWM');

/** Resets the peak. Throws if the system doesn't allow it. */
export function forgetPeak(pid: number): void {
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Returns the median of some numbers. */
export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)];
}
