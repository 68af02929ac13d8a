/** Every function that reads what a page or a service sends; what people enter is tried through the forms. */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { BatchPages } from '../../nodes/WebDataScrape/operations/batchPages';
import { map } from '../../nodes/WebDataScrape/operations/map';
import { Parts } from '../../nodes/shared/base/parts';
import { getHistorical } from '../../nodes/WebDataUsage/operations/getHistorical';
import { comparedText, dataText } from '../../nodes/WebDataPageTrigger/content';
import { pageKey } from '../../nodes/WebDataPageTrigger/sitePaths';
import { identified, plainUrl } from '../../nodes/WebDataSearchTrigger/identity';
import { creditsIn } from '../../nodes/shared/client/credits';
import { download, extensionOf, fileProblemOf } from '../../nodes/shared/run/downloads/download';
import { fileFieldsOf } from '../../nodes/shared/run/downloads/files';
import { kindOf, refusalOf } from '../../nodes/shared/run/downloads/privateHosts';
import { serviceErrorOf } from '../../nodes/shared/client/errors/describe';
import { detailLines } from '../../nodes/shared/client/errors/details';
import {
	errorItem,
	nodeErrorOf,
	withWholeMessage,
} from '../../nodes/shared/client/errors/nodeErrors';
import { failureKindOf, mayBeBilled } from '../../nodes/shared/client/errors/outcome';
import { pageErrorOf } from '../../nodes/shared/client/errors/pageErrors';
import { ServiceError } from '../../nodes/shared/client/errors/serviceError';
import { CollectedPages } from '../../nodes/shared/jobs/collectedPages';
import { failedUrl } from '../../nodes/shared/jobs/failedUrls';
import { pathOfNext } from '../../nodes/shared/jobs/followPages';
import { jobStateOf } from '../../nodes/shared/jobs/jobState';
import { endedError } from '../../nodes/shared/jobs/waitForJob';
import { excessOf, numberOf, parsedJson, sizeOf } from '../../nodes/shared/base/json';
import type { Task } from '../../nodes/shared/run/operation';
import { pageFailure } from '../../nodes/shared/run/results/pageFailure';
import { shortenTexts } from '../../nodes/shared/run/results/shorten';
import { boundedError, boundedResponse } from '../../nodes/shared/run/results/toolResponse';
import { searchResults } from '../../nodes/shared/run/results/searchResults';
import { textOf, trimmed, withoutEnd, withoutStop } from '../../nodes/shared/base/text';
import { apiKeyOf, callService } from '../../nodes/shared/client';
import { checkApiKey, serviceRoot } from '../../nodes/shared/client/account';
import { reasonOf } from '../../nodes/shared/client/http';
import { retryAfterMs } from '../../nodes/shared/client/retryAfter';
import { redactor } from '../../nodes/shared/client/redact';
import { fitterOf, urlFitterOf } from '../../nodes/shared/trigger/pattern';
import { byKey, isSegment, keyOfUrl, rootOf } from '../../nodes/shared/base/url';
import { FileRoom } from '../../nodes/shared/run/downloads/fileRoom';
import { node } from './form';
import { freshLimiters } from './limiters';
import { WORK, onWire } from './hostileWork';
import { ScriptedTask } from './task';

export type Reads = (text: string) => unknown;

/** Returns a text in one piece, as one that comes from bytes: V8 reads one that was joined much more slowly at times. */
const inOnePiece = (text: string) => Buffer.from(text).toString();

/** Parsing what is no URL takes the time of an error, however short it is. */
const MOST_URLS = 500;

const about = {
	method: 'POST' as const,
	path: '/v2/scrape',
	root: 'https://api.example.com',
	waitedMs: 0,
};

const rejected =
	(status: number): Reads =>
	(text) =>
		serviceErrorOf(
			{
				kind: 'rejected',
				status,
				body: {
					error: text,
					message: text,
					code: text,
					details: [{ message: text, path: [text] }, text],
					requiresAction: { url: text },
				},
				excerpt: text.slice(0, 100),
				location: text.slice(0, 20_000),
			},
			about,
		);

const redacted =
	(key: string): Reads =>
	(text) => {
		const { excerpt, result } = redactor(key);
		excerpt(text.slice(0, 2_000));
		return result({ text }, text);
	};

const failing = (message: string) =>
	({
		run: new Parts(),
		account: { ...new ScriptedTask([]).account },
		settings: { http: {} },
		context: {
			helpers: {
				httpRequest: () => Promise.reject(Object.assign(new Error(message), { code: 'EPROTO' })),
			},
		},
	}) as unknown as Task;

const itemsOf = (text: string): INodeExecutionData[] => {
	// Together they are as long as the text.
	const part = text.slice(0, text.length / 5);
	return [{ json: { url: part, markdown: part, list: [part, [part]] } }, { json: { id: part } }];
};

const pages = (text: string): IDataObject[] =>
	['a', 'b'].map((markdown) => ({ markdown, metadata: { sourceURL: text } }));

