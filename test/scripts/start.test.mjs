/** What makes the commands hard to break. Run by `npm test` with Node's own test runner. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { checkRegistry, explainNpm, run } from '../../scripts/lib/command.mjs';
import { containerRuntime } from '../../scripts/lib/container.mjs';
import { copyAsIs, typeErrors } from '../../scripts/lib/dev.mjs';
import { asksForKey, easiestFirst, examples, examplesPage } from '../../scripts/lib/examples.mjs';
import { endLeftGroups } from '../../scripts/lib/programs.mjs';
import { ensureHooks } from '../../scripts/lib/hooks.mjs';
import { jestTestsOf, pathsIn } from '../../scripts/lib/jest-tests.mjs';
import { readJson, writeJson } from '../../scripts/lib/json-file.mjs';
import { note, takeLock } from '../../scripts/lib/lock.mjs';
import { checkDisk, freePort, isRunning } from '../../scripts/lib/machine.mjs';
import { startN8n } from '../../scripts/lib/n8n.mjs';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { RESULT_COLUMNS, sayWhy, table } from '../../scripts/lib/say.mjs';
import { runTool } from '../../scripts/lib/tool.mjs';

const folder = mkdtempSync(join(tmpdir(), 'commands-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
const newFile = () => join(folder, `file-${made++}`);

/** Starts a Node program that says when it is ready and then waits; its first argument is `file`. */
async function startScript(file, source, options = {}) {
	const script = `${newFile()}.mjs`;
	writeFileSync(script, `${source}\nconsole.log('ready');\nsetInterval(() => {}, 1000);\n`);
	const child = spawn(process.execPath, [script, file], {
		stdio: ['ignore', 'pipe', 'inherit'],
		...options,
	});
	await once(child.stdout, 'data');
	return { child, script };
}

const TAKE = `
import { note, takeLock } from '${join(ROOT, 'scripts', 'lib', 'lock.mjs')}';
const lock = takeLock(process.argv[2]);
if (lock.owner) process.exit(3);
note(process.argv[2], { groups: ['noted'] });
`;

async function kill(child) {
	child.kill('SIGKILL');
	await once(child, 'close');
}

/** A stand-in for Docker and for the n8n in the image: records its arguments, and responds at n8n's port. */
const DOCKER = `#!${process.execPath}
const args = process.argv.slice(2);
require('node:fs').appendFileSync(__dirname + '/calls', JSON.stringify(args) + '\\n');
const port = args.find((arg) => arg.startsWith('N8N_PORT='))?.split('=')[1];
if (port) {
	const server = require('node:http').createServer((_, response) => response.end('{}'));
	server.listen(Number(port), '127.0.0.1', () => console.log('Editor is now accessible'));
}
`;

describe('n8n of a container image', () => {
	const { PATH } = process.env;
	after(() => Object.assign(process.env, { PATH }));

	it('says that it needs Docker', () => {
		process.env.PATH = folder;
		assert.throws(() => containerRuntime('n8n:3'), /--image needs Docker.*ENOENT/);
	});

	it('runs as this user, on the network of this machine, in the folder of the demo', async () => {
		writeFileSync(join(folder, 'docker'), DOCKER, { mode: 0o755 });
		process.env.PATH = `${folder}:${PATH}`;
		const runtime = containerRuntime('n8nio/n8n:3.0.1');
		assert.equal(runtime.version, '3.0.1');
		const port = await freePort();
		const n8n = await startN8n(runtime, { userFolder: folder, port, log: newFile() });
		assert.equal(n8n.url, `http://127.0.0.1:${port}`);
		await n8n.stop();
		const calls = readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n');
		const [, removed, ran] = calls.map((line) => JSON.parse(line));
		assert.equal(removed[0], 'rm');
		const text = ran.join(' ');
		assert.match(text, /^run --rm --name \S+ --network host --user \d+:\d+ /);
		assert.ok(text.includes(`--volume ${folder}:${folder} `));
		assert.ok(text.includes(`--env N8N_USER_FOLDER=${folder} `));
		assert.deepEqual(ran.slice(-2), ['n8nio/n8n:3.0.1', 'start']);
	});
});

