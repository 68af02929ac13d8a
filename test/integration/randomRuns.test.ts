/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/** What holds for every run, whatever the service does: tried on random runs, with a ledger that the service keeps. */
import type { INodeExecutionData, INodeParameters, INodeType, OnError } from 'n8n-workflow';

import { randomOf } from '../../mock-service/random';
import { type RunResult, detailsOf, runNode } from '../support/engine';
import { runFaster } from '../support/fasterRuns';
import { type Entry, RandomService } from '../support/randomService';
import { seedCount } from '../support/seeds';
import { agent, crawl, extract, scrape, search } from '../support/nodes';

const RUNS = 80;
/** Time (ms) without a request after which a run counts as hanging: on a busy machine, a run may take minutes. */
const HANGS_MS = 120_000;
const KEYS = ['secret-key-of-account-a-0123456789', 'secret-key-of-account-b-0123456789'];
const url = '=https://a.example/item-{{ $json.n }}x';

const words = '=item-{{ $json.n }}x';
/** Keeps waits for endless jobs short: with a budget, they come one after another. */
const options = { maxWaitMinutes: 5, includeRunDetails: true };
const detailed = { options: { includeRunDetails: true } };
/** Items share three browsers. */
const scrapeId = '=0190a8a0-0000-7000-8000-00000000000{{ $json.n % 3 }}';
const found = { query: words, limit: 2, formats: ['markdown'] };

/**
 * The operations that cost something, with the usual and the highest price of one of their calls per item, as their
 * forms imply them; for those without a known price, the least and the most that the service bills.
 */
const OPERATIONS: Array<[INodeType, INodeParameters, usual: number, most: number]> = [
	[scrape, { operation: 'scrape', url, ...detailed }, 1, 5],
	[scrape, { operation: 'scrape', url, simplify: true, options: { failedPages: 'errors' } }, 1, 5],
	[scrape, { operation: 'map', siteUrl: url }, 1, 1],
	[scrape, { operation: 'parseFile', ...detailed }, 1, 5],
	[scrape, { operation: 'parseFile', binaryPropertyName: 'data, other', ...detailed }, 1, 5],
	[scrape, { operation: 'interact', scrapeId, prompt: words }, 7, 7],
	[scrape, { operation: 'interact', scrapeId, instructions: 'code', code: words }, 2, 2],
	[search, { operation: 'search', query: words }, 2, 2],
	[search, { operation: 'searchAndScrape', ...found }, 4, 12],
	[search, { operation: 'searchAndScrape', ...found, ...detailed }, 4, 12],
	[agent, { operation: 'start', prompt: words, maxCredits: 5 }, 5, 5],
	[
		agent,
		{ operation: 'startAndWait', prompt: words, maxCredits: 5, simplify: true, options },
		5,
		5,
	],
	[extract, { operation: 'startAndWait', urls: url, prompt: 'x', options }, 1, 5],
	[crawl, { operation: 'start', url, maxPages: 1 }, 1, 5],
	[crawl, { operation: 'startAndWait', url, maxPages: 1, simplify: true, options }, 1, 5],
	[scrape, { operation: 'batchStartAndWait', urls: url, simplify: true, options }, 1, 5],
	[
		scrape,
		{ operation: 'batchStartAndWait', urls: url, options: { ...options, jobPerItem: true } },
		1,
		5,
	],
	[scrape, { operation: 'batchStart', urls: url, options: { jobPerItem: true } }, 1, 5],
];

/** Requests that a run with a budget sends at most to two accounts that refuse all for 100 seconds each. */
const MOST_LIMITED = 10;

/** Added to the number of an item for its second file. */
const SECOND = 100;

const fileOf = (n: number) => ({
	data: Buffer.from(`%PDF-1.4 item-${n}x`).toString('base64'),
	mimeType: 'application/pdf',
	fileName: 'bill.pdf',
});

/** Returns an input item, with two PDFs of its own. */
const itemOf = (n: number): INodeExecutionData => ({
	json: { n },
	binary: { data: fileOf(n), other: fileOf(n + SECOND) },
});

let logged: string[];
/** The services, each of which serves one run at a time. */
const lanes = Array.from({ length: 12 }, () => new RandomService());

beforeAll(async () => {
	for (const service of lanes) await service.start();
	logged = runFaster();
});
afterAll(async () => {
	jest.restoreAllMocks();
	for (const service of lanes) await service.stop();
});

/** A run as its seed describes it. */
interface Setting {
	node: INodeType;
	parameters: INodeParameters;
	count: number;
	onError: OnError;
	tries: number;
	budget?: number;
	/** By how much a call may exceed its usual price, per item. */
	surplus: number;
	isCut: boolean;
	/** When it was cancelled (ms since 1970). */
	cutAt: number;
	isBatched: boolean;
	isExhausted: boolean;
}

