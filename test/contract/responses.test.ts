/** Each field that the contract has in a response reaches an item of Simplify, or is left out for a reason. */
import type { INodeParameters } from 'n8n-workflow';

import { operations } from '../../api/contract';
import { operationOf } from '../../scripts/lib/nodes';
import { ContractService } from '../support/contractService';
import { runNode } from '../support/engine';
import { marked } from '../support/markedResponse';
import { requiredParameters } from './controls';
import { cases } from './nodes';

/** Fields left out, by operation and path. */
const LEFT_OUT: Array<[reason: string, fields: RegExp]> = [
	[
		'there if chosen in Fields, and in raw results',
		/(^(crawlStatus|crawlStatusV1|batchStatus|scrape|scrapeGet|parseFile) .*metadata\.(language|keywords|publishedTime|contentType|proxyUsed)|^search .*\.(imageWidth|imageHeight|position))$/,
	],
	["a result has the search's own", /^search .*metadata\.(title|description|sourceURL|url)$/],
	['an address of the service’s own', /^parseFile data\.metadata\.(url|sourceURL)$/],
	['the key belongs to one team', /^crawlListActive(V1)? crawls\[\]\.teamId$/],
	[
		'settings of the task, and its bill by parts; raw results have them',
		/^agentGet (model|effort|mode|threadTurn|exchange\..*)$/,
	],
	['advice to programmers', /^extractGetV1 replacement$/],
	['the ID of a call that nothing can be asked about', /^map id$/],
	['times of a past job', /^(crawlStatus|batchStatus) (createdAt|completedAt|duration|expiresAt)$/],
	['each page has its credits, and pages are counted', /^batchStatus (total|creditsUsed)$/],
	['a URL that failed has its reason', /^batchErrors errors\[\]\.(id|timestamp|code)$/],
	['Simplify has its formats', /^crawlListActiveV1 crawls\[\]\.options\.scrapeOptions$/],
	['an instruction that was killed has failed', /^interact killed$/],
	['the live views are for people, this is for programs', /^interact cdpUrl$/],
	['the page while the instruction ran; raw results have it', /^interact (result|stdout)$/],
	[
		'raw results have it; the webhook of a trigger has its secret',
		/^monitor(List|Create|Get|Update) data(\[\])?\.(webhook|notification|retentionDays|judgeEnabled|currentCheckId|createdAt|updatedAt)/,
	],
	['the check has it', /^monitorRun id$/],
	[
		'times that the others tell',
		/^monitor(Run|Checks) data(\[\])?\.(scheduledFor|createdAt|updatedAt)$/,
	],
	['the one that was asked for', /^monitor(Run|Checks) data(\[\])?\.monitorId$/],
	['the list of checks has it', /^monitorCheck data\.(?!pages)/],
	['a page that was judged has a reason', /^monitorCheck data\.pages\[\]\.error$/],
	['times and IDs, which raw results have', /^monitorCheck .*\.(id|\w+ScrapeId|createdAt)$/],
	['the title, and the previous values', /^monitorCheck .*\.(metadata|diff\.json)$/],
	['what v1 has besides', /^crawlStatusV1 data\[\]\.metadata\.ogLocaleAlternate\[\]$/],
];

const service = new ContractService();
const answers = new Map<string, ReturnType<typeof marked>>();
const given = new Map<string, string>();
beforeAll(async () => {
	await service.start();
	for (const { node, operation } of cases) {
		const called = new Set<string>();
		service.bodyFor = (operationId) => {
			called.add(operationId);
			const answer = answers.get(operationId) ?? marked(operationId);
			answers.set(operationId, answer);
			return answer.body;
		};
		for (const apiVersion of ['v1', 'v2']) {
			called.clear();
			// What Simplify keeps without knowing it can't be chosen.
			const fieldsToReturn = operationOf(node, operation)
				.results?.slice(1)
				.filter(({ isExtra }) => !isExtra)
				.map(({ name }) => name);
			const parameters = {
				...requiredParameters(node, operation),
				options: {
					downloadFiles: false,
					includeRunDetails: true,
					apiVersion,
					...(fieldsToReturn && { fieldsToReturn }),
				},
			} as INodeParameters;
			const { url: baseUrl, apiKey } = service;
			const { output } = await runNode({
				nodeType: node,
				parameters,
				credentials: { baseUrl, apiKey },
			});
			const text = JSON.stringify(output.flat().map(({ json }) => json));
			for (const id of called) given.set(id, (given.get(id) ?? '') + text);
		}
	}
});
afterAll(async () => await service.stop());

const responses = operations.map(({ operationId }) => operationId);

it.each(responses)(
	'each field of the response of %s reaches an item, or is left out for a reason',
	(operationId) => {
		const items = given.get(operationId) ?? '';
		const lost = (answers.get(operationId)?.marks ?? [])
			.filter(({ mark }) => !items.includes(mark))
			.map(({ path }) => path);
		expect(items).not.toBe('');
		const isExplained = (path: string) =>
			LEFT_OUT.some(([, fields]) => fields.test(`${operationId} ${path}`));
		expect(lost.filter((path) => !isExplained(path))).toEqual([]);
	},
);

it('nothing is on the list of fields left out that reaches an item', () => {
	const unused = LEFT_OUT.filter(
		([, fields]) =>
			![...answers].some(([id, { marks }]) =>
				marks.some(
					({ path, mark }) => fields.test(`${id} ${path}`) && !given.get(id)!.includes(mark),
				),
			),
	);
	expect(unused).toEqual([]);
});
