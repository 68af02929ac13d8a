#!/usr/bin/env node
/**
 * Shows the nodes at work: a real n8n with the package, a credential and example workflows.
 *
 * npm start -- [options]
 *
 *   --once            run an example, wait for a monitor's alert and exit (0: both are
 *                     right)
 *   --port <number>   port of n8n's editor on 127.0.0.1 (default 5678)
 *   --dev             load the nodes again whenever a source file is saved
 *                     (npm run dev)
 *   --fresh           first delete the demo's n8n data (workflows, tables, login)
 *   --help            show this
 */
import util from 'node:util';
import { sayHelp } from './lib/help.mjs';
import { main } from './lib/main.mjs';
import { Problem } from './lib/say.mjs';

const options = {
	once: { type: 'boolean', default: false },
	port: { type: 'string', default: '5678' },
	dev: { type: 'boolean', default: false },
	fresh: { type: 'boolean', default: false },
};

function settingsFrom(args) {
	let values;
	try {
		({ values } = util.parseArgs({ args, options }));
	} catch (error) {
		throw new Problem(`${error.message.split(/\.\s/)[0]}. --help lists the options.`);
	}
	const port = Number(values.port);
	if (!Number.isInteger(port) || port < 1 || port > 65_535) {
		throw new Problem(`--port takes a number from 1 to 65535, not "${values.port}".`);
	}
	return { ...values, port };
}

sayHelp(import.meta.filename);
await main(async () => {
	const settings = settingsFrom(process.argv.slice(2));
	// before this point, what the demo imports isn't installed
	const { demo } = await import('./lib/demo.mjs');
	await demo(settings);
});
