/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { nodeErrorOf } from '../../../nodes/shared/client/errors/nodeErrors';
import { finishItems } from '../../../nodes/shared/run/items';
import { pageShape } from '../../../nodes/shared/fields/shapes';
import type { Operation } from '../../../nodes/shared/run/operation';
import { ScriptedTask } from '../../support/task';

const OPERATION = { name: 'Search', results: pageShape } as Operation;

const GONE = { metadata: { statusCode: 404, url: 'https://a.example/gone' } };

const itemsOf = (...json: IDataObject[]): INodeExecutionData[] =>
	json.map((one) => ({ json: one }));

async function finished(
	items: INodeExecutionData[],
	values: IDataObject = {},
	more: ConstructorParameters<typeof ScriptedTask>[1] = {},
) {
	const task = new ScriptedTask([], { values, ...more });
	return await finishItems({ items }, task, OPERATION).catch((error: unknown) => {
		throw nodeErrorOf(error, task.form.place);
	});
}

const jsons = (items: INodeExecutionData[]) => items.map(({ json }) => json);

it.each([
	[1, '…'],
	[11, `${'a'.repeat(9)}…`],
	[12, `${'a'.repeat(9)}😀…`],
	[13, `${'a'.repeat(9)}😀😀`],
])(
	'are shortened to %i characters without cutting an emoji in half',
	async (maxTextLength, text) => {
		const items = itemsOf({ markdown: `${'a'.repeat(9)}😀😀` });
		expect(jsons(await finished(items, { maxTextLength }))).toEqual([{ markdown: text }]);
	},
);

it('leave n8n time for other work, however many of them failed', async () => {
	let turns = 0;
	const timer = setInterval(() => turns++, 1);
	const gone = Array.from({ length: 5_000 }, () => structuredClone(GONE));
	await finished(itemsOf(...gone), { failedPages: 'errors' }, { continueOnFail: true });
	clearInterval(timer);
	expect(turns).toBeGreaterThan(2);
});

it('long texts are cut wherever they are, and nothing else is', async () => {
	const json = { a: 'abcd', b: ['abc', { c: 'abcde' }], d: null, e: 12_345, f: undefined };
	const [item] = await finished(itemsOf(json), { maxTextLength: 3 });
	expect(item.json).toStrictEqual({
		a: 'ab…',
		b: ['abc', { c: 'ab…' }],
		d: null,
		e: 12_345,
		f: undefined,
	});
});
