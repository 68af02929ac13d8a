/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** The table of what reads foreign texts misses no function with a pattern or a loop. */
import { Session } from 'node:inspector/promises';

import { HOSTILE_TEXTS, hostileText } from '../support/hostileTexts';

/** What may take long for a long text: patterns, loops, searches and JSON. */
const MAY_BE_SLOW =
	/\/[^/*\n][^\n]*\/[gimsuy]*[.,);]|\.(split|replace|replaceAll|match|matchAll|indexOf|includes|reduce)\(|\b(while|for) \(|JSON\.(parse|stringify)/;

const LENGTH = 300;

/** What reads nothing foreign, or no more than its beginning, or what the table reads by another way; by file. */
const OTHERS: Record<string, string[]> = {
	'nodes/WebDataCrawlTrigger/crawlWatch': ['isReported'],
	'nodes/WebDataCrawlTrigger/poll': ['take'],
	'nodes/WebDataCrawlTrigger/preview': ['preview'],
	'nodes/WebDataCrawlTrigger/requests': ['pages', 'stopsPoll'],
	'nodes/WebDataCrawlTrigger/unread': ['tellUnread'],
	'nodes/WebDataExtract/operations/fields': ['withAlternatives'],
	'nodes/WebDataExtract/scrapeOptionsV1': ['checkFormats', 'checkJsonOptions'],
	'nodes/WebDataPageTrigger/pageService': ['mayPassAt'],
	'nodes/WebDataScrape/operations/batchStartAndWait': ['explained', 'readAll'],
	'nodes/WebDataScrape/operations/inputFiles': [
		'filesIn',
		'inputFile',
		'isPdf',
		'nameOfFile',
		'typeOf',
	],
	'nodes/WebDataScrape/operations/parseFile': ['execute'],
	'nodes/WebDataScrape/operations/sharedBatch': ['batchesOf', 'keyOfBatch', 'onceForAll'],
	'nodes/shared/client/account': ['value'],
	'nodes/shared/client/body': ['stopStalled'],
	'nodes/shared/client/accounts': ['sweep'],
	'nodes/shared/client/credentialTest': ['problemOf', 'testContext'],
	'nodes/shared/client/errors/describe': ['documentWords'],
	'nodes/shared/client/http': ['redactedExcerpt'],
	'nodes/shared/fields/formatChecks': ['checkFormats', 'checkTracking'],
	'nodes/shared/fields/formats': ['check', 'put'],
	'nodes/shared/fields/prices': [
		'costlyFormatsIn',
		'hasUnknownFormat',
		'makesJson',
		'searchPrice',
		'sumOf',
		'threatCheckOf',
	],
	'nodes/shared/fields/schema': ['', 'problemOf'],
	'nodes/shared/fields/scrapeOptions': ['put'],
	'nodes/shared/fields/search/fields': ['checkCategories'],
	'nodes/shared/fields/search/objectsWithType': [''],
	'nodes/shared/fields/search/timeFilter': ['checkedFilter', 'monthDayYear', 'put'],
	'nodes/shared/fields/shapes': ['isChosen'],
	'nodes/shared/form/labels': [''],
	'nodes/shared/form/texts': ['afterBraces', 'textAround'],
	'nodes/shared/jobs/job': ['isMissing'],
	'nodes/shared/jobs/jobEnd': ['standstillOf'],
	'nodes/shared/jobs/pageFiles': ['<instance_members_initializer>'],
	'nodes/shared/jobs/readJob': [''],
	'nodes/shared/jobs/waitForJob': ['pollUntilEnd'],
	'nodes/shared/limiter/accountLimiter': ['denyLate', 'drop'],
	'nodes/shared/limiter/pace': ['bestSecond'],
	'nodes/shared/run/creditBudget': ['hold'],
	'nodes/shared/run/downloads/files': ['addFiles', 'failed'],
	'nodes/shared/run/downloads/keep': [''],
	'nodes/shared/run/downloads/privateHosts': [''],
	'nodes/shared/run/endings': ['namedBeside', 'tellFailures'],
	'nodes/shared/run/items': ['checkItemCount', 'finishItems'],
	'nodes/shared/run/nodeRun': ['finish', 'logJobs', 'sum'],
	'nodes/shared/run/operationForm': ['composeCall'],
	'nodes/shared/run/requestOptions': ['timeoutOf'],
	'nodes/shared/run/results/pageFailure': [''],
	'nodes/shared/run/results/simplify': [''],
};

interface Tried {
	file: string;
	name: string;
	source: string;
	isCalled: boolean;
}

/** A function in its file's text. */
interface Range {
	name: string;
	start: number;
	end: number;
	isCalled: boolean;
}

/** Returns the functions of the nodes' files, without those within them, and whether the table calls them. */
async function functionsTried(): Promise<Tried[]> {
	const session = new Session();
	session.connect();
	await session.post('Debugger.enable');
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true });
	// V8 only counts in code that is loaded from here on.
	/* eslint-disable @typescript-eslint/no-require-imports */
	const { READERS } =
		require('../support/hostileReaders') as typeof import('../support/hostileReaders');
	const { freshLimiters } = require('../support/limiters') as typeof import('../support/limiters');
	const scripts = new Map<string, Map<number, Range>>();
	const files = new Map<string, string>();
	const take = async () => {
		const { result } = await session.post('Profiler.takePreciseCoverage');
		for (const { url, scriptId, functions } of result) {
			const [, file] = /\/((?:nodes|credentials)\/.*)\.ts$/.exec(url) ?? [];
			if (file === undefined || url.includes('node_modules')) continue;
			files.set(scriptId, file);
			const known = scripts.get(scriptId) ?? new Map<number, Range>();
			scripts.set(scriptId, known);
			for (const { functionName: name, ranges } of functions) {
				const { startOffset: start, endOffset: end, count } = ranges[0];
				known.set(start, {
					name,
					start,
					end,
					isCalled: count > 0 || known.get(start)?.isCalled === true,
				});
			}
		}
	};
	for (const [, reads] of READERS) {
		for (const kind of HOSTILE_TEXTS) {
			freshLimiters();
			try {
				await reads(hostileText(kind, LENGTH));
			} catch {
				// A text may be rejected.
			}
		}
		// V8 forgets what it counted in functions whose code it throws away.
		await take();
	}
	const found: Tried[] = [];
	for (const [scriptId, functions] of scripts) {
		const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
		const ranges = [...functions.values()];
		for (const { name, start, end, isCalled } of ranges) {
			const inner = ranges.filter((range) => range.start > start && range.end <= end);
			const source = inner.reduce(
				(text, range) => text.replace(scriptSource.slice(range.start, range.end), ''),
				scriptSource.slice(start, end),
			);
			found.push({ file: files.get(scriptId)!, name, source, isCalled });
		}
	}
	session.disconnect();
	return found;
}

it('each function with a pattern or a loop reads the hostile texts, or nothing foreign', async () => {
	const functions = await functionsTried();
	expect(functions.length).toBeGreaterThan(1_000);
	const missed: Record<string, string[]> = {};
	for (const { file, name, source, isCalled } of functions) {
		// TypeScript makes this one.
		if (isCalled || name === 'ownKeys' || !MAY_BE_SLOW.test(source)) continue;
		missed[file] = [...new Set([...(missed[file] ?? []), name])].sort();
	}
	expect(missed).toEqual(OTHERS);
}, 600_000);
