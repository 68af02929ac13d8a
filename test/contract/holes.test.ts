/**
 * Texts with a part that gives nothing, in every control of every form, through n8n's own evaluation of expressions: they
 * are refused before anything is sent, by the names of the control and the part, and all other texts go out.
 */
import 'reflect-metadata';
import { ExecuteSingleContext } from 'n8n-core';
import {
	Workflow,
	createRunExecutionData,
	type IDataObject,
	type IExecutePaginationFunctions,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { composeCall, placeOf } from '../../nodes/shared/run/runOperation';
import { formFieldsOf } from '../../nodes/shared/run/properties';
import { allNodes, operationOf } from '../../scripts/lib/nodes';
import { engine, itemsOf, nodeOf, toolOf } from '../support/engine';
import { PolledTrigger } from '../support/polledTrigger';
import { served } from '../support/served';
import { type ControlSample, controlSamples, triggerSamples } from './controls';
import { ownAndSome, valueIn, withValue } from './entered';
import { cases } from './nodes';
import { statements } from './statements';

let service: LocalService;
const run = served({ credits: 1_000_000 }, (started) => (service = started));

const names = new Map(statements().map(({ where, name }) => [where, name]));

/** Returns one sample for each control. */
const onePerControl = (samples: ControlSample[]) => [
	...new Map(samples.map((sample) => [sample.control, sample])).values(),
];

/** Controls that only a tool has, or only a node that is none. */
const OF_TOOLS = /^(?:output|outputFields|options\.maxResponseLength)$/;
const OF_OTHERS = /^(?:simplify|options\.(?:jobPerItem|fieldsToReturn|includeOtherFields))$/;

const forms = cases.map(({ node, operation, name }) => {
	const title = `${name}: ${operationOf(node, operation).name}`;
	return [title, node, operation, onePerControl(controlSamples(node, operation))] as const;
});

/** Returns the parameters with a text in a control, which may be a locator. */
function withText(sample: ControlSample, text: unknown): INodeParameters {
	const value = valueIn(sample);
	const isLocator = typeof value === 'object' && value !== null && '__rl' in value;
	return withValue(sample, isLocator ? { ...value, value: text } : text);
}

/** Returns what a form sends for each of the items, or the error it throws. */
function sentFor(node: INodeType, operation: string, parameters: INodeParameters, json: unknown[]) {
	const credentials = { baseUrl: service.url, apiKey: service.apiKey };
	const { additionalData, nodeTypes } = engine(node, credentials);
	const tested = nodeOf({ nodeType: node, parameters, credentials });
	const workflow = new Workflow({ nodes: [tested], connections: {}, active: false, nodeTypes });
	const items = itemsOf(...(json as IDataObject[]));
	const entry = operationOf(node, operation);
	const fields = formFieldsOf(entry);
	return items.map((_, index) => {
		const own = workflow.getNode(tested.name)!;
		const context = new ExecuteSingleContext(
			workflow,
			own,
			additionalData,
			'manual',
			createRunExecutionData(),
			0,
			items,
			{ main: [items] },
			index,
			{ node: own, data: { main: [items] }, source: null },
		);
		const read = (name: string) => context.getNodeParameter(name, null as never) as unknown;
		const place = placeOf(context as unknown as IExecutePaginationFunctions);
		try {
			const { call, form } = composeCall(entry, fields, read, place);
			return JSON.stringify([call, form.settings]);
		} catch (error) {
			return (error as Error).message;
		}
	});
}

const PART = '{{ $json.part }}';

/** What a part may give that n8n leaves out of a text or writes as [object Object], and what is said then. */
const HOLES: Array<[part: unknown, says: string]> = [
	[undefined, 'nothing'],
	[null, 'nothing'],
	[Number.NaN, 'nothing'],
	['', 'nothing'],
	[' ', 'nothing'],
	[{ a: 1 }, 'an object'],
	[[{ a: 1 }], 'an object'],
];
const ITEMS = HOLES.map(([part, says]) => ({ part, says }));

const IN_TRIGGERS = [
	['$vars.nope', 'nothing'],
	['null', 'nothing'],
	['NaN', 'nothing'],
	['$vars.empty', 'nothing'],
	['({ a: 1 })', 'an object'],
];

describe.each(forms)('%s', (title, node, operation, samples) => {
	const labelOf = ({ control }: ControlSample) => names.get(`${title} → ${control}`);
	/** Returns what isn't refused as it should be. */
	function sentWithHoles(nodeType: INodeType, text: unknown, turn: number, mayBeEmpty = false) {
		const others = nodeType === node ? OF_TOOLS : OF_OTHERS;
		// All parts in one kind of text, and some in the others.
		const some = ITEMS.filter((_, n) => turn === 0 || n % 3 === 0);
		const items = mayBeEmpty ? some.filter(({ part }) => part !== '') : some;
		return ownAndSome(title, samples, turn)
			.filter(({ control }) => !others.test(control))
			.flatMap((sample) =>
				sentFor(nodeType, operation, withText(sample, text), items).flatMap((told, index) => {
					const { part, says } = items[index];
					const right = `${labelOf(sample)}: ${PART} gives ${says}`;
					return told === right ? [] : [`${sample.control} of ${JSON.stringify(part)}: ${told}`];
				}),
			);
	}

	it.each([
		[`=a ${PART} b`, 0],
		[[`=a ${PART} b`], 1],
		[`=${PART}\n`, 2],
	])('sends no text with a hole: %j', (text, turn) => {
		expect(sentWithHoles(node, text, turn)).toEqual([]);
	});

	it('sends none as a tool, beside what a model gives', () => {
		const text = `={{ $fromAI('topic', '', 'string', 'tea') }} ${PART} b`;
		expect(sentWithHoles(toolOf(node), text, 3, true)).toEqual([]);
	});

	it('sends what has an empty part that may be empty', () => {
		const problems = ownAndSome(title, samples, 4).flatMap((sample) => {
			const value = valueIn(sample);
			if (typeof value === 'object') return [];
			const [plain] = sentFor(node, operation, withText(sample, value), [{}]);
			const text = `=${String(value)}{{ $json.part ?? "" }}`;
			const [sent] = sentFor(node, operation, withText(sample, text), [{}]);
			return sent === plain ? [] : [`${sample.control} = ${text}: ${sent}, not ${plain}`];
		});
		expect(problems).toEqual([]);
	});

	it('names a whole expression that gives nothing, or does without it', () => {
		const problems = ownAndSome(title, samples, 5).flatMap((sample) => {
			const [told] = sentFor(node, operation, withText(sample, `=${PART}`), [{}]);
			const isRight = told === `${labelOf(sample)}: ${PART} gives nothing` || told.startsWith('[');
			return isRight ? [] : [`${sample.control}: ${told}`];
		});
		expect(problems).toEqual([]);
	});
});

describe.each(
	allNodes()
		.filter(({ description }) => description.polling)
		.map(
			(node) => [node.description.displayName, node, onePerControl(triggerSamples(node))] as const,
		),
)('%s', (title, node, samples) => {
	it('sends no text with a hole', async () => {
		const problems: string[] = [];
		for (const sample of samples) {
			for (const [part, says] of IN_TRIGGERS) {
				const parameters = withText(sample, `=a {{ ${part} }} b`);
				const trigger = new PolledTrigger(service, parameters, {}, node as never);
				trigger.variables = { empty: '' };
				const told = await trigger.poll('manual').then(JSON.stringify, (error) => error.message);
				const right = `${names.get(`${title} → ${sample.control}`)}: {{ ${part} }} gives ${says}`;
				if (told !== right) problems.push(`${sample.control} of ${part}: ${told}`);
			}
		}
		expect(problems).toEqual([]);
		expect(service.requests).toEqual([]);
	});
});

it('nothing is sent for any item if the text of one has a hole', async () => {
	const search = allNodes().find(({ description }) => description.name === 'webDataSearch')!;
	const parameters = { operation: 'search', query: `=tea in ${PART}` };
	const items = itemsOf({ part: 'Ceylon' }, {});
	const { error } = await run(search, parameters, { items });
	expect(error?.message).toBe(`Query: ${PART} gives nothing`);
	expect(error?.description).toContain('item 2 of 2');
	expect(service.requests).toEqual([]);
});

it.each([
	['=what is undefined in {{ $json.part }}', 'what is undefined in tea'],
	['=why {{ $json.shown }} {{ $json.part }}', 'why [object Object] tea'],
	['={{ "null and NaN in " + $json.part }}', 'null and NaN in tea'],
	['={{ $json.part }}, {{ $json.none ?? "" }}', 'tea,'],
	['={{ $json.count }} of {{ $json.off }}', '0 of false'],
	['={{ $json.list }} {{ new Date(0) }}', `a,b ${String(new Date(0))}`],
])('a text is sent as it is: %s', async (query, sent) => {
	const search = allNodes().find(({ description }) => description.name === 'webDataSearch')!;
	const item = { part: 'tea', shown: '[object Object]', count: 0, off: false, list: ['a', 'b'] };
	const { error } = await run(search, { operation: 'search', query }, { items: itemsOf(item) });
	expect(error?.message).toBeUndefined();
	expect(service.requests[0].body).toMatchObject({ query: sent });
});
