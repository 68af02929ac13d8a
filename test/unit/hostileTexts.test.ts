/**
 * Every function that reads what a page, a service, a model or a sheet sends: its time may grow only linearly with the
 * text, so that no text blocks n8n. Patterns are also checked by eslint (eslint.own.mjs), loops only here.
 */
import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { BatchPages } from '../../nodes/WebDataScrape/operations/batchPages';
import { map } from '../../nodes/WebDataScrape/operations/map';
import { getHistorical } from '../../nodes/WebDataUsage/operations/getHistorical';
import { comparedText, dataText } from '../../nodes/WebDataPageTrigger/content';
import { identified, plainUrl } from '../../nodes/WebDataSearchTrigger/identity';
import { creditsIn } from '../../nodes/shared/run/creditBudget';
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
import { crawlIdOf } from '../../nodes/shared/fields/crawlId';
import { asText, checkExpression, quoted } from '../../nodes/shared/form/checks';
import { compose } from '../../nodes/shared/form/compose';
import type { Field } from '../../nodes/shared/form/field';
import { urlEntries } from '../../nodes/shared/form/urls';
import { checkedId, choicesIn, headerName, jsonTexts } from '../../nodes/shared/form/values';
import { pathsIn, writtenJson } from '../../nodes/shared/form/written';
import { CollectedPages } from '../../nodes/shared/jobs/collectedPages';
import { failedUrl } from '../../nodes/shared/jobs/failedUrls';
import { pathOfNext } from '../../nodes/shared/jobs/followPages';
import { jobStateOf } from '../../nodes/shared/jobs/jobState';
import { endedError } from '../../nodes/shared/jobs/waitForJob';
import { isTooComplex, numberOf, parsedJson, sizeOf } from '../../nodes/shared/base/json';
import type { Task } from '../../nodes/shared/run/operation';
import { pageFailure } from '../../nodes/shared/run/results/pageFailure';
import { shortenTexts } from '../../nodes/shared/run/results/shorten';
import { boundedError, boundedResponse } from '../../nodes/shared/run/results/toolResponse';
import { checkOperators } from '../../nodes/shared/fields/search/queryOperators';
import { searchResults } from '../../nodes/shared/run/results/searchResults';
import { textOf, trimmed, withoutEnd, withoutStop } from '../../nodes/shared/base/text';
import { apiKeyOf, callService } from '../../nodes/shared/client';
import { checkApiKey, serviceRoot } from '../../nodes/shared/client/account';
import { reasonOf } from '../../nodes/shared/client/http';
import { retryAfterMs } from '../../nodes/shared/limiter/retryAfter';
import { redactor } from '../../nodes/shared/client/redact';
import { fitsAny, fitsAnyUrl } from '../../nodes/shared/trigger/pattern';
import { byKey, isSegment, keyOfUrl, rootOf } from '../../nodes/shared/base/url';
import { allNodes } from '../../scripts/lib/nodes';
import { FileRoom } from '../../nodes/shared/run/downloads/fileRoom';
import { cpuTime } from '../support/cpuTime';
import { node, place } from '../support/form';
import { HOSTILE_TEXTS, type HostileText, hostileText } from '../support/hostileTexts';
import { freshLimiters } from '../support/limiters';
import { ScriptedTask } from '../support/task';

/** Most CPU time for a text of this length (characters). */
const LONGEST = 1_000_000;
const MOST_MS = 500;

/** Time (ms) for a tenth of that length that is short enough even if the time grows with the square of the length. */
const SHORT_MS = MOST_MS / 100;

/** Growth of the time that is allowed when the length doubles, and time (ms) that goes unnoticed. */
const MOST_GROWTH = 3;
const UNNOTICED_MS = 150;

/**
 * Number of kinds of texts tried at full length, in addition to those that take this many times as long as for a tenth
 * of it.
 */
const MOST_TRIED = 3;
const MOST_TIMES = 30;

/** Lengths tried first, so that a function whose time explodes fails the test before anyone waits for long. */
const FIRST_LENGTHS = [16, 24, 36, 54, 80, 120, 250, 1_000, 10_000, 100_000];