describe('a lock', () => {
	it('is not given to a second process, and says who has it', async () => {
		const file = newFile();
		const { child } = await startScript(file, TAKE);
		assert.equal(takeLock(file).owner.pid, child.pid);
		await kill(child);
	});

	it('is free again when its owner was killed, and hands on what that had noted', async () => {
		const file = newFile();
		const { child } = await startScript(file, TAKE);
		await kill(child);
		const lock = takeLock(file);
		assert.deepEqual(lock.left.groups, ['noted']);
		lock.release();
		assert.equal(existsSync(file), false);
	});

	it('is free when another program has got the pid of its owner', () => {
		const file = newFile();
		writeFileSync(file, JSON.stringify({ pid: process.ppid, script: 'no-such-script.mjs' }));
		assert.ok(takeLock(file).release);
	});

	it('is free when its owner was cut off while writing it', () => {
		const file = newFile();
		writeFileSync(file, '{"pid":');
		assert.ok(takeLock(file).release);
	});

	it('is free when a command was killed while taking it', () => {
		const file = newFile();
		mkdirSync(`${file}.turn`);
		utimesSync(`${file}.turn`, 0, 0);
		assert.ok(takeLock(file).release);
		assert.equal(existsSync(`${file}.turn`), false);
	});

	it('goes to exactly one of many that find it abandoned at once', async () => {
		const file = newFile();
		writeFileSync(file, JSON.stringify({ pid: process.pid, script: 'no-such-script.mjs' }));
		const contend = `${newFile()}.mjs`;
		// Whoever gets it keeps it until all have asked.
		writeFileSync(contend, `${TAKE}\nconsole.log('got it');\nprocess.stdin.resume();\n`);
		const contenders = Array.from({ length: 6 }, () => spawn(process.execPath, [contend, file]));
		const ends = contenders.map(async (child) => (await once(child, 'exit'))[0]);
		await Promise.all(
			contenders.map((child, n) => Promise.race([ends[n], once(child.stdout, 'data')])),
		);
		for (const { stdin } of contenders) stdin.end();
		assert.deepEqual((await Promise.all(ends)).sort(), [0, 3, 3, 3, 3, 3]);
	});

	it('outlives a note that finds the disk full', { skip: !existsSync('/dev/full') }, () => {
		const file = newFile();
		const { release } = takeLock(file);
		symlinkSync('/dev/full', `${file}.${process.pid}`);
		note(file, { url: 'http://127.0.0.1:1' });
		assert.equal(readJson(file).pid, process.pid);
		release();
	});

	it('keeps what is noted beside its owner', () => {
		const file = newFile();
		takeLock(file);
		note(file, { url: 'http://127.0.0.1:1' });
		assert.deepEqual(readJson(file).pid, process.pid);
		assert.deepEqual(readJson(file).url, 'http://127.0.0.1:1');
	});
});

describe('programs that a killed command left', () => {
	it('are ended with all that they started', async () => {
		const { child, script } = await startScript(newFile(), '', { detached: true });
		const exited = once(child, 'exit');
		assert.equal(await endLeftGroups([{ pid: child.pid, script }]), 1);
		await exited;
		assert.equal(isRunning(child.pid, script), false);
	});

	it('are left alone where another program has got their pid', async () => {
		const { child, script } = await startScript(newFile(), '', { detached: true });
		assert.equal(await endLeftGroups([{ pid: child.pid, script: '/another/program' }]), 0);
		assert.equal(isRunning(child.pid, script), true);
		await kill(child);
	});
});

describe('a file that is written whole or not at all', () => {
	it('is read back; one that was cut off counts as missing', () => {
		const file = newFile();
		writeJson(file, { a: 1 });
		assert.deepEqual(readJson(file), { a: 1 });
		writeFileSync(file, readFileSync(file, 'utf8').slice(0, 3));
		assert.equal(readJson(file), null);
		assert.equal(readJson(newFile()), null);
	});
});

describe('the check for duplicates', () => {
	it('finds one small file that was copied', async () => {
		const copies = newFile();
		mkdirSync(copies);
		cpSync(join(ROOT, 'nodes/WebDataScrape/operations/batchCancel.ts'), join(copies, 'copy.ts'));
		const { path } = readJson(join(ROOT, '.jscpd.json'));
		const { ok, output } = await runTool('jscpd', ['--config', '.jscpd.json', ...path, copies]);
		assert.equal(ok, false);
		assert.match(output, /Found 1 clones/);
	});
});

