#!/usr/bin/env node
/** Shows the nodes at work: a real n8n with the package, a credential and example workflows. See `--help`. */
import util from 'node:util';
import { endGroupsWithThis } from './lib/programs.mjs';
import { takeLock } from './lib/lock.mjs';
import { checkNode, checkPort } from './lib/machine.mjs';
import { DEMO_LOCK } from './lib/paths.mjs';
import { Problem, say, sayWhy } from './lib/say.mjs';

const HELP = `npm start -- [options]

  --once            run an example, wait for a monitor's alert and exit (0: both
                    are right)
  --port <number>   port of n8n's editor on 127.0.0.1 (default 5678)
  --base-url <url>  use this Web Data Service, where runs cost credits, instead
                    of the local stand-in
  --api-key <key>   its API key. Better set WEB_DATA_SERVICE_API_KEY, because
                    npm shows the command that it runs.
  --dev             load the nodes again whenever a source file is saved
                    (npm run dev)
  --fresh           first delete the demo's n8n data (workflows, tables, login)
  --help            show this`;

const options = {
	once: { type: 'boolean', default: false },
	port: { type: 'string', default: '5678' },
	'base-url': { type: 'string' },
	'api-key': { type: 'string' },
	dev: { type: 'boolean', default: false },
	fresh: { type: 'boolean', default: false },
	help: { type: 'boolean', default: false },
};

function settingsFrom(args) {
	let values;
	try {
		({ values } = util.parseArgs({ args, options }));
	} catch (error) {
		throw new Problem(`${error.message.split(/\.\s/)[0]}\n\n${HELP}`);
	}
	const port = Number(values.port);
	if (!Number.isInteger(port) || port < 1 || port > 65_535) {
		throw new Problem(`--port takes a number from 1 to 65535, not "${values.port}".`);
	}
	const baseUrl = values['base-url'];
	const apiKey = values['api-key'] ?? process.env.WEB_DATA_SERVICE_API_KEY;
	if (baseUrl !== undefined && !/^https?:\/\/[^/]/.test(baseUrl)) {
		throw new Problem(`--base-url takes an address with http:// or https://, not "${baseUrl}".`);
	}
	if (baseUrl !== undefined && !apiKey) {
		throw new Problem(
			'--base-url needs an API key: set WEB_DATA_SERVICE_API_KEY or give --api-key.',
		);
	}
	if (baseUrl === undefined && values['api-key'] !== undefined) {
		throw new Problem('--api-key needs the --base-url of the service it is for.');
	}
	return {
		...values,
		port,
		service: baseUrl === undefined ? undefined : { baseUrl, apiKey },
	};
}

/** Takes the demo's lock, because two n8n on one database would break it. */
function takeDemo() {
	const { owner, release } = takeLock(DEMO_LOCK);
	if (owner) {
		throw new Problem(
			`The demo is already running${owner.url ? ` at ${owner.url}` : ''} (process ${owner.pid}). ` +
				`Stop it with Ctrl-C in its window or \`kill ${owner.pid}\`.`,
		);
	}
	process.once('exit', release);
}

try {
	checkNode();
	const settings = settingsFrom(process.argv.slice(2));
	if (settings.help) {
		say(HELP);
	} else {
		takeDemo();
		await checkPort(settings.port);
		const { ensureDependencies } = await import('./lib/dependencies.mjs');
		const undo = endGroupsWithThis();
		await ensureDependencies();
		undo();
		// before this point, what the demo imports isn't installed
		const { demo } = await import('./lib/demo.mjs');
		process.exitCode = await demo(settings);
	}
} catch (error) {
	say();
	sayWhy(error);
	process.exitCode = 1;
}
