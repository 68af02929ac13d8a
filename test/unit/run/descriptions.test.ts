/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** What n8n sends to each editor when it opens. */
import { gzipSync } from 'node:zlib';
import type { INodeType } from 'n8n-workflow';

import { type Field, choicesOf } from '../../../nodes/shared/form/field';
import { allNodes } from '../../../scripts/lib/nodes';
import { formsOf } from '../../contract/controls';

/** Returns the fields below and including a field. */
function within(field: Field): Field[] {
	const below = (field.options ?? []).flatMap((option) => {
		if ('values' in option) return option.values;
		return 'type' in option ? [option] : [];
	});
	return [field, ...below.flatMap(within)];
}

const fieldsOf = (node: INodeType) => formsOf(node).flatMap(within);

const loadedFields = allNodes().flatMap((node) =>
	fieldsOf(node)
		.filter(({ typeOptions }) => typeOptions?.loadOptionsMethod)
		.map((field): [string, INodeType, Field] => [
			`${node.description.displayName} → ${field.displayName}`,
			node,
			field,
		]),
);

describe('descriptions of all nodes', () => {
	it('are at most 400 kB, or 75 kB compressed, because each editor loads them when it opens', () => {
		const text = JSON.stringify(allNodes().map(({ description }) => description));
		expect(text.length).toBeLessThanOrEqual(400_000);
		expect(gzipSync(text).length).toBeLessThanOrEqual(75_000);
	});

	it('say what rows of a list become', () => {
		const lists = allNodes()
			.flatMap(fieldsOf)
			.filter(({ type, typeOptions }) => type === 'fixedCollection' && typeOptions?.multipleValues);
		expect(lists.length).toBeGreaterThan(10);
		expect(lists.filter(({ wire }) => wire?.value === undefined)).toEqual([]);
	});

	it.each(loadedFields)(
		'load the choices that the node understands: %s',
		async (_, node, field) => {
			const { loadOptions = {} } = node.methods as NonNullable<INodeType['methods']>;
			const load = loadOptions[field.typeOptions!.loadOptionsMethod!];
			expect(await load.call({} as never)).toEqual(choicesOf(field));
			expect(choicesOf(field).length).toBeGreaterThan(50);
		},
	);
});