async function runOf(
	seed: number,
	service: RandomService,
): Promise<{ setting: Setting; result: RunResult; told: string; log: string[] }> {
	const random = randomOf(Math.imul(seed, 0x9e3779b1));
	const pick = <One>(list: readonly One[]): One => list[Math.floor(random() * list.length)];
	const [node, base, usual, most] = pick(OPERATIONS);
	const count = 1 + Math.floor(random() * 8);
	const onError = pick(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const);
	const tries = random() < 0.3 ? 2 + Math.floor(random() * 2) : 1;
	const budget = random() < 0.4 ? 3 + Math.floor(random() * pick([8, 40])) : undefined;
	const batching = { batch: { batchSize: pick([1, 2, 50]), batchInterval: pick([1, 300]) } };
	const isBatched = random() < 0.3;
	const isCut = random() < 0.15;
	const rises = pick([0, Math.floor(random() * 10), 1_000, 1_000]);
	const isExhausted = random() < 0.02;
	service.begin(
		{
			faults: pick([0, 0.1, 0.4, 0.8]),
			endless: pick([0, 0, 0.3]),
			price: (billed) => (billed >= rises ? most : 1),
			namesCredits: random() < 0.8,
			jobsSay: pick(['all', 'somePages', 'lessAtFirst', 'nothingAtStart'] as const),
			exhausted: isExhausted,
		},
		random,
	);
	const before = logged.length;
	const parameters = {
		...base,
		...(isBatched && { requestOptions: { batching } }),
		options: {
			...(base.options as INodeParameters),
			...(budget === undefined ? {} : { creditBudget: budget }),
			...(random() < 0.3 && { maxConcurrent: 1 + Math.floor(random() * 3) }),
		},
	};
	const stopped = new AbortController();
	const isTimeout = isCut && random() < 0.5;
	const cutMs = isTimeout ? 20 + random() * 60 : random() * 25;
	let cutAt = Infinity;
	const cut = () => {
		cutAt = Date.now();
		stopped.abort();
	};
	const timer = isCut ? setTimeout(cut, cutMs) : undefined;
	const hasAccounts = random() < 0.3;
	const running = runNode({
		nodeType: node,
		parameters: parameters as INodeParameters,
		items: Array.from({ length: count }, (_, n) => itemOf(n)),
		credentials: {
			baseUrl: service.url,
			apiKey: hasAccounts ? `={{ $json.n % 2 ? '${KEYS[1]}' : '${KEYS[0]}' }}` : KEYS[0],
		},
		onError,
		...(tries > 1 && { retryOnFail: true, maxTries: tries, waitBetweenTries: 1 }),
		...(isCut && { signal: stopped.signal }),
		...(isTimeout && { timesOutAt: Date.now() + cutMs }),
	});
	let watch: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		const look = (known: number) => {
			if (service.requests === known) return reject(new Error(`run ${seed} hangs`));
			const now = service.requests;
			watch = setTimeout(() => look(now), HANGS_MS);
		};
		look(-1);
	});
	const result = await Promise.race([running, late]);
	clearTimeout(watch);
	clearTimeout(timer);
	// What a cancelled run has in flight ends after it.
	if (isCut) await new Promise((resolve) => setTimeout(resolve, 30));
	const setting = {
		node,
		parameters: parameters as INodeParameters,
		count,
		onError,
		tries,
		budget,
		surplus: most - usual,
		isCut,
		cutAt,
		isBatched,
		isExhausted,
	};
	const log = logged.slice(before);
	const told = JSON.stringify([result.output, result.error, result.error?.description, log]);
	return { setting, result, told, log };
}

const COUNTS =
	/Of (\d+) items, (\d+) had finished(?:,| and) (\d+) failed(?:(?:,| and) (\d+) goe?s? on at the service)?(?:(?:,| and) (\d+) may have been billed)?(?: and (\d+) w)?/;

