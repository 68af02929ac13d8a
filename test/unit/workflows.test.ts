/** What nobody but the CI itself would notice about its workflows. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const FOLDER = join(__dirname, '../../.github/workflows');
const texts = readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]);

interface Workflow {
	permissions: unknown;
	concurrency: unknown;
	jobs: Record<string, { 'timeout-minutes': unknown; permissions?: Record<string, string> }>;
}

describe.each(texts)('%s', (name, text) => {
	const { permissions, concurrency, jobs } = parse(text) as Workflow;

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