type Reads = (text: string) => unknown;

/** Returns a text in one piece, like one decoded from bytes: V8 sometimes reads a joined one much more slowly. */
const inOnePiece = (text: string) => Buffer.from(text).toString();

/** Parsing something that isn't a URL takes the time of an error, however short it is. */
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
		run: {},
		account: { ...new ScriptedTask([]).account },
		settings: { http: {} },
		context: {
			helpers: {
				httpRequest: () => Promise.reject(Object.assign(new Error(message), { code: 'EPROTO' })),
			},
		},
	}) as unknown as Task;

const itemsOf = (text: string): INodeExecutionData[] => [
	{ json: { url: text, markdown: text, list: [text, [text]] } },
	{ json: { id: text } },
];

const pages = (text: string): IDataObject[] =>
	['a', 'b'].map((markdown) => ({ markdown, metadata: { sourceURL: text } }));

const OPERATORS = ['exactPhrase', 'exclude', 'site', 'fileType', 'imageSize'];

/** Returns every function with which a control reads what was entered, by the control's name. */
function controls(): Array<[string, Reads]> {
	const found = new Map<string, [string, Reads]>();
	const add = (field: Field) => {
		const read = field.wire?.value;
		// One function may serve several controls; operators of a query are told apart by how they write an entry.
		const name = `${String(read)} ${OPERATORS.includes(field.name) ? field.name : ''}`;
		if (read && !found.has(name)) {
			found.set(name, [
				`${field.name} of a form`,
				(text) => {
					const pair = { name: text, value: text };
					return field.type === 'fixedCollection'
						? read({ pair: [pair, { name: 'b', value: text }] }, place)
						: read(text, place);
				},
			]);
		}
		for (const option of field.options ?? []) {
			if ('values' in option) option.values.forEach(add);
			else if ('type' in option) add(option as INodeProperties);
		}
	};
	for (const { description } of allNodes()) description.properties.forEach(add);
	return [...found.values()];
}

/** As many as there are countries. */
const CHOICES = Array.from({ length: 200 }, (_, n) => ({
	name: `Choice ${n} (${n})`,
	value: `c${n}`,
}));

const plainFields = (
	['string', 'json', 'number', 'boolean', 'options', 'multiOptions'] as const
).map((type): [string, Reads] => [
	`a control of type ${type}`,
	(text) =>
		compose([{ displayName: 'A', name: 'a', type, default: '', options: CHOICES }], () => text, {
			...place,
			node: { ...node, type: 'aTool' },
		}),
]);

const FUNCTIONS: Array<[name: string, reads: Reads]> = [
	...controls(),
	...plainFields,
	['asText', (text) => asText({ text })],
	['quoted', quoted],
	['checkExpression', (text) => checkExpression(text, place)],
	['writtenJson', writtenJson],
	['jsonTexts', jsonTexts],
	['pathsIn', (text) => pathsIn(text, (part) => part.startsWith('/'))],
	['urlEntries', (text) => urlEntries([text, `https://a.example/${text}`], place)],
	['choicesIn', choicesIn],
	['headerName', (text) => headerName(text, text, '', place)],
	['checkedId', (text) => checkedId(text, place)],
	['crawlIdOf', (text) => crawlIdOf(`https://a.example/v1/crawl/${text}`, place)],
	['checkOperators', (text) => checkOperators(text, place)],

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
			const body = { data: [text] };
			return await callService(new ScriptedTask([body]), call, {});
		},
	],

	['isTooComplex', isTooComplex],
	['isTooComplex of a text in it', (text) => isTooComplex(inOnePiece(`["${text}"]`))],
	['parsedJson', (text) => sizeOf(parsedJson(text))],
	['numberOf', numberOf],
	['textOf', (text) => textOf([text])],
	['trimmed', trimmed],
	['withoutEnd', (text) => withoutEnd(text, '/?# .')],
	['withoutStop', withoutStop],
	['keyOfUrl', keyOfUrl],
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
			for (const page of pages(text)) batch.add(page, true);
			batch.explain(text, text);
			batch.pairLikely();
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
			endedError({ what: 'task', path: '', getBy: '', budgetLabel: 'A' }, 'id', {
				status: 'failed',
				error: text,
				stopReason: text,
			}),
	],

	['comparedText', (text) => comparedText(text, ['Updated*ago', 'x'])],
	['dataText', (text) => dataText({ text, list: [text, [text]] }, ['x*y'])],
	['fitsAny', (text) => fitsAny(text, ['a*a*b', '/*/*/x'])],
	['fitsAnyUrl', (text) => fitsAnyUrl(`https://a.example/${text}`, ['a*a*b'])],
	['plainUrl', (text) => plainUrl(`https://a.example/?${text}`, true)],
	['identified', (text) => identified([{ url: text, title: text, description: text }], true)],
];

