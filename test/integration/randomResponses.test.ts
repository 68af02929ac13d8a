/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/** Whatever a service responds: no exception's words reach a person, nothing that came is lost in silence, and each run ends. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { randomOf } from '../../mock-service/random';
import { WebDataCrawlTrigger } from '../../nodes/WebDataCrawlTrigger/WebDataCrawlTrigger.node';
import { WebDataPageTrigger } from '../../nodes/WebDataPageTrigger/WebDataPageTrigger.node';
import { WebDataSearchTrigger } from '../../nodes/WebDataSearchTrigger/WebDataSearchTrigger.node';
import { requiredParameters, triggerParameters } from '../contract/controls';
import { cases } from '../contract/nodes';
import { ContractService } from '../support/contractService';
import { runNode } from '../support/engine';
import { runFaster } from '../support/fasterRuns';
import { marked } from '../support/markedResponse';
import { PolledTrigger } from '../support/polledTrigger';
import { seedCount } from '../support/seeds';
import { INTERNAL, changed, twisted } from '../support/randomValues';

const HANGS_MS = 10_000;

/** Responses that are no result of an operation: how a job started, and why URLs have no page. */
const isResult = (operationId: string, operation: string) =>
	!/Start$|Errors$/.test(operationId) || /^start$|^batchStart$|Errors$/.test(operation);
/** Whether a field only says that it succeeded, or where the rest is. */
const isOfPaging = (name: string) => /^(success|next|cursor|has_more)$/.test(name);
/** Operations that have no pages, by their names. */
const WITHOUT_PAGES = /^(getStatus|getErrors)$/;

let logged: string[];
const service = new ContractService();
beforeAll(async () => {
	await service.start();
	logged = runFaster();
});
afterAll(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

/** Returns what is said, or that it hangs. */
async function orHangs(said: Promise<string>): Promise<string> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<string>((resolve) => {
		timer = setTimeout(resolve, HANGS_MS, 'hangs');
	});
	return await Promise.race([said, late]).finally(() => clearTimeout(timer));
}

const goods = new Map<string, IDataObject>();

/** Returns a good response: a job is completed, and no page failed. */
function good(operationId: string): IDataObject {
	const known = goods.get(operationId) ?? (marked(operationId).body as IDataObject);
	goods.set(operationId, known);
	const text = JSON.stringify(known, (key, value: unknown) => {
		if (key === 'error' && !/Errors$/.test(operationId)) return undefined;
		return key === 'completed' || key === 'total' ? 1 : key === 'statusCode' ? 200 : value;
	});
	return JSON.parse(text) as IDataObject;
}

interface Found {
	problems: string[];
	failed: number;
}

/** Runs an operation on random responses; returns what was wrong with the outcome. */
async function tried(
	{ node, operation }: (typeof cases)[number],
	seed: number,
	change: typeof changed,
): Promise<Found> {
	const random = randomOf(seed);
	const isRaw = random() < 0.5;
	const answers = new Map<string, unknown>();
	logged.length = 0;
	service.bodyFor = (operationId) => {
		const answer =
			answers.get(operationId) ?? change(good(operationId), random, 1 + Math.floor(random() * 3));
		answers.set(operationId, answer);
		return answer;
	};
	const parameters = {
		...requiredParameters(node, operation),
		simplify: !isRaw,
		options: {
			downloadFiles: false,
			maxWaitMinutes: 1,
			...(random() < 0.3 ? { splitIntoItems: false } : {}),
		},
	} as INodeParameters;
	const { url: baseUrl, apiKey } = service;
	const onError = random() < 0.5 ? 'continueErrorOutput' : 'stopWorkflow';
	const signal = AbortSignal.timeout(HANGS_MS);
	const { output, error, run } = await runNode({
		nodeType: node,
		parameters,
		credentials: { baseUrl, apiKey },
		onError,
		signal,
	});
	const [items = [], errors = []] = output;
	const problems: string[] = [];
	if (signal.aborted) problems.push('hangs');
	const sent = JSON.stringify([...answers.values()]);
	const texts = [
		...(error ? [error.message, error.description] : []),
		...errors.flatMap(({ json }) => [json.message, json.description]),
	];
	for (const text of texts)
		if (INTERNAL.test(String(text ?? ''))) problems.push(`says: ${String(text)}`);
	const given = JSON.stringify(items.map(({ json }) => json));
	for (const [word] of given.matchAll(new RegExp(INTERNAL, 'g'))) {
		if (!sent.includes(word)) problems.push(`gives ${word}`);
	}
	const isFailed = error !== undefined || errors.length > 0;
	if (isRaw && !isFailed) {
		const all = given + JSON.stringify(run.data.resultData) + logged.join();
		for (const [operationId, answer] of answers) {
			if (!isResult(operationId, operation)) continue;
			if (operationId === 'crawlStatus' && WITHOUT_PAGES.test(operation)) continue;
			// What a check says of itself stands beside its pages.
			if (operationId === 'monitorCheck' && items.length === 0) continue;
			const whole = JSON.stringify(answer, (key, value: unknown) =>
				// Each page of a map would repeat its ID.
				isOfPaging(key) || (operationId === 'map' && key === 'id') ? null : value,
			);
			const marks = whole.match(/\b7\d{3}\b/g) ?? [];
			const lost = marks.filter((mark) => !all.includes(mark));
			if (lost.length > 0) problems.push(`loses ${lost.slice(0, 3).join()} of ${operationId}`);
		}
	}
	return {
		problems: problems.map(
			(problem) =>
				`${problem.slice(0, 300)} | ${JSON.stringify(Object.fromEntries(answers)).slice(0, 900)}`,
		),
		failed: Number(isFailed),
	};
}

