/* eslint-disable @n8n/community-nodes/require-node-api-error */
import {
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeParameters,
} from 'n8n-workflow';

import { type Form, compose } from '../../nodes/shared/form/form';
import { scrapeTopics } from '../../nodes/shared/fields/scrapeOptions';
import { type Field, type Place, childrenOf } from '../../nodes/shared/form/field';

export const node: INode = {
	id: 'node',
	name: 'Web Data',
	type: 'webData',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** A place for messages; item 2, so that a wrong index shows. */
export const place: Place = { node, itemIndex: 2, labels: [] };

/** Returns scrape options as a form has them: each in the collection of its topic. */
export function byTopic(options: INodeParameters): INodeParameters {
	const made: Record<string, INodeParameters> = {};
	for (const [key, value] of Object.entries(options)) {
		const topic = scrapeTopics('').find((one) => childrenOf(one).some(({ name }) => name === key));
		if (topic === undefined) throw new Error(`No topic has ${key}`);
		(made[topic.name] ??= {})[key] = value;
	}
	return made;
}

/** Returns what a form composes from the given values; the others are at their defaults, as n8n stores them. */
export function composed(fields: Field[], values: IDataObject = {}): Form<Place> {
	// A name may lead into a collection, as in n8n's conditions.
	const read = (path: string) => {
		const [name, ...keys] = path.split('.');
		const whole =
			name in values ? values[name] : fields.find((field) => field.name === name)?.default;
		return keys.reduce((at, key) => (at as IDataObject)[key], whole);
	};
	return compose(fields, read, place);
}

/** Returns the body that a single field composes from a value. */
export function bodyOf(field: Field, value: unknown): IDataObject {
	return composed([field], { [field.name]: value as IDataObject }).body;
}

/** Returns the error thrown for a value; fails the test if there is none. */
export function errorOf(work: () => unknown): NodeOperationError {
	try {
		work();
	} catch (error) {
		if (error instanceof NodeOperationError) return error;
		throw error;
	}
	throw new Error('Nothing was thrown');
}
