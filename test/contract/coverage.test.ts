/* eslint-disable @typescript-eslint/no-unused-vars */
import { operations, validateRequest } from '../../api/contract';
import { requestProperties } from '../../api/properties';
import type { LocalService } from '../../mock-service';
import { operationOf } from '../../scripts/lib/nodes';
import { type Sent, bareSent, composedCall, samplesSent } from './sent';
import { served } from '../support/served';
import { controlSamples, fieldsOf, requiredParameters } from './controls';
import { ownAndSome } from './entered';
import { cases } from './nodes';

/** Operations that send a POST but cost nothing, e.g. `Web Data Scrape: check`. */
const FREE = ['Web Data Crawl: previewSettings', 'Web Data Monitor: create'];

/** Service fields that no form offers, each with the reason. */
const WITHOUT_CONTROL: Record<string, string> = {
	'?cursor': 'the node follows the cursor itself',
	'?limit': 'the node asks for as many as Limit needs',
	'?offset': 'the node follows the list itself',
	'?skip': 'the node follows the list itself',
	'monitorCreate targets[].scrape.id': 'the service makes it',
	'monitorCreate targets[].crawl.id': 'the service makes it',
	'monitorCreate targets[].search.id': 'the service makes it',
	'monitorCreate targets[].scrape.scrapeOptions.formats': 'a monitor compares texts or fields',
	...Object.fromEntries(
		[
			...[
				'actions',
				'auditMetadata',
				'lockdown',
				'minAge',
				'onlyCleanContent',
				'parsers',
				'profile',
			],
			...['redactPII', 'removeBase64Images', 'storeInCache', 'threatProtection'],
		].map((name) => [
			`monitorCreate targets[].scrape.scrapeOptions.${name}`,
			'rare in a monitor: Additional Body Fields have it',
		]),
	),
	'monitorCreate targets[].crawl.scrapeOptions': 'the controls are those of pages',
	'monitorCreate notification': 'n8n notifies people in more ways',
	'monitorUpdate notification': 'n8n notifies people in more ways',
	'monitorUpdate targets': 'what watches something else is another monitor',
	'search scrapeOptions.formats[].changeTracking': 'a search does not take it',
	'search scrapeOptions.formats[].branding': 'a search does not take it',
	'search scrapeOptions.formats[].attributes': 'a search does not take it',
	'search scrapeOptions.formats[].audio':
		'the service refuses it there, whatever its document says',
	'search scrapeOptions.formats[].video': 'a search does not take it',
};

/** Whether a field of a request, or what it is in, has no control for one of these reasons. */
function isLeftOut(operationId: string, property: string): boolean {
	return Object.keys(WITHOUT_CONTROL).some(
		(key) => property.startsWith(key) || `${operationId} ${property}`.startsWith(key),
	);
}

/** What each case sends for every value of every control, computed once. */
const found = new Map<object, ReturnType<typeof samplesSent>>();
const samplesOf = (one: (typeof cases)[number]) => {
	const known = found.get(one) ?? samplesSent(one.node, one.operation);
	found.set(one, known);
	return known;
};

/** Returns what of a request breaks the contract. */
const violationsOf = ({ call: { method, path, query, body } }: Sent) =>
	validateRequest(method, path, query, body).map(
		({ path: at, message }) => `${at.join('.') || '(request)'}: ${message}`,
	);

describe.each(cases)('$name: $operation', (one) => {
	const { node, operation, name } = one;

	it('has a Credit Budget, which comes with its `price`, if its POST costs something', () => {
		const title = `${name}: ${operation}`;
		const isPaid = operationOf(node, operation).method === 'POST' && !FREE.includes(title);
		const options = fieldsOf(node, operation).find((field) => field.name === 'options')!.options!;
		const hasBudget = options.some((option) => option.name === 'creditBudget');
		expect(
			hasBudget !== isPaid &&
				(isPaid
					? `${title} sends a POST: give it a \`price\` or, if it is free, put it into FREE above`
					: `${title} costs nothing: take away its \`price\``),
		).toBe(false);
	});

	it('sends nothing but what is required when only that is filled in', () => {
		const bare = bareSent(node, operation);
		const contract = requestProperties(bare.operationId);
		expect([...bare.properties.keys()].filter((name) => !contract.includes(name))).toEqual([]);
		expect(violationsOf(bare)).toEqual([]);
	});

	it('puts every control into the request, and nothing that the contract does not have', () => {
		const samples = samplesOf(one);
		const violations = samples.flatMap(({ control, sent }) =>
			violationsOf(sent).map((violation) => `${control}: ${violation}`),
		);
		expect(violations).toEqual([]);
		const bare = JSON.stringify(bareSent(node, operation).call);
		const changing = new Set(
			samples
				// A setting stays in the node, unless it chooses the version in the path.
				.filter(({ isSetting, sent }) => isSetting || JSON.stringify(sent.call) !== bare)
				.map(({ control }) => control),
		);
		const dead = samples.map(({ control }) => control).filter((control) => !changing.has(control));
		expect(dead.map((control) => `${control} changes nothing in the request`)).toEqual([]);
	});
});

describe('the composed request', () => {
	let service: LocalService;
	const run = served({ credits: 1_000_000, jobMs: 1, crawlMs: 1 }, (started) => {
		service = started;
	});
	beforeEach(() => {
		const ended = { status: 'completed', data: [], creditsUsed: 0 };
		service.fail({
			method: 'GET',
			path: /\/(agent|extract|crawl)\/[^/]+$/,
			when: ({ path }) => !path.endsWith('/active'),
			status: 200,
			body: { success: true, ...ended },
		});
	});

	it.each(cases)(
		'is what n8n sends, for a value of each top control of $name: $operation',
		async ({ node, operation, name }) => {
			// The last value of each control at the top of the form.
			const samples = new Map(
				controlSamples(node, operation)
					.filter(({ control }) => !control.endsWith('creditBudget'))
					.map((sample) => [sample.control.split('.')[0], sample]),
			);
			const tried = ownAndSome(`${name}: ${operation}`, [...samples.values()]);
			const entered = tried.map(({ parameters }) => parameters);
			for (const parameters of [requiredParameters(node, operation), ...entered]) {
				service.requests.length = 0;
				await run(node, parameters);
				const [{ method, path, query, body }] = service.requests;
				const composed = composedCall(node, operation, parameters);
				expect({ method, path, body }).toEqual({
					method: composed.method,
					path: composed.path,
					body: composed.body,
				});
				// The node itself asks for as many as it needs.
				const { limit: _, ...others } = query;
				const texts = Object.entries(composed.query ?? {}).map(([key, value]) => [
					key,
					String(value),
				]);
				expect(others).toEqual(Object.fromEntries(texts));
			}
		},
	);
});

describe('the contract', () => {
	it.each(operations)(
		'$operationId: every request property is reached by a control',
		({ operationId }) => {
			const all = cases.flatMap(samplesOf).filter(({ sent }) => sent.operationId === operationId);
			const reached = new Set(all.flatMap(({ sent }) => [...sent.properties.keys()]));
			const missing = requestProperties(operationId).filter(
				(property) => !reached.has(property) && !isLeftOut(operationId, property),
			);
			expect(missing).toEqual([]);
		},
	);
});
