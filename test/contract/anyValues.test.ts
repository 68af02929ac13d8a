/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/**
 * Values of every type, as expressions give them, in every control of every form: an error that names the control, or a
 * request that the contract takes and that has what was entered.
 */
import { inspect } from 'node:util';
import {
	type IDataObject,
	type INode,
	type INodeParameters,
	NodeOperationError,
} from 'n8n-workflow';

import { findOperation, validateRequest } from '../../api/contract';
import { randomOf } from '../../mock-service/random';
import { ruleBreaches } from '../../mock-service/rules';
import { tolerated } from '../../mock-service/tolerance';
import { composeCall, formFieldsOf } from '../../nodes/shared/run/operationForm';
import { valueAt } from '../../nodes/shared/base/json';
import { operationOf } from '../../scripts/lib/nodes';
import { EXOTIC, INTERNAL, anyExpressed } from '../support/randomValues';
import { seedCount } from '../support/seeds';
import { type ControlSample, controlSamples } from './controls';
import { cases } from './nodes';
import { statements } from './statements';

const EXPRESSION = '={{ $json.value }}';

/** Returns the parameters with another value in a control. */
function withValue({ control, parameters }: ControlSample, value: unknown): INodeParameters {
	const copy = structuredClone(parameters) as IDataObject;
	const names = control.split('.');
	let at: IDataObject = copy;
	for (const [index, name] of names.entries()) {
		// A fixed collection has its rows, or its one row, under the name of their group.
		if (index > 0 && !(name in at)) {
			const [group] = Object.values(at);
			at = (Array.isArray(group) ? group[0] : group) as IDataObject;
		}
		if (index === names.length - 1) at[name] = value as IDataObject;
		else at = at[name] as IDataObject;
	}
	return copy as INodeParameters;
}

function called(
	{ node, operation }: (typeof cases)[number],
	sample: ControlSample,
	value: unknown,
) {
	const entry = operationOf(node, operation);
	const values = withValue(sample, value);
	const { name, version } = node.description;
	const parameters = withValue(sample, EXPRESSION);
	const place = {
		node: { name: '', type: name, typeVersion: [version].flat().at(-1), parameters } as INode,
		itemIndex: 0,
		timezone: 'UTC',
		labels: [],
	};
	return composeCall(entry, formFieldsOf(entry), (path) => valueAt(values, path), place).call;
}

const isEmpty = (value: unknown) =>
	value === undefined ||
	value === null ||
	(typeof value === 'string'
		? value.trim() === ''
		: typeof value === 'object' && Object.keys(value).length === 0);

const labels = new Map(statements().map(({ where, name }) => [where, name]));

/** Returns the names of a control and of what it is in. */
function namesOf({ node, operation, name }: (typeof cases)[number], control: string): string[] {
	const parts = control.split('.');
	const title = `${name}: ${operationOf(node, operation).name}`;
	return parts.flatMap(
		(_, index) => labels.get(`${title} → ${parts.slice(0, index + 1).join('.')}`) ?? [],
	);
}

/**
 * What is judged later: choices that are open to newer values, IDs and the inside of schemas by the service, before it
 * bills anything, and URLs of a batch all together.
 */
const IS_LEFT = (code: string, message: string) =>
	['invalid_enum_value', 'invalid_union'].includes(code) ||
	/^(must match format "uuid"|Invalid UUID|must NOT have fewer than 1 items)$/.test(message) ||
	/^(Schema contains invalid structure|The rawBase64 format cannot be combined)/.test(message);

/** Returns what is wrong with the request for a value. */
function problemsOf(
	one: (typeof cases)[number],
	sample: ControlSample,
	value: unknown,
	without: string,
): string[] {
	const { control } = sample;
	const title = `${control} = ${inspect(value).slice(0, 80)}`;
	try {
		const { method, path, query, body } = called(one, sample, value);
		const { operationId } = findOperation(method, path)!;
		const breaches = [
			...validateRequest(method, path, query, body),
			...ruleBreaches(operationId, tolerated(operationId, body), body),
		].filter(({ code, message }) => !IS_LEFT(code, message));
		const problems = breaches.map(
			({ path: at, message }) => `${title} sends ${at.join('.')}: ${message}`,
		);
		const isDropped =
			!isEmpty(value) &&
			value !== false &&
			!sample.isSetting &&
			JSON.stringify([path, query, body]) === without;
		return isDropped ? [...problems, `${title} is dropped`] : problems;
	} catch (error) {
		if (!(error instanceof NodeOperationError)) return [`${title} throws ${String(error)}`];
		const text = `${error.message} ${String(error.description)}`;
		const names = namesOf(one, control);
		const isNamed = names.some((name) => text.includes(name));
		return INTERNAL.test(text.replace(/"[^"]*"/g, '')) || !isNamed
			? [`${title} says ${text}, not ${String(names)}`]
			: [];
	}
}

/** Values that the service refuses in some fields, though its document has nothing against them. */
const EDGES = [
	999,
	60_001,
	300_001,
	0.5,
	'x'.repeat(10_001),
	Array<string>(1001).fill('/a'),
	'/'.repeat(2001),
	'/(?=a)',
	'/(a)\\1',
	'/(a',
	'http://localhost',
	'localhost',
	'ftp://a.example',
	'a.example/b',
	'ZZ',
	{ 'X-Firecrawl-Signature': 'a' },
	{ a: 1 },
	'{"type":"sentence"}',
	'{"type":"wait","milliseconds":60001}',
	['rawBase64', 'html'],
];

it.each(cases)('$name: $operation takes any value, or says where it is wrong', (one) => {
	const samples = new Map(
		controlSamples(one.node, one.operation).map((sample) => [sample.control, sample]),
	);
	const problems: string[] = [];
	const random = randomOf(1);
	for (const sample of samples.values()) {
		if (/additionalBodyFields$/.test(sample.control)) continue;
		let without = '';
		try {
			const { path, query, body } = called(one, sample, undefined);
			without = JSON.stringify([path, query, body]);
		} catch {
			// A form that demands the control has no request without it.
		}
		for (const value of [...EDGES, ...EXOTIC.map((make) => make())])
			problems.push(...problemsOf(one, sample, value, without));
		for (let n = 0; n < seedCount(12); n++)
			problems.push(...problemsOf(one, sample, anyExpressed(random), without));
	}
	expect([...new Set(problems)]).toEqual([]);
});
