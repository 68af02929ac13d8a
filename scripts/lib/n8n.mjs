import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	renameSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './machine.mjs';
import { N8nClient } from './n8n-client.mjs';
import { PACKED_PACKAGE, installPackage } from './package.mjs';
import { CACHE } from './paths.mjs';
import { startProgram, WITH_PARENT } from './programs.mjs';

const START_MS = 180_000;

/** Variables of an n8n that serves no editor, and so starts in half the time. */
export const WITHOUT_EDITOR = { N8N_DISABLE_UI: 'true' };

/** Who owns an n8n of the tests. */
export const TESTER = { email: 'tester@localhost.example', password: 'Tester-Secret-1' };

/**
 * Returns the settings of a local n8n that contacts nobody: no telemetry, no templates, no version or package look-ups.
 * @param {{ version: string }} runtime
 * @param {{ userFolder: string; port: number }} options
 */
function n8nEnvironment({ version }, { userFolder, port }) {
	// 1.x doesn't start if told to leave out a module it doesn't know, and by default has no task runner
	const ofLine = version.startsWith('1.')
		? { N8N_RUNNERS_ENABLED: 'true' }
		: { N8N_DISABLED_MODULES: 'mcp-registry' };
	return {
		...ofLine,
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}/`,
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
		// its code is compiled once for all starts
		NODE_COMPILE_CACHE: join(CACHE, 'n8n-compiled'),
	};
}

/**
 * Starts one of n8n's commands: `start` for the main process, `worker` for a worker of queue mode.
 * @param {{ node: string; n8n: string; bin: string; version: string }} runtime
 * @param {string[]} command the command and its flags
 * @param {{ userFolder: string; port: number; log: string; env?: Record<string, string>; nodeOptions?: string[]; hear?:
 * (text: string) => void }} options `nodeOptions` are for the Node that runs n8n
 */
async function launch(runtime, command, options) {
	const { userFolder, port, log, env = {}, nodeOptions = [], hear } = options;
	mkdirSync(userFolder, { recursive: true });
	writeFileSync(log, '');
	const args = [...WITH_PARENT, ...nodeOptions, runtime.n8n, ...command];
	return startProgram(`n8n ${command[0]}`, runtime.node, args, {
		cwd: userFolder,
		env: {
			...n8nEnvironment(runtime, { userFolder, port }),
			// the default would clash with any other n8n on this machine
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			...env,
			PATH: `${runtime.bin}:${env.PATH ?? process.env.PATH}`,
		},
		log,
		hear,
	});
}

/** Starts n8n without waiting for it. */
export const launchN8n = async (runtime, options) => await launch(runtime, ['start'], options);

/**
 * Starts n8n and waits until it responds.
 * @returns the process, the client of its REST API (`client`) and its address (`url`)
 */
export async function startN8n(runtime, options) {
	const program = await launchN8n(runtime, options);
	await program.says(/Editor is now accessible/, START_MS);
	const client = new N8nClient(`http://127.0.0.1:${options.port}`);
	await client.ready(START_MS);
	return Object.assign(program, { client, url: client.url });
}

/** Starts a worker of queue mode and waits until it takes executions, up to `concurrency` at once. */
export async function startWorker(runtime, concurrency, options) {
	const program = await launch(runtime, ['worker', `--concurrency=${concurrency}`], options);
	await program.says(/worker is now ready/i, START_MS);
	return program;
}

/** Starts a process of queue mode that takes webhooks and waits until it does. */
export async function startWebhooks(runtime, options) {
	const program = await launch(runtime, ['webhook'], options);
	await program.says(/Webhook listener waiting for requests/i, START_MS);
	return program;
}

const emptyFolder = ({ version }) => join(CACHE, `n8n-${version}-empty`);

/** Keeps what an n8n has in its folder after its first start, so that others begin with it, unless it is there. */
export async function keepEmptyN8n(runtime) {
	if (existsSync(emptyFolder(runtime))) return;
	const userFolder = mkdtempSync(join(tmpdir(), 'n8n-empty-'));
	try {
		const port = await freePort();
		const options = { userFolder, port, log: n8nLog(userFolder), env: WITHOUT_EDITOR };
		await (await startN8n(runtime, options)).stop();
		// it is whole or not there, also after a crash
		const part = `${emptyFolder(runtime)}-part`;
		cpSync(join(userFolder, '.n8n'), part, { recursive: true });
		renameSync(part, emptyFolder(runtime));
	} finally {
		rmSync(userFolder, { recursive: true, force: true });
	}
}

/** Puts into a new folder what is kept: the first start takes n8n seconds less, as its database has its tables. */
export function beginEmpty(runtime, userFolder) {
	if (!existsSync(emptyFolder(runtime))) return;
	cpSync(emptyFolder(runtime), join(userFolder, '.n8n'), { recursive: true });
}

/**
 * Starts an n8n with the packed package that several areas of the tests share.
 * @returns {Promise<{ port: number; userFolder: string; cookie: string; close: () => Promise<void> }>}
 */
export async function startSharedN8n(runtime) {
	const userFolder = mkdtempSync(join(tmpdir(), 'n8n-shared-'));
	beginEmpty(runtime, userFolder);
	installPackage(PACKED_PACKAGE, userFolder);
	const port = await freePort();
	const options = { userFolder, port, log: n8nLog(userFolder), env: WITHOUT_EDITOR };
	const n8n = await startN8n(runtime, options);
	await n8n.client.enter(TESTER);
	const close = async () => {
		await n8n.stop();
		rmSync(userFolder, { recursive: true, force: true });
	};
	return { port, userFolder, cookie: n8n.client.cookie, close };
}

/** Returns the path of the log file of the n8n in `userFolder`. */
export const n8nLog = (userFolder) => join(userFolder, 'n8n.log');
