/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * Measures how much memory n8n needs over time for a crawl of 1 GB, with a heap of 512 MB: as files of pages, and with
 * n8n's HTTP Request node. Renews the table in docs/maintainers/large-crawls.md.
 *   node scripts/e2e.mjs --pack && npx tsx bench/largeCrawl.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { type Flow, chain, ours } from '../test/e2e/support/flow';
import { Lab, toExecution } from '../test/e2e/support/lab';
import { PAGINATED, crawls } from './flows';
import { residentMb } from './process';

const HEAP_MB = 512;
const PAGES = 10_500;
const PAGE_BYTES = 100_000;
const LOOK_MS = 200;
/** Numbers of chunks at which memory is reported. */
const TOLD = [1, 5, 10, 20, 40, 60, 80, 100];
const DOCS = join(__dirname, '../docs/maintainers/large-crawls.md');

interface Course {
	name: string;
	/** Memory above that before the run, in MB, by the number of chunks fetched. */
	mb: Map<number, number>;
	end: string;
}

const files = (id: string) =>
	ours('webDataCrawl', {
		operation: 'getPages',
		crawlId: { __rl: true, mode: 'id', value: id },
		returnAll: true,
		options: { pagesAs: 'files' },
	});

/** Runs a flow on a separate n8n and records its memory. */
async function course(name: string, flowOf: (lab: Lab, id: string) => Flow): Promise<Course> {
	const lab = await Lab.open({ env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` } });
	try {
		const { id } = lab.service.crawls.add({
			pages: PAGES,
			pageBytes: PAGE_BYTES,
			status: 'completed',
		});
		const flow = flowOf(lab, id);
		const workflow = await lab.save(flow);
		await sleep(3_000);
		const idle = residentMb(lab.n8n.pid!);
		const mb = new Map<number, number>();
		const follow = setInterval(() => {
			const chunks = lab.service.requests.filter(({ path }) => path.includes(id)).length;
			if (lab.n8n.ending !== null) return;
			const now = residentMb(lab.n8n.pid!) - idle;
			if (!Number.isNaN(now)) mb.set(chunks, Math.max(mb.get(chunks) ?? 0, now));
		}, LOOK_MS);
		const end = await endOf(lab, workflow as unknown as IDataObject, flow);
		clearInterval(follow);
		return { name, mb, end };
	} finally {
		await lab.close().catch(() => undefined);
	}
}

async function endOf(lab: Lab, workflow: IDataObject, flow: Flow): Promise<string> {
	try {
		const raw = await lab.client.run(workflow as never, flow.nodes[0].name, 15 * 60_000);
		const execution = toExecution(raw);
		const items = execution.items(flow.nodes[1].name);
		const pages = items.reduce((sum, { json }) => sum + Number(json.pages ?? 0), 0);
		return `${execution.status}, ${items.length} items, ${pages || '?'} pages`;
	} catch (error) {
		// A process that dies breaks its connections a moment before it is gone.
		await sleep(3_000);
		if (lab.n8n.ending === null) return `failed: ${(error as Error).message}`;
		return 'n8n died';
	}
}

function tableOf(courses: Course[]): string {
	const at = ({ mb }: Course, chunk: number) => {
		const near = [...mb].filter(([chunks]) => chunks >= chunk && chunks < chunk + 5);
		return near.length === 0 ? '–' : Math.max(...near.map(([, value]) => value)).toFixed(0);
	};
	return [
		`| Chunks of 10 MB read | ${courses.map(({ name }) => name).join(' | ')} |`,
		`| --- | ${courses.map(() => '---').join(' | ')} |`,
		...TOLD.map((chunk) => `| ${chunk} | ${courses.map((one) => at(one, chunk)).join(' | ')} |`),
		`| End | ${courses.map(({ end }) => end).join(' | ')} |`,
	].join('\n');
}

async function main(): Promise<void> {
	const courses = [
		await course('Get Pages of Crawl, files of pages', (_, id) => chain([files(id)])),
		await course(PAGINATED, crawls[PAGINATED]),
	];
	const table = tableOf(courses);
	const text = readFileSync(DOCS, 'utf8');
	const [before] = text.split('<!-- measured -->');
	const [, after] = text.split('<!-- end -->');
	writeFileSync(DOCS, `${before}<!-- measured -->\n\n${table}\n\n<!-- end -->${after}`);
	process.stdout.write(`${table}\n`);
}

main().then(
	() => process.exit(0),
	(error: Error) => {
		process.stderr.write(`${error.stack}\n`);
		process.exit(1);
	},
);
