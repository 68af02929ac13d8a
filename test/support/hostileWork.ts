/** Work that reads what others send in several steps: lists, downloads, operations and polls of triggers. */
import {
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeType,
	type IPollFunctions,
} from 'n8n-workflow';

import { getPages } from '../../nodes/WebDataCrawl/operations/getPages';
import { startFields } from '../../nodes/WebDataCrawl/operations/startFields';
import { WebDataCrawlTrigger } from '../../nodes/WebDataCrawlTrigger/WebDataCrawlTrigger.node';
import { WebDataPageTrigger } from '../../nodes/WebDataPageTrigger/WebDataPageTrigger.node';
import { changedCharacters, diffTexts, unifiedDiff } from '../../nodes/WebDataPageTrigger/lineDiff';
import { scrape } from '../../nodes/WebDataScrape/operations/scrape';
import { WebDataSearchTrigger } from '../../nodes/WebDataSearchTrigger/WebDataSearchTrigger.node';
import { listActivity } from '../../nodes/WebDataUsage/operations/listActivity';
import { uploadForm } from '../../nodes/shared/client/upload';
import { pageShape } from '../../nodes/shared/fields/shapes';
import { labelOf } from '../../nodes/shared/form/labels';
import { searchActiveCrawls, searchJobsOf } from '../../nodes/shared/jobs/jobLists';
import { download } from '../../nodes/shared/run/downloads/download';
import { FileRoom } from '../../nodes/shared/run/downloads/fileRoom';
import type { Task } from '../../nodes/shared/run/operation';
import { simplifierFor } from '../../nodes/shared/run/results/simplify';
import { serviceErrorOf } from '../../nodes/shared/client/errors/describe';
import { redactor } from '../../nodes/shared/client/redact';
import { crawlJob } from '../../nodes/shared/jobs/crawlJob';
import { startOnly } from '../../nodes/shared/jobs/startJob';
import { ScriptedTask } from './task';

/** Returns the beginning of a text that is as long as JSON as the text is: with escapes, it may be six times as long. */
export const onWire = (text: string) =>
	text.slice(0, text.length ** 2 / JSON.stringify(text).length);

/** Returns a text as it comes from bytes. */
const inOnePiece = (text: string) => Buffer.from(text).toString();

const listing = async (
	list: typeof searchActiveCrawls,
	body: IDataObject,
	filter: string,
): Promise<unknown> => {
	const context = { ...new ScriptedTask([body]).context, getCurrentNodeParameter: () => undefined };
	return await list.call(context as unknown as ILoadOptionsFunctions, filter);
};

/** A host that gives a file of this type and address. */
const hosting = (url: string, type: string) => {
	const body = { map: () => body, destroy: () => {} };
	const response = { statusCode: 200, headers: { 'content-type': type }, body };
	const task = new ScriptedTask([]);
	const helpers = {
		httpRequest: () => Promise.resolve(response),
		prepareBinaryData: () => Promise.resolve({ data: '', mimeType: 'a/b' }),
	};
	const context = { ...task.context, helpers };
	return download(
		{
			...task,
			run: task.run,
			account: task.account,
			settings: { http: {} },
			context,
		} as unknown as Task,
		url,
		'a',
		new FileRoom(),
	);
};

/** Polls a trigger for each list of responses, with one memory. */
async function polled(
	trigger: INodeType,
	values: IDataObject,
	responses: IDataObject[][],
): Promise<void> {
	const kept = {};
	for (const ofPoll of responses) {
		const { context } = new ScriptedTask(ofPoll);
		const poll = {
			...context,
			getMode: () => 'trigger',
			getActivationMode: () => 'activate',
			getTimezone: () => 'UTC',
			getWorkflow: () => ({ id: '1' }),
			getWorkflowStaticData: () => kept,
			getNodeParameter: (name: string) =>
				values[name] ??
				trigger.description.properties.find((property) => property.name === name)?.default,
		};
		await trigger.poll!.call(poll as unknown as IPollFunctions);
	}
}

const page = (markdown: string) => ({
	success: true,
	data: { markdown, metadata: { title: markdown, sourceURL: 'https://a.example/' } },
});

const CREATED = '2026-01-01T00:00:00Z';

