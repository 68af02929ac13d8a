#!/usr/bin/env node
/**
 * Rehearses a whole release on this machine, `npm run release:rehearse`: a clone of the last commit is packed, released
 * as the next version (which freezes what saved workflows do), scanned, published to a registry on 127.0.0.1, installed
 * and upgraded through n8n's own installer, and a workflow saved before the upgrade is run after it. The upgrade starts
 * at the last tag, or at `-- <commit>`.
 */
import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './lib/command.mjs';
import { freePort } from './lib/machine.mjs';
import { main, sayCounts } from './lib/main.mjs';
import { PACKAGE_NAME, ROOT } from './lib/paths.mjs';
import { stopAll } from './lib/programs.mjs';
import { ensureRuntime } from './lib/runtime.mjs';
import { Problem, say, step } from './lib/say.mjs';

const OWNER = { email: 'rehearsal@localhost.example', password: 'Rehearsal-Secret-1' };
const FEATURE = '- A rehearsed feature.';

const checks = [];
function check(name, ok) {
	checks.push({ passed: Number(ok), failed: Number(!ok) });
	say(`  ${ok ? '✔' : '✖'} ${name}`);
}

const versionIn = (folder) =>
	JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;

/** Creates a fresh clone with its own remote and the dependencies of this checkout. */
async function cloneInto(work) {
	const [origin, clone] = ['origin.git', 'clone'].map((name) => join(work, name));
	const git = async (...args) => await run('git', args, { cwd: clone });
	await run('git', ['clone', '--quiet', '--bare', ROOT, origin], { cwd: work });
	await run('git', ['branch', '--force', 'main', 'HEAD'], { cwd: origin }).catch(() => {});
	await run('git', ['clone', '--quiet', '--branch', 'main', origin, clone], { cwd: work });
	symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
	await git('config', 'user.name', 'Rehearsal');
	await git('config', 'user.email', OWNER.email);
	return { clone, git };
}

/** Packs as `npm run package` does, which earlier releases don't have. Returns the archive. */
async function packIn(clone) {
	await run('npm', ['pack', '--ignore-scripts=false'], { cwd: clone });
	return join(clone, `${PACKAGE_NAME}-${versionIn(clone)}.tgz`);
}

/** Packs what users have: the last release, or the last commit if there is none. */
async function packReleased({ clone, git }, commit) {
	const tag = await git('describe', '--tags', '--abbrev=0').catch(() => 'HEAD');
	await git('checkout', '--quiet', '--detach', commit ?? tag.trim());
	await run('npm', ['run', 'build'], { cwd: clone });
	const archive = await packIn(clone);
	await git('checkout', '--quiet', 'main');
	return archive;
}

/** Creates the next version with `npm run release` and an added feature; the tests ran before, or run in CI. */
async function releaseNext({ clone, git }) {
	const version = versionIn(clone);
	await git('tag', '--annotate', '--force', `v${version}`, '--message', version);
	const changelog = join(clone, 'CHANGELOG.md');
	const UNRELEASED = '## [Unreleased]\n\n';
	const text = readFileSync(changelog, 'utf8');
	writeFileSync(changelog, text.replace(UNRELEASED, `${UNRELEASED}${FEATURE}\n\n`));
	await git('commit', '--quiet', '--all', '--message', 'feat: a rehearsed feature');
	await git('push', '--quiet', '--force', '--tags', 'origin', 'main');
	await run('npm', ['run', 'release', '--', '--ci', '--hooks.before:init=node --version'], {
		cwd: clone,
	});
	const next = versionIn(clone);
	const [entry] = readFileSync(changelog, 'utf8').split(UNRELEASED).slice(1);
	check(
		`the changelog has an entry for ${next}`,
		entry.startsWith(`## [${next}]`) && entry.includes(FEATURE),
	);
	return next;
}

/** A default that is always sent, so saved workflows depend on it. */
const DEFAULT = {
	file: 'nodes/WebDataCrawl/operations/startFields.ts',
	before: "'Max Pages', {\n\tdefault: 100,",
	after: "'Max Pages', {\n\tdefault: 99,",
};

