#!/usr/bin/env node
/**
 * Shows the nodes at work: a real n8n with the package, a credential and example workflows.
 *
 * npm start -- [options]
 *
 *   --once            run an example and exit (0: it is right)
 *   --port <number>   port of n8n's editor on 127.0.0.1 (default 5678)
 *   --base-url <url>  use this Web Data Service, where runs cost credits, instead
 *                     of the local stand-in
 *   --api-key <key>   its API key. Better set WEB_DATA_SERVICE_API_KEY, because
 *                     npm shows the command that it runs.
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
	'base-url': { type: 'string' },
	'api-key': { type: 'string', default: process.env.WEB_DATA_SERVICE_API_KEY },
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
	const { 'base-url': baseUrl, 'api-key': apiKey, ...settings } = values;
	const port = Number(settings.port);
	if (!Number.isInteger(port) || port < 1 || port > 65_535) {
		throw new Problem(`--port takes a number from 1 to 65535, not "${settings.port}".`);
	}
	if (baseUrl === undefined) return { ...settings, port };
	if (!/^https?:\/\/[^/]/.test(baseUrl)) {
		throw new Problem(`--base-url takes an address with http:// or https://, not "${baseUrl}".`);
	}
	if (!apiKey) {
		throw new Problem(
			'--base-url needs an API key: set WEB_DATA_SERVICE_API_KEY or give --api-key.',
		);
	}
	return { ...settings, port, service: { baseUrl, apiKey } };
}

sayHelp(import.meta.filename);
await main(async () => {
	const settings = settingsFrom(process.argv.slice(2));
	// before this point, what the demo imports isn't installed
	const { demo } = await import('./lib/demo.mjs');
	await demo(settings);
});
