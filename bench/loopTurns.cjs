/**
 * Loaded into an n8n before everything else, this records when its event loop turned, and how much CPU the main thread
 * had used by then (both in µs, the first by the machine's clock). When n8n ends, it writes that next to its CPU
 * profile.
 */
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

const turns = [];
const note = () => {
	const { user, system } = process.threadCpuUsage();
	turns.push([Number(process.hrtime.bigint() / 1000n), user + system]);
};
setInterval(note, 2).unref();
process.on('exit', () => {
	writeFileSync(join(process.env.LOOP_TURNS, `turns.${process.pid}.json`), JSON.stringify(turns));
});
