import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { watch } from './alert.mjs';
import { RUN_EXAMPLE, runExample } from './run-example.mjs';
import { DEV_N8N, INSPECTOR, watchSources } from './dev.mjs';
import { asksForKey, easiestFirst, examples, importExamples } from './examples.mjs';
import { startLocalService } from './local-service.mjs';
import { canListen, freePort } from './machine.mjs';
import { n8nLog, startN8n } from './n8n.mjs';
import { readJson, writeJson } from './json-file.mjs';
import { buildAndPack, installPackage } from './package.mjs';
import { CACHE, DEMO_LOCK } from './paths.mjs';
import { killAllGroups, stopAll } from './programs.mjs';
import { ensureRuntime } from './runtime.mjs';
import { Problem, say, sayWhy, step } from './say.mjs';

const USER_FOLDER = join(CACHE, 'n8n-demo');
/** Duration of the local service's crawls and batches, in ms. */
const CRAWL_MS = 15_000;
/** How often the local service's sites, searches and pages have something new, in ms: n8n polls each minute. */
const GROW_MS = 30_000;
/** How often the local service's monitors check, in ms: with what is new, an alert comes within a minute. */
const MONITOR_MS = 5_000;
const CREDENTIAL = { name: 'Web Data Service', type: 'webDataServiceApi' };

/** Returns the login of the demo's n8n, generated at its first start. It is useless outside this machine. */
function demoOwner() {
	const file = join(USER_FOLDER, 'login.json');
	const known = readJson(file);
	if (known) return known;
	const owner = {
		email: 'demo@localhost.example',
		password: `Demo-${randomBytes(6).toString('hex')}-1A`,
	};
	writeJson(file, owner);
	return owner;
}

/** Starts the local service on the port that it had before, so that a credential made by hand stays right. */
async function startService() {
	const file = join(USER_FOLDER, 'service.json');
	const known = readJson(file)?.port;
	const port = known && (await canListen(known)) ? known : await freePort();
	writeJson(file, { port });
	const times = { crawlMs: CRAWL_MS, growMs: GROW_MS, monitorMs: MONITOR_MS };
	return await startLocalService({ port, ...times });
}

async function connect(client, service) {
	const credential = await client.saveCredential({ ...CREDENTIAL, data: service });
	const test = await client.testCredential(credential, service);
	if (test.status !== 'OK') {
		throw new Problem(
			`n8n tested the credential against ${service.baseUrl} and it failed: ${test.message}`,
		);
	}
	return credential;
}

/** Resolves when the user (or the system, or the end of npm) asks to stop. */
async function untilStopped() {
	await new Promise((resolve) => {
		process.once('SIGINT', resolve).once('SIGTERM', resolve).once('SIGHUP', resolve);
		if (process.env.npm_lifecycle_event) {
			const parent = process.ppid;
			setInterval(() => process.ppid !== parent && resolve(), 1000).unref();
		}
	});
}

/**
 * Starts everything, runs an example and, unless `once`, keeps running until it is stopped.
 * @param {{ once: boolean; port: number; fresh: boolean; service?: { baseUrl: string; apiKey: string }
 * }} settings
 * @returns {Promise<number>} the exit code
 */
export async function demo(settings) {
	const stopped = untilStopped();
	process.once('exit', killAllGroups);
	if (settings.fresh) rmSync(USER_FOLDER, { recursive: true, force: true });
	mkdirSync(USER_FOLDER, { recursive: true });
	try {
		const work = runDemo(settings);
		const checks = await Promise.race([work, stopped]);
		if (checks === undefined) {
			work.catch(() => {});
			say('\nStopped before it was ready.');
			return 130;
		}
		const failed = checks.filter(({ ok }) => !ok);
		if (settings.once || failed.length > 0) {
			for (const { ok, name } of checks) say(`  ${ok ? '✔' : '✖'} ${name}`);
		}
		if (settings.once) {
			say(`\n${checks.length - failed.length} passed, ${failed.length} failed`);
			return failed.length === 0 ? 0 : 1;
		}
		say('\nCtrl-C stops it.');
		await stopped;
		say('\nStopping …');
		return 0;
	} finally {
		await stopAll();
		killAllGroups();
	}
}

async function runDemo({ once, port, service: given, dev }) {
	const runtime = await ensureRuntime('latest');
	let installed;
	await step('Building the package and installing it into n8n', async () => {
		installed = installPackage(await buildAndPack(), USER_FOLDER);
	});
	const hear = dev
		? await step('Starting the compiler', async () => await watchSources(installed))
		: undefined;
	const service =
		given ??
		(await step('Starting the local Web Data Service (made-up data, no internet)', startService));
	const owner = demoOwner();
	const n8n = await step(
		`Starting n8n ${runtime.version} (the first start prepares its database)`,
		async () =>
			await startN8n(runtime, {
				userFolder: USER_FOLDER,
				port,
				log: n8nLog(USER_FOLDER),
				hear,
				...(dev ? DEV_N8N : {}),
			}),
	);
	writeJson(DEMO_LOCK, { pid: process.pid, url: n8n.url });
	await n8n.client.enter(owner);
	const credential = await step(
		`Filling in the credential "${CREDENTIAL.name}" for ${service.baseUrl} and testing it`,
		async () => await connect(n8n.client, service),
	);
	const all = easiestFirst(examples());
	await step('Importing the example workflows', async () => {
		await importExamples(n8n.client, all, credential, join(USER_FOLDER, 'imported.json'));
	});
	const isStandIn = given === undefined;
	const alerted = isStandIn && (await step('Publishing a monitor', () => watch(n8n, all)));
	say();
	say(`▸ Running "${RUN_EXAMPLE.name}"`);
	const checks = await runExample(n8n.client);
	say();
	if (!once) sayWhatIsThere({ n8n, owner, all, service, isStandIn, dev });
	if (!alerted) return checks;
	const alert = alerted();
	if (once) return [...checks, await alert];
	alert.catch(sayWhy);
	return checks;
}

/** Prints what can be opened now: the examples first, as they may scroll away, and what to do next at the end. */
function sayWhatIsThere({ n8n, owner, all, service, isStandIn, dev }) {
	say('Example workflows, the easiest first:');
	for (const { id, name, nodes } of all) {
		const needs = nodes.some(asksForKey) ? ' (needs an OpenAI key)' : '';
		say(`  ${name}${needs}\n    ${n8n.url}/workflow/${id}`);
	}
	say();
	say(`Base URL    ${service.baseUrl}`);
	if (isStandIn) say(`API Key     ${service.apiKey}`);
	if (dev) say('Development Save a file of nodes/ or credentials/, and n8n has it.');
	if (dev) say(`Debugger    ${INSPECTOR}`);
	say();
	// otherwise n8n opens its assistant, not the workflows
	say(`1. Open ${n8n.url}/home/workflows and log in: ${owner.email}, ${owner.password}`);
	say(`2. Open "${all[0].name}" and press Execute workflow.`);
	say('3. For a key of your own, add a credential under Credentials; the next start keeps it.');
}
