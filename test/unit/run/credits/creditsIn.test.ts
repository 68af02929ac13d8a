import { creditsIn } from '../../../../nodes/shared/client/response';
import { nodes } from '../../../contract/nodes';

it.each([
	[{ creditsUsed: 5 }, 5],
	[{ creditsUsed: 0 }, 0],
	[{ data: { metadata: { creditsUsed: 2 } } }, 2],
	[{ creditsUsed: -1, data: { metadata: { creditsUsed: 2 } } }, 2],
	[{ creditsBilled: 21 }, 21],
	[{ creditsUsed: -1 }, undefined],
	[{ creditsUsed: Infinity }, undefined],
	[{ creditsUsed: '5' }, undefined],
	[{}, undefined],
])('a response %j says that it used %s credits', (response, credits) => {
	expect(creditsIn(response)).toBe(credits);
});

describe('what it may cost stands under the field that decides it', () => {
	const hintOf = (name: string, field: string) => {
		const node = nodes.find(({ description }) => description.name === name)!;
		const places = node.description.properties.filter((property) => property.name === field);
		return new Set(places.map(({ hint }) => hint));
	};

	it.each([
		['webDataCrawl', 'maxPages', 'Each page costs 1 credit; some formats cost more'],
		[
			'webDataSearch',
			'limit',
			'Up to 100. 2 credits per 10 results (rounded up, all sources together)',
		],
		[
			'webDataExtract',
			'urls',
			'One per line, or an expression that returns an array. The price depends on the pages and the result, and is not known beforehand.',
		],
	])('%s, %s: %s', (name, field, hint) => {
		expect(hintOf(name, field)).toContain(hint);
	});
});
