import { setTimeout as sleep } from 'node:timers/promises';
import { signalGroup, startGroup } from './groups.mjs';

const STOP_MS = 10_000;
const LOOK_MS = 50;
const started = new Set();

/**
 * Starts a program that runs until it is stopped, in its own process group, so that its children end with it.
 * @param {string} name for messages
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string; env?: Record<string, string>; log: string; hear?: (text: string) => void }} options output
 * goes to `log`, and to `hear` as it comes
 */
export function startProcess(name, command, args, { log, hear, ...options }) {
	let output = '';
	let ending = null;
	const { child, ended } = startGroup(command, args, {
		...options,
		log,
		hear(text) {
			output = (output + text).slice(-20_000);
			hear?.(text);
		},
	});
	void ended.then((how) => {
		ending = how;
		started.delete(self);
	});
	const self = {
		log,
		pid: child.pid,
		/** How it ended (`code 1`, `SIGKILL`), or null while it is running. */
		get ending() {
			return ending;
		},
		/**
		 * Returns the first match of `pattern` in the output.
		 * @throws if the program ends or `timeoutMs` passes first
		 */
		async says(pattern, timeoutMs) {
			const end = Date.now() + timeoutMs;
			for (;;) {
				const match = pattern.exec(output);
				if (match) return match;
				if (ending !== null || Date.now() > end) {
					const why =
						ending === null ? `within ${timeoutMs / 1000} s` : `before it ended (${ending})`;
					throw new Error(
						`${name} was not ready ${why}. Its last output (${log}):\n${output.slice(-2000)}`,
					);
				}
				await sleep(LOOK_MS);
			}
		},
		/** Sends SIGTERM to the whole group, then SIGKILL to what is left of it after a few seconds. */
		async stop() {
			if (child.pid === undefined) return;
			signalGroup(child, 'SIGTERM');
			const late = setTimeout(() => signalGroup(child, 'SIGKILL'), STOP_MS);
			await ended;
			clearTimeout(late);
			signalGroup(child, 'SIGKILL');
		},
		/** Kills the whole group immediately, as a crash would. */
		async kill() {
			signalGroup(child, 'SIGKILL');
			await ended;
		},
	};
	started.add(self);
	return self;
}

/** Stops every program started here that is still running. */
export async function stopAll() {
	await Promise.all([...started].map(async (program) => await program.stop()));
}
