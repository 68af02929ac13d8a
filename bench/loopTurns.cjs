/**
 * Loaded into an n8n before everything else, this notes when its event loop turned (µs of the machine's clock), and
 * writes that beside the CPU profile of the process when it ends.
 */
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

const turns = [];
setInterval(() => turns.push(Number(process.hrtime.bigint() / 1000n)), 2).unref();
process.on('exit', () => {
	writeFileSync(join(process.env.LOOP_TURNS, `turns.${process.pid}.json`), JSON.stringify(turns));
});