async function timeOf(reads: Reads, text: string): Promise<number> {
	const spent = cpuTime();
	try {
		await reads(text);
	} catch {
		// A text may be rejected, which also takes time.
	}
	return spent();
}

/** Returns the least of a few times, because other work of this process may count into one of them. */
async function leastTimeOf(reads: Reads, text: string, isFine: (ms: number) => boolean) {
	let least = Infinity;
	for (let tries = 0; tries < 3 && !isFine(least); tries++) {
		least = Math.min(least, await timeOf(reads, text));
	}
	return least;
}

interface Tried {
	kind: HostileText;
	/** Time for a tenth of the longest text, and for a hundredth (ms). */
	tenth: number;
	hundredth: number;
}

/** Tries short texts of one kind; returns undefined as soon as one takes too long. */
async function tried(reads: Reads, kind: HostileText): Promise<Tried | undefined> {
	const isFine = (ms: number) => ms <= MOST_MS / 10 + UNNOTICED_MS;
	const times: number[] = [];
	for (const length of FIRST_LENGTHS) {
		const ms = await leastTimeOf(reads, hostileText(kind, length), isFine);
		if (!isFine(ms)) return undefined;
		times.unshift(ms);
	}
	const [tenth, hundredth] = times;
	return { kind, tenth, hundredth };
}

/** Returns what is wrong with a function's time for a kind of text; undefined if nothing is. */
async function problemOf(reads: Reads, kind: HostileText): Promise<string | undefined> {
	const text = hostileText(kind, LONGEST);
	const ms = await leastTimeOf(reads, text, (time) => time <= MOST_MS);
	if (ms > MOST_MS) return `${kind.name}: ${Math.round(ms)} ms`;
	const half = await timeOf(reads, hostileText(kind, LONGEST / 2));
	const most = MOST_GROWTH * half + UNNOTICED_MS;
	const again = await leastTimeOf(reads, text, (time) => time <= most);
	const grows = `${kind.name}: ${Math.round(half)} ms grow to ${Math.round(again)} ms`;
	return again > most ? grows : undefined;
}

beforeEach(freshLimiters);

it.each(FUNCTIONS)('%s takes no longer than its text is long', async (_name, reads) => {
	const slow: string[] = [];
	const short: Tried[] = [];
	for (const kind of HOSTILE_TEXTS) {
		const found = await tried(reads, kind);
		if (found) short.push(found);
		else slow.push(kind.name);
		// What is slow for some is slow for many, and a failing test shouldn't take hours.
		if (slow.length >= 3) break;
	}
	expect(slow).toEqual([]);
	// Trying all at full length would take too long, so only the slowest ones and those whose time grows most.
	const long = short.filter(({ tenth }) => tenth > SHORT_MS);
	const slowest = long.sort((a, b) => b.tenth - a.tenth).slice(0, MOST_TRIED);
	const growing = long.filter(({ tenth, hundredth }) => tenth > MOST_TIMES * hundredth);
	const problems: string[] = [];
	for (const { kind } of new Set([...slowest, ...growing])) {
		const problem = await problemOf(reads, kind);
		if (problem !== undefined) problems.push(problem);
	}
	expect(problems).toEqual([]);
});
