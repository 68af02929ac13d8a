import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { Problem } from './say.mjs';

const OLDEST_NODE = [20, 19];

/** Throws a Problem if this Node is older than the package's `engines` allow. */
export function checkNode(version = process.versions.node) {
	const [major, minor] = version.split('.').map(Number);
	const enough = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
	if (!enough) {
		throw new Problem(
			`Node ${version} is too old: this needs Node ${OLDEST_NODE.join('.')} or newer. ` +
				'Get it from https://nodejs.org or with your version manager (for example `nvm install 22`).',
		);
	}
}

/** Whether a port of 127.0.0.1 is free. */
export const canListen = (port) =>
	new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});

/** Throws a Problem if something already listens on 127.0.0.1:`port`. */
export async function checkPort(port) {
	if (!(await canListen(port))) {
		throw new Problem(
			`Port ${port} is in use on this machine (another n8n?). ` +
				`Stop what uses it, or choose another: npm start -- --port ${port + 1}`,
		);
	}
}

/**
 * Returns a free port on 127.0.0.1, below those that systems assign to outgoing connections, so that it stays free
 * while the program using it restarts.
 */
export async function freePort() {
	const port = randomInt(20_000, 30_000);
	return (await canListen(port)) ? port : await freePort();
}