describe('npm test with a path', () => {
	for (const [path, test] of [
		['test/unit/form', 'test/unit/form/labels.test.ts'],
		['./test/unit/form/', 'test/unit/form/labels.test.ts'],
		['test/unit/base/json.test.ts', 'test/unit/base/json.test.ts'],
		['nodes/shared/form', 'test/unit/form/labels.test.ts'],
		['nodes/shared/form/labels.ts', 'test/unit/form/labels.test.ts'],
		['nodes/shared/form/checks.ts', 'test/unit/form/reading.test.ts'],
		['test/support/task.ts', 'test/unit/run/credits/budget.test.ts'],
		['test', 'test/unit/base/json.test.ts'],
	]) {
		it(`runs the tests of ${path}`, async () => {
			const tests = await jestTestsOf(path);
			assert.ok(tests.includes(test), tests.join(' '));
		});
	}

	it('fails where no test is about it', async () => {
		await assert.rejects(jestTestsOf('test/e2e'), /No test is about test\/e2e\./);
		assert.deepEqual(await jestTestsOf('test/scripts'), [], 'these are no tests of jest');
	});

	it('fails where there is no such path, but takes the value of an option', () => {
		assert.throws(() => pathsIn(['test/nowhere']), /There is no file or folder test\/nowhere\./);
		assert.deepEqual(pathsIn(['-t', 'a name', 'test/unit']), ['test/unit']);
	});
});

describe('a fresh clone', () => {
	const { scripts } = readJson(join(ROOT, 'package.json'));
	const texts = ['README.md', 'docs/maintainers/developing.md'].map((file) =>
		readFileSync(join(ROOT, file)),
	);
	const named = String(texts).matchAll(/\bnpm (?:run ([\w:]+)|(start|test)\b)/g);
	const clone = newFile();
	const programs = newFile();

	before(() => {
		cpSync(join(ROOT, 'scripts'), join(clone, 'scripts'), { recursive: true });
		for (const file of ['package.json', 'package-lock.json']) {
			cpSync(join(ROOT, file), join(clone, file));
		}
		mkdirSync(programs);
		writeFileSync(join(programs, 'npm'), '#!/bin/sh\necho "npm error $1"; exit 1\n', {
			mode: 0o755,
		});
	});

	for (const name of new Set([...named].map(([, ran, short]) => ran ?? short))) {
		it(`gets what ${name} needs before anything else is started`, () => {
			const { stdout, stderr, status } = spawnSync('sh', ['-c', scripts[name]], {
				cwd: clone,
				encoding: 'utf8',
				env: { ...process.env, PATH: `${programs}:${process.env.PATH}` },
			});
			assert.match(
				stdout,
				/^\n?▸ Installing the development dependencies \(npm ci[^)]*\)\n[^]*npm error ci/,
			);
			assert.equal(stderr, '');
			assert.equal(status, 1);
		});
	}
});

describe('npm run scan', () => {
	const scan = (...args) => {
		const script = join(ROOT, 'scripts', 'scan.mjs');
		const { stdout, stderr, status } = spawnSync(process.execPath, [script, ...args], {
			encoding: 'utf8',
		});
		return { said: stdout + stderr, status };
	};

	it('names what n8n would load of an archive and is not in it', () => {
		const unpacked = newFile();
		const archive = `${newFile()}.tgz`;
		const { n8n } = readJson(join(ROOT, 'package.json'));
		const [present, ...nodes] = n8n.nodes;
		mkdirSync(join(unpacked, 'package', present), { recursive: true });
		cpSync(join(ROOT, 'package.json'), join(unpacked, 'package', 'package.json'));
		execFileSync('tar', ['-czf', archive, '-C', unpacked, 'package']);
		assert.deepEqual(scan(archive), {
			said: `✖ ${archive} lacks ${[...nodes, ...n8n.credentials].join(', ')}. \`npm run package\` makes one that has all.\n`,
			status: 1,
		});
	});

	it('says in a line that there is no archive', () => {
		const said = '✖ There is no file nope.tgz. `npm run package` makes an archive.\n';
		assert.deepEqual(scan('nope.tgz'), { said, status: 1 });
		assert.deepEqual(scan(), {
			said: '✖ Name an archive: npm run scan -- <file>.tgz\n',
			status: 1,
		});
	});
});

