/**
 * The programs that were started here, each the leader of a process group of its own (`detached`), so that what
 * they start ends with them and Ctrl-C reaches them only through us.
 */
const leaders = new Set();

/** Remembers a child that was started `detached` until it ends. */
export function track(child) {
	leaders.add(child);
	const forget = () => leaders.delete(child);
	child.once('close', forget).once('error', forget);
}

/** Sends a signal to a child's whole group; false when nothing of it is left. */
export function signalGroup(child, signal) {
	try {
		process.kill(-child.pid, signal);
		return true;
	} catch {
		return false;
	}
}

/** Ends every group at once. The last resort, when this process itself ends. */
export function killAllGroups() {
	for (const child of leaders) {
		if (child.pid !== undefined) signalGroup(child, 'SIGKILL');
	}
}

/**
 * From now on a signal that ends this process ends the groups too.
 * @returns {() => void} undoes that
 */
export function endGroupsWithThis() {
	const end = () => {
		killAllGroups();
		process.exit(130);
	};
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	for (const signal of signals) process.once(signal, end);
	return () => {
		for (const signal of signals) process.removeListener(signal, end);
	};
}