const CHANGES = { changed, twisted };
const changedCases = cases.flatMap((one) =>
	(['changed', 'twisted'] as const).map((how) => ({ ...one, how })),
);

it.each(changedCases)('$name: $operation tells the truth of $how responses', async (one) => {
	const problems: string[] = [];
	let failed = 0;
	const count = seedCount(3);
	for (let seed = 1; seed <= count; seed++) {
		const found = await tried(one, seed, CHANGES[one.how]);
		failed += found.failed;
		for (const problem of found.problems) problems.push(`seed ${seed}: ${problem}`);
	}
	expect(problems).toEqual([]);
	// Neither does all of it fail, nor nothing.
	expect(failed).toBeLessThan(count);
});

const triggers: Array<[string, PolledTrigger['nodeType'], INodeParameters]> = [
	['search', new WebDataSearchTrigger(), {}],
	['page', new WebDataPageTrigger(), {}],
	[
		'site',
		new WebDataPageTrigger(),
		{ watch: 'site', url: 'https://example.com', output: 'pages' },
	],
	['fields', new WebDataPageTrigger(), { watch: 'fields', prompt: 'Prices' }],
	['crawl', new WebDataCrawlTrigger(), {}],
	['pages of a crawl', new WebDataCrawlTrigger(), { output: 'pages' }],
];

it.each(triggers)('a trigger of %s tells the truth of random responses', async (_, node, more) => {
	const problems: string[] = [];
	for (let seed = 1; seed <= seedCount(3); seed++) {
		const random = randomOf(seed);
		let sent = '';
		service.bodyFor = (operationId) => {
			const change = random() < 0.5 ? changed : twisted;
			const answer = random() < 0.4 ? good(operationId) : change(good(operationId), random, 1);
			sent += JSON.stringify(answer);
			return answer;
		};
		const trigger = new PolledTrigger(service, { ...triggerParameters(node), ...more }, {}, node);
		const mode = random() < 0.3 ? 'manual' : 'trigger';
		for (let poll = 1; poll <= 4; poll++) {
			const polled = trigger.poll(mode);
			const said = await orHangs(
				polled.then(
					(items) => JSON.stringify((items ?? []).map(({ json }) => json)),
					({ message, description }: Error & { description?: string }) =>
						`${message} ${description ?? ''}`,
				),
			);
			for (const [word] of said.matchAll(new RegExp(INTERNAL, 'g'))) {
				if (!sent.includes(word))
					problems.push(`seed ${seed}, poll ${poll}: ${said.slice(0, 400)}`);
			}
			if (said === 'hangs') problems.push(`seed ${seed} hangs`);
			expect(JSON.parse(JSON.stringify(trigger.saved))).toEqual(trigger.saved);
		}
	}
	expect(problems).toEqual([]);
});