export const READERS: Array<[name: string, reads: Reads]> = [
	...WORK,

	['redact: a key of letters and digits', redacted('fc-0123456789abcdef')],
	['redact: a key of what is escaped', redacted('a"/\\+=%25 é')],
	['apiKeyOf', apiKeyOf],
	['checkApiKey', (text) => checkApiKey(text, node)],
	['serviceRoot', (text) => serviceRoot(text, node)],
	['serviceRoot of an address', (text) => serviceRoot(`https://a.example/${text}`, node)],
	['retryAfterMs', (text) => retryAfterMs(text.slice(0, 20_000), text.slice(0, 20_000))],
	['retryAfterMs of words', (text) => retryAfterMs(undefined, undefined, text.slice(0, 2_000))],
	['reasonOf', (text) => reasonOf({ message: text })],
	[
		'callService',
		async (text) => {
			freshLimiters();
			const call = {
				method: 'GET' as const,
				path: `/v2/crawl/a?b=${encodeURI(text.slice(0, 100_000))}`,
			};
			const body = { data: [onWire(text)] };
			return await callService(new ScriptedTask([body]), call, {});
		},
	],

	['excessOf', excessOf],
	['excessOf of a text in it', (text) => excessOf(inOnePiece(`["${text}"]`))],
	['parsedJson', (text) => sizeOf(parsedJson(text))],
	['numberOf', numberOf],
	['textOf', (text) => textOf([text])],
	['trimmed', trimmed],
	['withoutEnd', (text) => withoutEnd(text, '/?# .')],
	['withoutStop', withoutStop],
	['keyOfUrl', keyOfUrl],
	['pageKey', (text) => pageKey(new URL(`https://a.example/%c3${text}`))],
	['keyOfUrl of an address', (text) => keyOfUrl(`https://a.example/${text}`)],
	['keyOfUrl of a host', (text) => keyOfUrl(`https://${text}.example`)],
	['byKey', (text) => byKey(text.split(' ').slice(0, MOST_URLS))],
	['isSegment', isSegment],
	['rootOf', rootOf],
	['rootOf an address', (text) => rootOf(`https://a.example/${text}`)],

	...[200, 400, 404, 408, 409, 429, 502].map((status): [string, Reads] => [
		`serviceErrorOf status ${status}`,
		rejected(status),
	]),
	[
		'serviceErrorOf no response',
		(text) => serviceErrorOf({ kind: 'noResponse', code: text, reason: text }, about),
	],
	['detailLines', (text) => detailLines(parsedJson(text))],
	['pageErrorOf an error', (text) => pageErrorOf({ error: text })],
	['pageErrorOf a code', (text) => pageErrorOf({ code: text })],
	['failureKindOf', (text) => failureKindOf({ kind: 'noResponse', code: text, reason: '' })],
	['mayBeBilled', (text) => mayBeBilled({ kind: 'noResponse', code: text, reason: '' })],
	[
		'withWholeMessage',
		(text) => {
			const error = new ServiceError(text, { description: text, service: { serviceError: text } });
			return errorItem(withWholeMessage(nodeErrorOf(error, { node })), 0);
		},
	],

	['fileProblemOf', (text) => fileProblemOf(text, 1)],
	['extensionOf', (text) => extensionOf(`image/${text}`)],
	['fileFieldsOf', (text) => fileFieldsOf({ markdown: text, screenshot: `data:${text}` })],
	['kindOf', kindOf],
	[
		'refusalOf',
		async (text) => {
			const host = text.replace(/[^a-z0-9.-]/g, '').slice(0, 300_000);
			const url = { hostname: host, host } as URL;
			return await refusalOf({ helpers: {} }, url, new URL('https://api.example.com'));
		},
	],
	[
		'download: a link',
		(text) => download(failing('no'), `https://127.0.0.1/${text}`, 'a', new FileRoom()),
	],
	[
		'download: a reason',
		(text) => download(failing(text), 'https://a.example/', 'a', new FileRoom()),
	],

	['shortenTexts', (text) => shortenTexts({ text, list: [text] }, 10, { lists: true })],
	['boundedResponse', (text) => boundedResponse(itemsOf(text), 60_000)],
	['boundedError', (text) => boundedError({ json: { message: text, error: { data: text } } })],
	[
		'pageFailure',
		(text) => pageFailure({ metadata: { error: text, statusCode: text, url: text } }),
	],
	[
		'creditsIn',
		(text) => creditsIn({ creditsUsed: text, data: { metadata: { creditsUsed: text } } }),
	],
	[
		'searchResults',
		(text) => searchResults({ data: { web: [text, { url: text }] } }, { body: {} }),
	],
	['map.split', (text) => map.split!({ links: [text, [text]], warning: text }, {} as never)],
	[
		'getHistorical.split',
		(text) => getHistorical.split!({ periods: [{ startDate: text, endDate: text }] }, {} as never),
	],

	['CollectedPages', (text) => new CollectedPages().add(pages(text))],
	[
		'BatchPages',
		(text) => {
			const batch = new BatchPages(byKey(text.split(' ').slice(0, MOST_URLS)));
			batch.add(pages(text)[0], true);
			batch.explain('https://a.example/', text);
			batch.pairLikely({ isLast: true });
			return batch.of(byKey([text]));
		},
	],
	['failedUrl', (text) => failedUrl({ url: text, error: text }, { what: 'crawl' }, 'cancelled')],
	['pathOfNext', (text) => pathOfNext(`https://a.example/v2/crawl/a?${text}`, '/v2/crawl/a')],
	['pathOfNext of a path', (text) => pathOfNext(`/${text}/v2/crawl/a`, '/v2/crawl/a')],
	['jobStateOf', jobStateOf],
	[
		'endedError',
		(text) =>
			endedError({ what: 'task', paths: [''], getBy: '', budgetLabel: 'A' }, 'id', {
				status: 'failed',
				error: text,
				stopReason: text,
			}),
	],

	['comparedText', (text) => comparedText(text, ['Updated*ago', 'x'])],
	['dataText', (text) => dataText({ text, list: [text, [text]] }, ['x*y'])],
	['fitterOf', (text) => fitterOf(['a*a*b', '/*/*/x'])(text)],
	['urlFitterOf', (text) => urlFitterOf(['a*a*b'])(`https://a.example/${text}`)],
	['plainUrl', (text) => plainUrl(`https://a.example/?${text}`, true)],
	['identified', (text) => identified([{ url: text, title: text, description: text }], true)],
];
