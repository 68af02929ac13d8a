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
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../../scripts/lib/command.mjs';
import { copyAsIs, typeErrors } from '../../scripts/lib/dev.mjs';
import { asksForKey, easiestFirst, examples, examplesPage } from '../../scripts/lib/examples.mjs';
import { jestTestsOf, pathsIn } from '../../scripts/lib/jest-tests.mjs';
import { readJson, writeJson } from '../../scripts/lib/json-file.mjs';
import { takeLock } from '../../scripts/lib/lock.mjs';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { RESULT_COLUMNS, table } from '../../scripts/lib/say.mjs';

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
	const [said] = await once(child.stdout, 'data');
	return { child, script, said: String(said) };
}

const TAKE = `
import { takeLock } from '${join(ROOT, 'scripts', 'lib', 'lock.mjs')}';
if (takeLock(process.argv[2]).owner) process.exit(3);
`;

async function kill(child) {
	child.kill('SIGKILL');
	await once(child, 'close');
}

describe('a lock', () => {
	it('is not given to a second process, and says who has it', async () => {
		const file = newFile();
		const { child } = await startScript(file, TAKE);
		assert.equal(takeLock(file).owner.pid, child.pid);
		await kill(child);
	});

	it('is free again when its owner was killed', async () => {
		const file = newFile();
		const { child } = await startScript(file, TAKE);
		await kill(child);
		takeLock(file).release();
		assert.equal(existsSync(file), false);
	});

	it('is free when its owner was cut off while writing it', () => {
		const file = newFile();
		writeFileSync(file, '{"pid":');
		assert.ok(takeLock(file).release);
	});
});

/** A command that starts a program, which starts another one. */
const SLEEP = `
import { endProgramsWithThis, startProgram, WITH_PARENT } from '${join(ROOT, 'scripts', 'lib', 'programs.mjs')}';
endProgramsWithThis();
const source = "require('child_process').spawn('sleep', ['600']); setInterval(() => {}, 1000); console.log('up')";
const program = startProgram('sleep', process.execPath, [...WITH_PARENT, '-e', source], { log: process.argv[2] });
await program.says(/up/, 10_000);
console.log(program.pid);
`;

describe('a program', () => {
	for (const signal of ['SIGTERM', 'SIGKILL']) {
		it(`ends with the command that started it, and so does all that it started: ${signal}`, async () => {
			const { child, said } = await startScript(newFile(), SLEEP);
			const group = -parseInt(said);
			assert.ok(process.kill(group, 0));
			child.kill(signal);
			await once(child, 'close');
			await assert.rejects(async () => {
				for (let tries = 0; tries < 50; tries++) {
					process.kill(group, 0);
					await sleep(100);
				}
			}, /ESRCH/);
		});
	}
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

describe('npm test with a path', () => {
	for (const [path, test] of [
		['test/unit/form', 'test/unit/form/labels.test.ts'],
		['./test/unit/form/', 'test/unit/form/labels.test.ts'],
		['test/unit/base/url.test.ts', 'test/unit/base/url.test.ts'],
		['nodes/shared/form', 'test/unit/form/labels.test.ts'],
		['nodes/shared/form/labels.ts', 'test/unit/form/labels.test.ts'],
		['nodes/shared/form/checks.ts', 'test/unit/form/reading.test.ts'],
		['test/support/task.ts', 'test/unit/run/credits/budget.test.ts'],
		['test', 'test/unit/base/url.test.ts'],
	]) {
		it(`runs the tests of ${path}`, async () => {
			const tests = await jestTestsOf(path);
			assert.ok(tests.includes(test), tests.join(' '));
		});
	}

	it('runs none where none is about it', async () => {
		assert.deepEqual(await jestTestsOf('test/scripts'), []);
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

	for (const name of ['e2e', 'start', 'suite', 'test']) {
		it(`says what ${name} does, and runs nothing: --help`, () => {
			const args = [join(clone, 'scripts', `${name}.mjs`), '--help'];
			const stdout = execFileSync(process.execPath, args, { encoding: 'utf8' });
			assert.match(stdout, /^[^▸]*npm [^▸]*$/);
		});
	}
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
});

describe('what failed is said', () => {
	it('of a program with the end of its output, without what npm warned of', async () => {
		const program = 'echo "npm warn EBADENGINE"; echo "npm error E503"; kill -9 $$';
		await assert.rejects(run('sh', ['-c', program], { cwd: folder }), ({ message }) => {
			const [failed, ...output] = message.split('\n');
			assert.match(failed, /^`sh -c .*` failed \(SIGKILL\)\.$/);
			assert.deepEqual(output, ['npm error E503']);
			return true;
		});
	});
});

describe('npm start', () => {
	const start = (args) =>
		spawnSync(process.execPath, [join(ROOT, 'scripts', 'start.mjs'), ...args], {
			encoding: 'utf8',
		});

	for (const [args, says] of [
		[['--once', '--port'], "Option '--port <value>' argument missing"],
		[['--port', '--once'], "Option '--port' argument is ambiguous"],
		[['--prot'], "Unknown option '--prot'"],
		[['5801'], "Unexpected argument '5801'"],
	]) {
		it(`says what is wrong in a line: ${args.join(' ')}`, () => {
			const { stdout, status } = start(args);
			assert.deepEqual([stdout, status], [`✖ ${says}. --help lists the options.\n`, 1]);
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
});
