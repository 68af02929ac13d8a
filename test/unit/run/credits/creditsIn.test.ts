import { creditsIn } from '../../../../nodes/shared/client/response';

it.each([
	[{ creditsUsed: 5 }, 5],
	[{ creditsUsed: 0 }, 0],
	[{ data: { metadata: { creditsUsed: 2 } } }, 2],
	[{ creditsUsed: -1, data: { metadata: { creditsUsed: 2 } } }, 2],
	[{ creditsUsed: 0, data: { metadata: { creditsUsed: 5 } } }, 5],
	[{ creditsBilled: 21 }, 21],
	[{ creditsUsed: -1 }, undefined],
	[{ creditsUsed: Infinity }, undefined],
	[{ creditsUsed: '5' }, undefined],
	[{}, undefined],
])('a response %j says that it used %s credits', (response, credits) => {
	expect(creditsIn(response)).toBe(credits);
});
