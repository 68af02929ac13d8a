/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * Measures how much memory n8n needs to parse 200 files of 10 MB, which it reads from disk and also keeps in files.
 * Writes a section of docs/maintainers/benchmarks.md.
 *   node scripts/e2e.mjs --pack && npx tsx bench/parseFiles.ts
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';

import { chain, node, ours } from '../test/e2e/support/flow';
import { Lab, toExecution } from '../test/e2e/support/lab';
import { writeApart } from './apart';
import { forgetPeak, peakMb, residentMb } from './process';
import { table } from './report';

const FILES = 200;
const FILE_MB = 10;
/** In the local service, a PDF has a page for each 100 kB. */
const PAGES = Math.ceil((FILE_MB * 1024 * 1024) / 100_000);
const LOOK_MS = 10;

async function main(): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'parse-files-'));
	const source = join(folder, 'source');
	mkdirSync(source);
	const names = Array.from({ length: FILES }, (_, n) => `file-${n}.pdf`).sort();
	for (const name of names) writeFileSync(join(source, name), randomBytes(FILE_MB * 1024 * 1024));
	const env = {
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_RESTRICT_FILE_ACCESS_TO: source,
	};
	const lab = await Lab.open({ service: { credits: FILES * PAGES }, env });
	try {
		const read = node(
			'n8n-nodes-base.readWriteFile',
			{ operation: 'read', fileSelector: join(source, '*.pdf'), options: {} },
			{ name: 'Read' },
		);
		const parse = ours(
			'webDataScrape',
			{ operation: 'parseFile', binaryPropertyName: 'data', simplify: false },
			{ name: 'Parse' },
		);
		const workflow = await lab.save(chain([read, parse]));
		await sleep(5_000);
		const pid = lab.n8n.pid!;
		const idle = residentMb(pid);
		forgetPeak(pid);
		const id = await lab.client.start(workflow, 'Start');
		while (lab.service.requests.length === 0) await sleep(LOOK_MS);
		const reading = peakMb(pid) - idle;
		const before = residentMb(pid) - idle;
		forgetPeak(pid);
		const execution = toExecution(await lab.client.finished(id, 15 * 60_000));
		const parsing = peakMb(pid) - idle;
		assert.equal(execution.status, 'success', execution.error?.message);
		const found = execution.items('Parse').map(({ json }) => json.metadata as IDataObject);
		const right = found.filter(
			({ sourceFile, totalPages }, at) => sourceFile === names[at] && totalPages === PAGES,
		);
		const [{ executionTime }] = execution.data.resultData.runData.Parse as Array<{
			executionTime: number;
		}>;
		const row = [reading, before, parsing].map((mb) => mb.toFixed(0));
		writeApart('Many large files', [
			`Made by \`npx tsx bench/parseFiles.ts\`: ${FILES} files of ${FILE_MB} MB, read from disk by Read/Write Files from Disk, then Read PDF or Office File, in one execution; n8n keeps binary data as files. Memory is that of the n8n process over idle (${idle.toFixed(0)} MB).`,
			table(
				[
					'Peak while they are read (MB)',
					'Held when parsing begins (MB)',
					'Peak while they are parsed (MB)',
					'Time of Read PDF or Office File (s)',
					'Right items',
					'Uploads at once',
				],
				[
					[
						...row,
						(executionTime / 1_000).toFixed(1),
						`${right.length} of ${FILES}`,
						String(lab.service.maxInFlight),
					],
				],
			),
		]);
	} finally {
		await lab.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

main().then(
	() => process.exit(0),
	(error: Error) => {
		process.stderr.write(`${error.stack}\n`);
		process.exit(1);
	},
);
