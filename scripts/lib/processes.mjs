import { cleanEnvironment } from './environment.mjs';
import { signalGroup, startGroup } from './groups.mjs';

const STOP_MS = 10_000;
const started = new Set();

/**
 * Starts a program that runs until it is stopped, in its own process group, so that its children end with it.
 * @param {string} name for messages
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string; env?: Record<string, string>; log: string; hear?: (text: string) => void }} options output
 * goes to `log`, and to `hear` as it comes
 */
export function startProcess(name, command, args, { cwd, env, log, hear }) {
	let output = '';
	let ending = null;
	const waiting = new Set();
	const lookAgain = () => waiting.forEach((look) => look());
	const { child, ended } = startGroup(command, args, {
		cwd,
		env: cleanEnvironment(env),
		log,
		hear(text) {
			output = (output + text).slice(-20_000);
			hear?.(text);
			lookAgain();
		},
	});
	void ended.then((how) => {
		ending = how;
		started.delete(self);
		lookAgain();
	});
	const self = {
		name,
		log,
		pid: child.pid,
		ended,
		/** How it ended (`code 1`, `SIGKILL`), or null while it is running. */
		get ending() {
			return ending;
		},
		get output() {
			return output;
		},
		/**
		 * Returns the first match of `pattern` in the output.
		 * @throws if the program ends or `timeoutMs` passes first
		 */
		async says(pattern, timeoutMs) {
			return await new Promise((resolve, reject) => {
				const settle = (done) => {
					clearTimeout(timer);
					waiting.delete(look);
					done();
				};
				const fail = (why) =>
					settle(() =>
						reject(new Error(`${name} ${why}. Its last output (${log}):\n${output.slice(-2000)}`)),
					);
				const look = () => {
					const match = pattern.exec(output);
					if (match) settle(() => resolve(match));
					else if (ending !== null) fail(`ended (${ending}) before it was ready`);
				};
				const timer = setTimeout(
					() => fail(`was not ready after ${timeoutMs / 1000} s`),
					timeoutMs,
				);
				waiting.add(look);
				look();
			});
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
