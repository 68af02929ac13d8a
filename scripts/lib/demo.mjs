import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DEV_N8N, INSPECTOR, watchSources } from './dev.mjs';
import { asksForKey, easiestFirst, examples, importExamples } from './examples.mjs';
import { readJson, writeJson } from './json-file.mjs';
import { takeLock } from './lock.mjs';
import { canListen, checkPort, freePort } from './machine.mjs';
import { sayCounts } from './main.mjs';
import { n8nLog, startN8n } from './n8n.mjs';
import { buildAndPack, installPackage } from './package.mjs';
import { CACHE, LOGS, ROOT } from './paths.mjs';
import { endPrograms, startProgram, WITH_PARENT } from './programs.mjs';
import { publishMonitor, runExample } from './run-example.mjs';
import { ensureRuntime } from './runtime.mjs';
import { Problem, say, step } from './say.mjs';

const USER_FOLDER = join(CACHE, 'n8n-demo');
/** Lock of a running demo; its content says where the demo runs. */
const LOCK = join(CACHE, 'locks', 'demo');
const API_KEY = 'local-demo-key';
/**
 * How long the local service's crawls and batches take, how often there is something new, and how often its monitors
 * check, in ms: n8n polls each minute.
 */
const TIMES = ['--crawl-ms', '15000', '--grow-ms', '30000', '--monitor-ms', '5000'];
const CREDENTIAL = { name: 'Web Data Service', type: 'webDataServiceApi' };

/** Returns what a file of the demo's folder has; if there is none, what `make` returns, kept there from then on. */
function kept(name, make) {
	const file = join(USER_FOLDER, name);
	const known = readJson(file) ?? make();
	writeJson(file, known);
	return known;
}

/** Returns the login of the demo's n8n, generated at its first start. It is useless outside this machine. */
const demoOwner = () =>
	kept('login.json', () => ({
		email: 'demo@localhost.example',
		password: `Demo-${randomBytes(6).toString('hex')}-1A`,
	}));

/** Starts the stand-in on the port that it had before, if that is free, so that a credential made by hand stays right. */
async function startService() {
	const next = await freePort();
	const { port } = kept('service.json', () => ({ port: next }));
	const program = startProgram(
		'The local Web Data Service',
		process.execPath,
		[
			...[...WITH_PARENT, '--import', 'tsx', join(ROOT, 'mock-service', 'main.ts')],
			...['--port', `${(await canListen(port)) ? port : next}`, '--api-key', API_KEY, ...TIMES],
		],
		{ cwd: ROOT, log: join(LOGS, 'service.log') },
	);
	const [baseUrl] = await program.says(/http:\/\/127\.0\.0\.1:\d+\S*/, 60_000);
	return { baseUrl, apiKey: API_KEY };
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

/** Takes the demo's lock, because two n8n on one database would break it. */
function takeDemo() {
	const { owner, release } = takeLock(LOCK);
	if (owner) {
		throw new Problem(
			`The demo is already running${owner.url ? ` at ${owner.url}` : ''} (process ${owner.pid}). ` +
				`Stop it with Ctrl-C in its window or \`kill ${owner.pid}\`.`,
		);
	}
	process.once('exit', release);
}

/**
 * Starts everything, runs an example, waits for a monitor's alert and, unless `once`, leaves it running.
 * @param {{ once: boolean; port: number; fresh: boolean; dev: boolean }} settings
 */
export async function demo({ once, port, fresh, dev }) {
	takeDemo();
	await checkPort(port);
	if (fresh) rmSync(USER_FOLDER, { recursive: true, force: true });
	mkdirSync(USER_FOLDER, { recursive: true });
	const runtime = await ensureRuntime('latest');
	let installed;
	await step('Building the package and installing it into n8n', async () => {
		installed = installPackage(await buildAndPack(), USER_FOLDER);
	});
	if (dev) await step('Starting the compiler', async () => await watchSources(installed));
	const service = await step(
		'Starting the local Web Data Service (made-up data, no internet)',
		startService,
	);
	const owner = demoOwner();
	const options = { userFolder: USER_FOLDER, port, log: n8nLog(USER_FOLDER) };
	const { client, url } = await step(
		`Starting n8n ${runtime.version} (the first start prepares its database)`,
		async () => await startN8n(runtime, { ...options, ...(dev && DEV_N8N) }),
	);
	writeJson(LOCK, { pid: process.pid, url });
	await client.enter(owner);
	const credential = await step(
		`Filling in the credential "${CREDENTIAL.name}" for ${service.baseUrl} and testing it`,
		async () => await connect(client, service),
	);
	const all = easiestFirst(examples());
	await step('Importing the example workflows', async () => {
		await importExamples(client, all, credential, join(USER_FOLDER, 'imported.json'));
	});
	const alerted = await publishMonitor(client, all);
	const isRight = await runExample(client);
	if (once) {
		const results = [isRight, await alerted()];
		sayCounts(results.map((ok) => ({ passed: Number(ok), failed: Number(!ok) })));
		await endPrograms();
		return;
	}
	say('Example workflows, the easiest first:');
	for (const { id, name, nodes } of all) {
		const needs = nodes.some(asksForKey) ? ' (needs an OpenAI key)' : '';
		say(`  ${name}${needs}\n    ${url}/workflow/${id}`);
	}
	say(`\nBase URL    ${service.baseUrl}`);
	say(`API Key     ${service.apiKey}`);
	if (dev) say('Development Save a file of nodes/ or credentials/, and n8n has it.');
	if (dev) say(`Debugger    ${INSPECTOR}`);
	// otherwise n8n opens its assistant, not the workflows
	say(`\n1. Open ${url}/home/workflows and log in: ${owner.email}, ${owner.password}`);
	say(`2. Open "${all[0].name}" and press Execute workflow.`);
	say('3. For a key of your own, add a credential under Credentials; the next start keeps it.');
	say('\nCtrl-C stops it.\n');
	process.exitCode = 0;
	if (!(await alerted())) say('No monitor has sent an alert within a minute.');
}
