/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/** What nobody but the CI itself would notice about its workflows. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

const ROOT = join(__dirname, '../..');
const FOLDER = join(ROOT, '.github/workflows');
const texts = readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]);

interface Workflow {
	permissions: unknown;
	concurrency: unknown;
	jobs: Record<string, { 'timeout-minutes': unknown; permissions?: Record<string, string> }>;
}

describe.each(texts)('%s', (name, text) => {
	const { permissions, concurrency, jobs } = load(text) as Workflow;

	it('pins every action by its full commit and says its version', () => {
		const uses = text.split('\n').filter((line) => /\buses:/.test(line));
		expect(uses.length).toBeGreaterThan(0);
		expect(uses.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
	});

	it('may only read, but for the identity token of a release', () => {
		expect(permissions).toEqual({ contents: 'read' });
		const more = Object.values(jobs).flatMap((job) => (job.permissions ? [job.permissions] : []));
		const release = { contents: 'read', 'id-token': 'write' };
		expect(more).toEqual(name === 'publish.yml' ? [release] : []);
	});

	it('ends by itself, and does not run twice for the same thing', () => {
		expect(concurrency).toBeDefined();
		for (const job of Object.values(jobs)) expect(job['timeout-minutes']).toBeGreaterThan(0);
	});
});

describe('the CI', () => {
	const text = (name: string) => readFileSync(join(FOLDER, name), 'utf8');
	const { test } = (load(text('ci.yml')) as { jobs: unknown }).jobs as Record<
		string,
		{ strategy: { matrix: { node: string[] } } }
	>;

	it('tests the oldest Node that the package allows', () => {
		const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
			engines: { node: string };
		};
		expect(engines.node).toBe(`>=${test.strategy.matrix.node[0]}`);
	});

	it.each([
		['ci.yml', ['pictures']],
		['weekly.yml', ['oldest']],
	])('runs every area of the tests in n8n: %s', (name, except) => {
		const areas = readdirSync(join(ROOT, 'test/e2e'))
			.filter((file) => file.endsWith('.e2e.ts'))
			.map((file) => file.replace('.e2e.ts', ''));
		const named = [...text(name).matchAll(/(?:areas: |test:e2e -- )([a-z ]+)/g)];
		const run = named.flatMap(([, list]) => list.trim().split(' '));
		expect(run.sort()).toEqual(areas.filter((area) => !except.includes(area as never)).sort());
	});
});
