import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { FIELD_LISTS } from '../../nodes/shared/fields/fieldLists';
import { allNodes } from '../../scripts/lib/nodes';
import { itemsOf } from '../support/engine';
import { scrape as node } from '../support/nodes';
import { served } from '../support/served';

let service: LocalService;
const run = served({}, (started) => (service = started));

const PAGE = { operation: 'scrape', url: 'https://shop.example/lamp' };

const scrape = async (parameters: INodeParameters, json: IDataObject = {}) =>
	await run(node, parameters, { items: itemsOf(json) });

describe('a ready-made list of fields', () => {
	const formats = ['json'];

	/** Returns the schema that these parameters send. */
	async function sent(parameters: INodeParameters): Promise<IDataObject> {
		const { error } = await scrape({ ...PAGE, formats, ...parameters });
		expect(error).toBeUndefined();
		const { body } = service.requests[0] as unknown as { body: { formats: IDataObject[] } };
		return body.formats[0].schema as IDataObject;
	}

	it.each(Object.entries(FIELD_LISTS))(
		'%s: is sent as it is, with at most a dozen fields',
		async (schemaFrom, { fields }) => {
			expect(Object.keys(fields).length).toBeLessThanOrEqual(12);
			expect(await sent({ schemaFrom })).toEqual({ type: 'object', properties: fields });
		},
	);

	it('is changed by rows, which add and replace fields', async () => {
		const { properties } = await sent({
			schemaFrom: 'event',
			schemaFields: {
				field: [
					{ name: 'price', type: 'number' },
					{ name: 'ageLimit', type: 'integer' },
					{ name: 'venue', type: 'string[]' },
				],
			},
		});
		expect(properties).toMatchObject({
			name: { type: 'string' },
			price: { type: 'number' },
			ageLimit: { type: 'integer' },
			venue: { type: 'array' },
		});
	});
});

describe('Always Fetch Fresh', () => {
	it.each([
		[{ alwaysFresh: true }, 0],
		[{ alwaysFresh: true, cacheOptions: { maxAge: 0 } }, 0],
		[{ alwaysFresh: false }, undefined],
		[{ alwaysFresh: false, cacheOptions: { maxAge: 5 } }, 18_000_000],
	])('%j sends the greatest age %s', async (options, maxAge) => {
		await scrape({ ...PAGE, options });
		expect((service.requests[0].body as IDataObject).maxAge).toBe(maxAge);
	});

	it.each([
		[{ maxAge: 9 }, 'Max Age (Hours) is 9'],
		[{ minAge: 1 }, 'Min Age (Hours) is 1'],
		[{ lockdown: true }, 'Lockdown is on'],
	])('together with %j is an error', async (other, says) => {
		const { error } = await scrape({
			...PAGE,
			options: { alwaysFresh: true, cacheOptions: { ...other } },
		});
		expect(error?.message).toBe(`Always Fetch Fresh is on, but ${says}`);
		expect(service.requests).toEqual([]);
	});

	it('may stand beside Lockdown that is off', async () => {
		await scrape({ ...PAGE, options: { alwaysFresh: true, cacheOptions: { lockdown: false } } });
		expect(service.requests[0].body).toMatchObject({ maxAge: 0, lockdown: false });
	});
});

it.each([
	['scrape', 'url', /choose Scrape Many Pages and Wait\./],
	['map', 'siteUrl', /items of their own\./],
])('several URLs for one of %s are told where they go', async (operation, name, says) => {
	const { error } = await scrape({ operation, [name]: 'https://a.example https://b.example' });
	expect(error?.description).toMatch(says);
	expect(service.requests).toEqual([]);
});

it.each<[IDataObject, string]>([
	[{ name: 'Lamp', link: 'https://a.example' }, 'The item has the fields name, link.'],
	[{ only: 1 }, 'The item has the field only.'],
	[{}, 'The item has no fields.'],
	[
		Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`f${n}`, n])),
		'The item has the fields f0, f1, f2, f3, f4, f5, f6, f7 and 2 more.',
	],
])('an empty expression of an item with %j names its fields', async (json, says) => {
	const { error } = await scrape({ ...PAGE, url: '={{ $json.url }}' }, json);
	expect(error?.description).toContain(says);
});

it('an operation and its action have the same words', () => {
	const names = allNodes().flatMap(({ description }) =>
		description.properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options = [] }) => options as Array<{ name: string; action: string }>),
	);
	expect(names.length).toBeGreaterThan(20);
	expect(names.filter(({ name, action }) => name.toLowerCase() !== action.toLowerCase())).toEqual(
		[],
	);
});
