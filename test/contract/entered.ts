import type { IDataObject, INode, INodeParameters, INodeType } from 'n8n-workflow';

import { findOperation, validateRequest } from '../../api/contract';
import { judged } from '../../mock-service/rules';
import { isObject, valueAt } from '../../nodes/shared/base/json';
import type { ServiceCall } from '../../nodes/shared/client/types';
import { compose } from '../../nodes/shared/form/form';
import { formFieldsOf } from '../../nodes/shared/run/properties';
import { composeCall } from '../../nodes/shared/run/runOperation';
import { allNodes, operationOf, triggerFields } from '../../scripts/lib/nodes';
import { seedCount } from '../support/seeds';
import { type ControlSample, controlSamples, triggerSamples } from './controls';
import { cases } from './nodes';
import { statements } from './statements';

/** A form into whose controls a test enters values as expressions give them. */
export interface EnteredForm {
	title: string;
	/** One for each control. */
	samples: ControlSample[];
	/** Returns what the form sends with a value in a control. Throws NodeOperationError. */
	entered(sample: ControlSample, value: unknown): Entered;
	/** Returns the names of a control and of what it is in. */
	namesOf(control: string): string[];
}

/** What a form sends; a trigger's form leaves method and path to the node. */
export type Entered = Partial<ServiceCall> & { settings?: IDataObject };

const EXPRESSION = '={{ $json.value }}';

/** Returns what has the control: a collection, or the first row of a fixed one, which is under the name of its group. */
function holderOf(around: IDataObject, name: string): IDataObject {
	const [group] = Object.values(around);
	const row = [group].flat()[0];
	return isObject(row) && name in row ? (row as IDataObject) : around;
}

/** Returns the value of a control in a sample. */
export const valueIn = ({ control, parameters }: ControlSample): unknown =>
	control
		.split('.')
		.reduce<IDataObject>(
			(at, name, index) => (index > 0 ? holderOf(at, name) : at)[name] as IDataObject,
			parameters as IDataObject,
		);

/** Returns the parameters with another value in a control. */
export function withValue({ control, parameters }: ControlSample, value: unknown): INodeParameters {
	const copy = structuredClone(parameters) as IDataObject;
	const names = control.split('.');
	let at: IDataObject = copy;
	for (const [index, name] of names.entries()) {
		if (index > 0) at = holderOf(at, name);
		if (index === names.length - 1) at[name] = value as IDataObject;
		else at = at[name] as IDataObject;
	}
	return copy as INodeParameters;
}

function placeOf({ description: { name, version } }: INodeType, sample: ControlSample) {
	const parameters = withValue(sample, EXPRESSION);
	const node = { name: '', type: name, typeVersion: [version].flat().at(-1), parameters } as INode;
	return { node, timezone: 'UTC', labels: [] };
}

const reader =
	(values: INodeParameters) =>
	(path: string): unknown =>
		valueAt(values as IDataObject, path);

const labels = new Map(statements().map(({ where, name }) => [where, name]));

function form(
	title: string,
	samples: ControlSample[],
	entered: EnteredForm['entered'],
): EnteredForm {
	return {
		title,
		samples: [...new Map(samples.map((sample) => [sample.control, sample])).values()],
		entered,
		namesOf(control) {
			const parts = control.split('.');
			return parts.flatMap(
				(_, index) => labels.get(`${title} → ${parts.slice(0, index + 1).join('.')}`) ?? [],
			);
		},
	};
}

const operationForms: EnteredForm[] = cases.map(({ node, operation, name }) => {
	const entry = operationOf(node, operation);
	const fields = formFieldsOf(entry);
	return form(`${name}: ${entry.name}`, controlSamples(node, operation), (sample, value) => {
		const place = { ...placeOf(node, sample), itemIndex: 0 };
		return composeCall(entry, fields, reader(withValue(sample, value)), place).call;
	});
});

const triggerForms: EnteredForm[] = allNodes()
	.filter(({ description }) => description.polling)
	.map((node) => {
		return form(node.description.displayName, triggerSamples(node), (sample, value) => {
			const read = reader(withValue(sample, value));
			const { body, settings } = compose(triggerFields(node), read, placeOf(node, sample));
			return { body, settings };
		});
	});

/** The form that has a control of a name first. */
const firstForms = new Map<string, string>();

/** A control that other forms have, too, is tried in every so manieth turn. */
const STEP = 16;

/**
 * Returns the controls that no form had before this one and, by `turn`, some of the others, which are read alike in all
 * forms. `npm run test:random` tries all in each.
 */
export function ownAndSome(title: string, samples: ControlSample[], turn = 0): ControlSample[] {
	return samples.filter(({ control }, index) => {
		const name = control.split('.').at(-1)!;
		if (!firstForms.has(name)) firstForms.set(name, title);
		const isOwn = firstForms.get(name) === title;
		return isOwn || seedCount(1) > 1 || (index + turn) % STEP === 0;
	});
}

/** The forms of all operations and triggers, by their titles. */
export const allForms = [...operationForms, ...triggerForms].map(
	(one) => [one.title, one] as const,
);

/**
 * What is judged later: choices that are open to newer values, IDs, domains, countries and the inside of schemas by the service, before it
 * bills anything, and URLs of a batch all together.
 */
const IS_LEFT = (code: string, message: string) =>
	['enum', 'const', 'discriminator', 'invalid_value', 'invalid_union'].includes(code) ||
	/^(must match format "uuid"|Invalid UUID|Invalid input)$/.test(message) ||
	/^(must NOT have fewer than 1 items|Too small: expected array to have >=1 items)$/.test(
		message,
	) ||
	/^(Schema contains invalid structure|Invalid JSON schema|Invalid country code|Domain must be a valid|The rawBase64 format cannot be combined)/.test(
		message,
	);

/** Returns how the request of an operation breaks the contract. */
export function breachesOf({ method, path, query, body }: Entered) {
	if (method === undefined || path === undefined) return [];
	const { operationId } = findOperation(method, path)!;
	return [
		...validateRequest(method, path, query, body),
		...judged(operationId, body ?? {}).issues,
	].filter(({ code, message }) => !IS_LEFT(code, message));
}