/** Checks that the release has frozen what saved workflows do, and that a change to it is noticed. */
async function replayFrozen({ clone, git }, version) {
	const folder = join(clone, 'test', 'upgrade', version);
	const files = existsSync(folder) ? readdirSync(folder) : [];
	const { nodes } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')).n8n;
	check(`${version} has frozen cases of all nodes`, files.length === nodes.length + 1);
	const tracked = await git('ls-files', folder);
	check('and they are part of the release', tracked.trim().split('\n').length === files.length);
	const result = join(clone, '..', 'replay.json');
	/** Returns the failed replays, each with its difference. */
	const replays = async () => {
		const args = ['test/upgrade', '--silent', '--json', '--outputFile', result];
		await run(join(clone, 'node_modules', '.bin', 'jest'), args, { cwd: clone }).catch(() => {});
		return JSON.parse(readFileSync(result, 'utf8')).testResults.flatMap(({ assertionResults }) =>
			assertionResults
				.filter(({ status }) => status !== 'passed')
				.map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join('\n')}`),
		);
	};
	const differing = await replays();
	check('workflows saved with it do the same', differing.length === 0);
	if (differing.length > 0) say(differing.join('\n'));
	const file = join(clone, DEFAULT.file);
	const text = readFileSync(file, 'utf8');
	const changed = text.replace(DEFAULT.before, DEFAULT.after);
	if (changed === text) throw new Problem(`${DEFAULT.file} has no such default any more`);
	writeFileSync(file, changed);
	const noticed = await replays();
	check(
		'a changed default is noticed',
		noticed.some((text) => /webDataCrawl start[^]*sends or gets something else now/.test(text)),
	);
	writeFileSync(file, text);
}

/** Runs the workflow that was saved before the upgrade. */
async function runSaved({ client }) {
	const { runExample } = await import('./lib/run-example.mjs');
	for (const { name, ok } of await runExample(client)) check(name, ok);
}

async function inN8n(work, registry, versions, archives) {
	const { startLocalService } = await import('./lib/local-service.mjs');
	const { startN8n, n8nLog } = await import('./lib/n8n.mjs');
	const { examples, importExamples } = await import('./lib/examples.mjs');
	const { behind, publish } = await import('./lib/registry.mjs');
	const [version, next] = versions;
	const runtime = await ensureRuntime('latest');
	const userFolder = join(work, 'n8n');
	const options = {
		userFolder,
		port: await freePort(),
		log: n8nLog(work),
		env: behind(registry, join(work, 'npm')),
	};
	const service = await startLocalService({ crawlMs: 1000 });
	await publish(archives[0], registry);
	let n8n = await step(
		`Starting n8n ${runtime.version}`,
		async () => await startN8n(runtime, options),
	);
	await n8n.client.enter(OWNER);
	const installed = async () =>
		(await n8n.client.request('GET', '/community-packages')).find(
			({ packageName }) => packageName === PACKAGE_NAME,
		);

	await step(`n8n's installer installs ${version}`, async () => {
		await n8n.client.request('POST', '/community-packages', { name: PACKAGE_NAME, version });
	});
	check(`n8n has installed ${version}`, (await installed())?.installedVersion === version);

	const { client } = n8n;
	const credential = await client.saveCredential({
		name: 'Web Data Service',
		type: 'webDataServiceApi',
		data: service,
	});
	await importExamples(client, examples(), credential, join(work, 'imported.json'));
	await runSaved(n8n);

	await publish(archives[1], registry);
	const offered = (await installed())?.updateAvailable;
	check(`n8n offers the upgrade to ${next}`, offered === next);
	await step(`n8n's installer upgrades to ${next}`, async () => {
		await client.request('PATCH', '/community-packages', { name: PACKAGE_NAME, version: next });
	});
	check(`n8n has installed ${next}`, (await installed())?.installedVersion === next);
	await runSaved(n8n);

	await n8n.stop();
	n8n = await step('Starting n8n again', async () => await startN8n(runtime, options));
	await n8n.client.enter(OWNER);
	await runSaved(n8n);
}

async function rehearse(work) {
	const { startRegistry } = await import('./lib/registry.mjs');
	const checkout = await step('Cloning the last commit', async () => await cloneInto(work));
	const { clone } = checkout;
	const version = versionIn(clone);
	const first = await step(
		`Packing ${version}`,
		async () => await packReleased(checkout, process.argv[2]),
	);
	const next = await step('npm run release', async () => await releaseNext(checkout));
	say(`  ${version} → ${next}`);
	await step('Replaying saved workflows', async () => await replayFrozen(checkout, next));
	const second = await step(`Packing ${next}`, async () => await packIn(clone));
	for (const archive of [first, second]) {
		await step("n8n's scan", async () => {
			say(
				`  ${(await run('npm', ['run', '--silent', 'scan', '--', archive], { cwd: clone })).trim()}`,
			);
		});
	}
	const registry = await startRegistry();
	try {
		await inN8n(work, registry, [version, next], [first, second]);
	} finally {
		registry.close();
	}
}

const work = mkdtempSync(join(tmpdir(), 'release-'));
await main(async () => await rehearse(work));
if (process.exitCode === 1) checks.push({ passed: 0, failed: 1 });
await stopAll();
rmSync(work, { recursive: true, force: true });
sayCounts(checks);