/** Returns what of the promises a run has broken. */
async function brokenBy(seed: number, service: RandomService): Promise<string[]> {
	const { setting, result, told, log } = await runOf(seed, service);
	const broken: string[] = [];
	const expect_ = (isKept: boolean, promise: string) => {
		if (!isKept) broken.push(promise);
	};
	const { ledger } = service;
	const { count, onError, isCut, budget } = setting;
	const isOf = (n: number) => (one: number) => one % SECOND === n;
	const of = (n: number) => ledger.filter(({ items }) => items.some(isOf(n)));
	const isBilled = ({ credits }: Entry) => credits > 0;
	const files = String(setting.parameters.binaryPropertyName).includes(',') ? 2 : 1;

	for (const key of KEYS) expect_(!told.includes(key), 'no key shows');
	for (let n = 0; n < count + SECOND; n++) {
		const sent = ledger.filter((entry) => entry.items.includes(n));
		expect_(sent.filter(isBilled).length <= 1, `item ${n} is billed once`);
		const first = sent.findIndex(isBilled);
		expect_(
			first === -1 || first === sent.length - 1,
			`nothing is sent for item ${n} after it was billed`,
		);
	}
	for (const { job, kind, status, answeredAt = 0 } of ledger) {
		// The time that a cancelled start gets is too short here: n8n waits many times faster.
		const isKnown = (kind === 'done' || status === 409) && answeredAt < setting.cutAt - 20;
		expect_(job === undefined || !isKnown || told.includes(job), `job ${job} is named`);
		// If n8n is killed, there is nothing else.
		const isLogged = kind !== 'done' || log.some((line) => line.includes(job ?? ''));
		expect_(job === undefined || !isKnown || isLogged, `job ${job} is in the log once started`);
	}
	const limited = ledger.filter(({ kind }) => kind === 'limited').length;
	expect_(
		!setting.isExhausted || budget === undefined || limited <= MOST_LIMITED * setting.tries,
		`items wait for an exhausted rate limit together: ${limited}`,
	);
	const most = Math.max(0, ...ledger.map((entry) => entry.items.length));
	const isKept = budget === undefined || service.billed <= budget + setting.surplus * most * files;
	expect_(isKept, 'the budget is exceeded by one call at most');

	const items = result.output.flat();
	for (const { json, pairedItem } of items) {
		const pairs = [pairedItem].flat().map((one) => (typeof one === 'number' ? one : one?.item));
		const about = [...JSON.stringify({ ...json, error: undefined }).matchAll(/item-(\d+)x/g)];
		expect_(
			about.every(([, n]) => pairs.includes(Number(n) % SECOND)),
			'results are paired with their items',
		);
		const { runCreditsUsed: sum = service.billed } = detailsOf({ json });
		expect_(isCut || sum === service.billed, `runCreditsUsed is ${sum} of ${service.billed}`);
	}
	if (result.error === undefined && !isCut) {
		for (let n = 0; n < count; n++) {
			const own = items.filter(({ pairedItem }) =>
				[pairedItem].flat().some((one) => (typeof one === 'number' ? one : one?.item) === n),
			);
			const isOnce = own.length > 0 && own.length <= files;
			expect_(isOnce, `item ${n} is accounted for once, not ${own.length} times`);
			const { message = '', error = {} } = (own[0]?.json ?? {}) as {
				message?: string;
				error?: { description?: string };
			};
			const text = `${message} ${error.description ?? ''}`;
			const isKnown = of(n).some(({ kind }) => kind === 'done' || kind === 'lost');
			expect_(
				!/(was|were) not sent(?! again)/.test(text) || !isKnown,
				`item ${n} was sent: ${text}`,
			);
			const isLost = of(n).some(isBilled);
			expect_(!isLost || !/not billed/.test(text), `item ${n} was billed: ${text}`);
		}
	} else if (onError === 'stopWorkflow' && !isCut) {
		const counts = COUNTS.exec(String(result.error?.description))
			?.slice(1)
			.map((one) => Number(one ?? 0));
		if (counts !== undefined) {
			const [all, finished, failed, running, unsure, unsent] = counts;
			expect_(finished + failed + running + unsure + unsent === all, 'the counts add up');
			const seen = Array.from({ length: count }, (_, n) =>
				of(n).some(({ kind }) => kind === 'done' || kind === 'lost'),
			);
			expect_(
				unsent <= seen.filter((one) => !one).length,
				`no item that was sent is called unsent: ${result.error?.description}`,
			);
		} else
			expect_(
				count === 1 || setting.isBatched,
				`the error counts the items: ${result.error?.message} ${result.error?.description}`,
			);
	}
	return broken.map(
		(promise) =>
			`${seed} ${JSON.stringify(setting.parameters)} ${onError} ${count} items, ${setting.tries} tries, budget ${budget}, ${isCut ? 'cut' : ''}: ${promise}`,
	);
}

it(`each of ${seedCount(RUNS)} random runs accounts for every item and credit`, async () => {
	const broken: string[] = [];
	const [first, last] = (process.env.SEEDS ?? `1-${seedCount(RUNS)}`).split('-').map(Number);
	let next = first;
	const work = async (service: RandomService) => {
		while (next <= last && broken.length < Number(process.env.BROKEN ?? 12))
			broken.push(...(await brokenBy(next++, service)));
	};
	await Promise.all(lanes.map(work));
	expect(broken).toEqual([]);
}, 1_800_000);