export const WORK: Array<[name: string, reads: (text: string) => unknown]> = [
	['labelOf', (text) => labelOf(startFields, [text, 0, text])],
	[
		'uploadForm',
		(text) =>
			uploadForm({ name: text, type: '', bytes: 0, open: () => Promise.resolve(new Uint8Array()) }),
	],
	[
		'the list of active crawls',
		(text) => listing(searchActiveCrawls, { crawls: [{ id: 'a', url: onWire(text) }] }, text),
	],
	[
		'the list of jobs',
		(text) => listing(searchJobsOf('agent'), { data: [{ id: 'a', target: onWire(text) }] }, text),
	],
	['download: a type', (text) => hosting('https://127.0.0.1.example/a', text)],
	[
		'download: a name',
		(text) =>
			hosting(
				`https://a.example/${encodeURIComponent(inOnePiece(onWire(text)).slice(0, 300_000))}`,
				'a/b',
			),
	],
	[
		'simplifierFor',
		(text) =>
			simplifierFor(pageShape, { get: ({ name }) => (name === 'simplify' || undefined) as never })({
				markdown: text,
				[text]: text,
				metadata: { title: [text], url: text },
			}),
	],
	['scrape.split', (text) => scrape.split!(page(text), {} as never)],
	[
		'pages of a crawl',
		(text) =>
			getPages.execute!(
				new ScriptedTask(
					[{ status: 'completed', completed: 1, total: 1, data: [page(onWire(text)).data] }],
					{
						call: { method: 'GET', path: '/v1/crawl/a' },
						values: { crawlId: 'a', simplify: true },
					},
				),
				undefined,
			),
	],
	[
		'recent activity',
		(text) =>
			listActivity.execute!(
				new ScriptedTask([{ data: [{ id: 'a', target: onWire(text) }] }], {
					call: { method: 'GET', path: '/v2/team/activity' },
				}),
				undefined,
			),
	],
	[
		'diffTexts',
		(text) => {
			const hunks = diffTexts(
				text.slice(0, text.length / 2),
				`a${text.slice(0, text.length / 3)}b`,
			);
			return [changedCharacters(hunks), unifiedDiff(hunks)];
		},
	],
	[
		'a poll of the Crawl Trigger',
		(text) => {
			const crawl = { id: 'a', created_at: CREATED };
			return polled(new WebDataCrawlTrigger(), { urlPattern: '*a*\na*b' }, [
				[
					{ data: [{ ...crawl, target: onWire(text) }] },
					{ crawls: [{ ...crawl, url: onWire(text).slice(0, 2_000) }] },
				],
			]);
		},
	],
	[
		'polls of the Page Trigger',
		(text) =>
			polled(new WebDataPageTrigger(), { urls: 'https://a.example/' }, [
				[page('a')],
				[page(onWire(text).slice(0, 100_000))],
				[page(onWire(text))],
			]),
	],
	[
		'polls of the Page Trigger for new pages',
		(text) => {
			const links = (path: string) => [{ links: [{ url: `https://a.example/${path}` }] }];
			const site = { watch: 'site', url: 'https://a.example', includePaths: '*a*b\n*' };
			return polled(new WebDataPageTrigger(), site, [links('a'), links(onWire(text))]);
		},
	],
	[
		'a poll of the Search Trigger',
		(text) =>
			polled(new WebDataSearchTrigger(), { query: 'a' }, [
				[{ success: true, data: { web: [{ url: 'https://a.example', title: onWire(text) }] } }],
			]),
	],
	[
		'an address where something is to be done',
		(text) => {
			const outcome = { kind: 'rejected', status: 403, excerpt: '' } as const;
			const body = { requiresAction: { url: text }, code: 'THIRD_PARTY_DATA_TERMS_REQUIRED' };
			return serviceErrorOf(
				{ ...outcome, body },
				{ method: 'POST', path: '/', root: '', waitedMs: 0 },
			);
		},
	],
	[
		'redact: a key in names and values',
		(text) => {
			const json = `${text} key-0123456789`;
			return redactor('key-0123456789').json({ [json]: [json] }, json);
		},
	],
	[
		'a started job without an ID',
		(text) =>
			startOnly(crawlJob)(new ScriptedTask([{ success: true, result: onWire(text) }]), undefined),
	],
];
