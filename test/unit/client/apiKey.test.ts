import type { INode, NodeOperationError } from 'n8n-workflow';

import { apiKeyOf, checkApiKey } from '../../../nodes/shared/client/account';

const node = { name: 'Web Data Search', type: 'webDataSearch', parameters: {} } as unknown as INode;

it.each<[unknown, string]>([
	[' \nBearer   k ', 'k'],
	['bearer\tk', 'k'],
	['k-bearer x', 'k-bearer x'],
	['bearerk', 'bearerk'],
	['bearer', 'bearer'],
	[123, '123'],
	[undefined, ''],
	[null, ''],
])('takes the key %j for %j', (entered, key) => {
	expect(apiKeyOf(entered)).toBe(key);
});

describe('a key', () => {
	it.each([
		['ab\u200bc', 3],
		['a\nb', 2],
		['\x1f', 1],
		['\x7f', 1],
		['\u0100', 1],
		['k😀', 2],
	])('with a character that no header can have is rejected: %j', (key, place) => {
		const check = () => checkApiKey(key, node);
		expect(check).toThrow('The API Key of the credential contains a character that cannot be sent');
		expect(check).toThrow(
			expect.objectContaining<Partial<NodeOperationError>>({
				description: `It is character ${place} of the key. Copy the key again from your dashboard, and nothing else with it.`,
				level: 'warning',
				node,
			}),
		);
	});

	it('that is empty is rejected', () => {
		expect(() => checkApiKey('', node)).toThrow('The API Key of the credential is empty');
	});

	it.each(['key 0123', '\x7e', '\x80', '\xff'])('may be %j', (key) => {
		expect(() => checkApiKey(key, node)).not.toThrow();
	});
});