describe('npm run dev', () => {
	it('names a type error, as the compiler prints it with colors', () => {
		const program = `${newFile()}.ts`;
		writeFileSync(program, "const wrong: number = 'text';\nexport { wrong };\n");
		const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
		const args = [compiler, '--noEmit', '--pretty', '--skipLibCheck', '--types', 'node', program];
		const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
		assert.match(typeErrors(stdout).join('\n'), /TS2322/);
		assert.deepEqual(typeErrors('Found 0 errors. Watching for file changes.'), []);
	});

	it('copies what is not compiled: icons, codex files and schemas', () => {
		const installed = newFile();
		const files = [
			'icons/webDataCrawl.svg',
			'nodes/WebDataCrawl/WebDataCrawl.node.json',
			'nodes/WebDataCrawl/__schema__/v1.0.0/cancel.json',
		];
		for (const file of files) {
			copyAsIs(file, installed);
			const copy = readFileSync(join(installed, 'dist', file));
			assert.deepEqual(copy, readFileSync(join(ROOT, file)));
		}
		copyAsIs('nodes/WebDataCrawl/WebDataCrawl.node.ts', installed);
		assert.ok(!existsSync(join(installed, 'dist', 'nodes/WebDataCrawl/WebDataCrawl.node.ts')));
	});

	it('removes the copy of a file that is gone', () => {
		const installed = newFile();
		const copy = join(installed, 'dist', 'icons', 'gone.svg');
		mkdirSync(join(installed, 'dist', 'icons'), { recursive: true });
		writeFileSync(copy, '<svg/>');
		copyAsIs('icons/gone.svg', installed);
		assert.ok(!existsSync(copy));
		copyAsIs('icons/gone.svg', installed);
	});
});

describe('the pre-commit hook', () => {
	const { CI } = process.env;
	before(() => delete process.env.CI);
	after(() => CI !== undefined && (process.env.CI = CI));

	const newCheckout = () => {
		const root = newFile();
		mkdirSync(root);
		execFileSync('git', ['init', '--quiet'], { cwd: root });
		return { root, hook: join(root, '.git', 'hooks', 'pre-commit') };
	};

	it('is made for a checkout, as a program', () => {
		const { root, hook } = newCheckout();
		ensureHooks(root);
		assert.match(readFileSync(hook, 'utf8'), /lint-staged/);
		assert.ok(statSync(hook).mode & 0o100);
	});

	it('of somebody else is left alone', () => {
		const { root, hook } = newCheckout();
		mkdirSync(join(root, '.git', 'hooks'), { recursive: true });
		writeFileSync(hook, 'mine');
		ensureHooks(root);
		assert.equal(readFileSync(hook, 'utf8'), 'mine');
	});

	it('is not made by CI, nor where there is no git', () => {
		const { root, hook } = newCheckout();
		process.env.CI = 'true';
		ensureHooks(root);
		delete process.env.CI;
		assert.equal(existsSync(hook), false);
		ensureHooks(folder);
		assert.equal(existsSync(join(folder, '.git')), false);
	});
});

describe('what to do is said', () => {
	const said = (work) => {
		const write = process.stdout.write;
		let text = '';
		process.stdout.write = (chunk) => Boolean((text += chunk));
		try {
			work();
		} finally {
			process.stdout.write = write;
		}
		return text;
	};

	it('when the disk is full, or would be', () => {
		const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
		assert.match(
			said(() => sayWhy(full)),
			/The disk is full .* Make room/,
		);
		assert.throws(
			() => checkDisk(folder, 1e18),
			/The disk has .* left, and this needs .* Make room/,
		);
		checkDisk(folder, 1);
	});

	for (const code of ['EACCES', 'EPERM', 'EROFS']) {
		it(`when a file can't be written (${code})`, () => {
			const path = join(folder, '.cache');
			const denied = Object.assign(new Error(`${code}: denied, mkdir '${path}'`), { code, path });
			assert.equal(
				said(() => sayWhy(denied)),
				`✖ ${path} can't be written (${code}: denied). If it belongs to another user (was a command run with sudo?), make it yours (chown), or delete .cache.\n`,
			);
		});
	}

	it('when a program was killed, without what npm warned of', async () => {
		const program = 'echo "npm warn EBADENGINE Unsupported engine"; kill -9 $$';
		await assert.rejects(run('sh', ['-c', program], { cwd: folder }), ({ message }) => {
			assert.match(message, /SIGKILL\)\. Something killed it, .* Run the command again/);
			assert.doesNotMatch(message.split('\n').slice(1).join(''), /EBADENGINE/);
			return true;
		});
	});

	it('when the disk gets full under an npm that would go on', async () => {
		const { PATH } = process.env;
		const programs = newFile();
		mkdirSync(programs);
		process.env.PATH = `${programs}:${PATH}`;
		const program = '#!/bin/sh\necho "npm warn tar ENOSPC: no space left on device"; sleep 60\n';
		writeFileSync(join(programs, 'npm'), program, { mode: 0o755 });
		const start = Date.now();
		try {
			await assert.rejects(run('npm', ['ci']), /The disk is full\. Make room/);
		} finally {
			process.env.PATH = PATH;
		}
		assert.ok(Date.now() - start < 30_000);
	});

	for (const [output, advice] of [
		['npm error code EINTEGRITY', /A download was damaged\. Run the command again/],
		['npm error code ENOTFOUND', /could not reach its registry/],
		['npm error code E503', /registry answered with an error\. Wait a moment/],
		['npm error code ENOSPC', /The disk is full/],
		['gyp ERR! not found: make', /Install python3, make and g\+\+/],
	]) {
		it(`when npm says "${output}"`, () => assert.match(explainNpm(output), advice));
	}
});

