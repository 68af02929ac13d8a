/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { Worker } from 'node:worker_threads';

/** Asks n8n every 10 ms, in a thread of its own since the tests also serve large pages, and keeps the longest silence. */
const WATCH = `
const { parentPort, workerData: url } = require('node:worker_threads');
const { setTimeout: sleep } = require('node:timers/promises');
let longest = 0;
let isOver = false;
parentPort.once('message', () => (isOver = true));
void (async () => {
	// A busy n8n closes connections.
	const isAnswering = async () => await fetch(url).then((response) => response.text(), () => false);
	while (!isOver) {
		const asked = performance.now();
		while (!isOver && (await isAnswering()) === false) await sleep(10);
		longest = Math.max(longest, performance.now() - asked);
		await sleep(10);
	}
	parentPort.postMessage(longest);
})();
`;

/** Watches an n8n while something runs, and returns what came of it with the longest time (ms) that n8n answered nobody. */
export async function silenceDuring<Result>(
	n8nUrl: string,
	work: () => Promise<Result>,
): Promise<{ result: Result; silence: number }> {
	const worker = new Worker(WATCH, { eval: true, workerData: `${n8nUrl}/healthz` });
	try {
		const result = await work();
		const silence = new Promise<number>((resolve, reject) => {
			worker.once('message', resolve);
			worker.once('error', reject);
		});
		worker.postMessage('end');
		return { result, silence: await silence };
	} finally {
		await worker.terminate();
	}
}
