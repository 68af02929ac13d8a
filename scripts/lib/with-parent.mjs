/** Preloaded into a program of Node that leads a group: ends the group when the command that started it was killed. */
const EVERY_MS = 500;
const parent = process.ppid;

setInterval(() => {
	if (process.ppid === parent) return;
	try {
		process.kill(-process.pid, 'SIGKILL');
	} catch {
		// this is a program that the leader has started
	}
}, EVERY_MS).unref();