describe('npm start', () => {
	const start = (args, env = {}) =>
		spawnSync(process.execPath, [join(ROOT, 'scripts', 'start.mjs'), ...args], {
			encoding: 'utf8',
			env: { ...process.env, ...env },
		});

	// What npm sets and passes on without `--`, and what it passes on after it.
	for (const [typed, kept, args, command] of [
		['--once', { once: 'true' }, [], '--once'],
		['--once --port', { once: 'true', port: 'true' }, [], '--once --port <port>'],
		['--once --port 5801', { once: 'true', port: 'true' }, ['5801'], '--once --port 5801'],
		['--port=5801', { port: '5801' }, [], '--port 5801'],
		['--once -- --port 5801', { once: 'true' }, ['--port', '5801'], '--once --port 5801'],
		['--port 5801 -- --once', { port: 'true' }, ['5801', '--once'], '--port 5801 --once'],
		[
			'--image n8n:next --dev',
			{ image: 'true', dev: 'true' },
			['n8n:next'],
			'--image n8n:next --dev',
		],
		[
			'--base-url=http://a.example --api-key abc',
			{ base_url: 'http://a.example', api_key: 'true' },
			['abc'],
			'--base-url http://a.example --api-key <api-key>',
		],
	]) {
		it(`says how to hand on what npm keeps for itself: npm start ${typed}`, () => {
			const env = Object.entries(kept).map(([name, value]) => [`npm_config_${name}`, value]);
			const { stdout, status } = start(args, Object.fromEntries(env));
			assert.equal(status, 1);
			const names = Object.keys(kept).map((name) => `--${name.replace('_', '-')}`);
			for (const name of names) assert.ok(stdout.includes(name), stdout);
			assert.ok(
				stdout.endsWith(` for itself. Put -- before options: npm start -- ${command}\n`),
				stdout,
			);
			assert.doesNotMatch(stdout, /abc/);
		});
	}

	for (const [args, says] of [
		[['--once', '--port'], '--port needs a value'],
		[['--port', '--once'], '--port needs a value'],
		[['--prot'], "Unknown option '--prot'"],
		[['5801'], "Unexpected argument '5801'"],
	]) {
		it(`says what is wrong in a line, then the options, in 24 × 80: ${args.join(' ')}`, () => {
			const { stdout, status } = start(args);
			assert.equal(status, 1);
			assert.ok(stdout.startsWith(`\n✖ ${says}\n\nnpm start -- [options]\n`), stdout);
			const lines = stdout.split('\n');
			assert.ok(lines.length <= 24);
			for (const line of lines) assert.ok(line.length <= 80, line);
		});
	}

	it('prints what a search found in 80 columns', () => {
		const long = { source: 'images', title: 'x'.repeat(99), url: 'https://a.example'.repeat(9) };
		for (const line of table([long], RESULT_COLUMNS).split('\n'))
			assert.ok(line.length <= 80, line);
	});

	it('shows the easiest example first', () => {
		const all = easiestFirst(examples());
		assert.equal(all.length, examples().length);
		assert.equal(all[0].name, 'Agent task: facts about a company');
		assert.ok(all.at(-1).nodes.some(asksForKey));
	});

	it('has a list of all examples, with the address of each (renew it: npm run docs)', () => {
		const page = readFileSync(join(ROOT, 'examples', 'README.md'), 'utf8');
		assert.equal(page, examplesPage(page));
		for (const { name } of examples()) assert.ok(page.includes(`[${name}](`), name);
	});

	it('says within seconds that a registry cannot be reached', async () => {
		const port = await freePort();
		process.env.npm_config_registry = `http://127.0.0.1:${port}`;
		try {
			await assert.rejects(checkRegistry(), /npm could not reach its registry/);
		} finally {
			delete process.env.npm_config_registry;
		}
	});
});
