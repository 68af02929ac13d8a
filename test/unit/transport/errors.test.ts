import type { INode } from 'n8n-workflow';

import { errorOf } from '../../../nodes/shared/transport/errors';
import { mapTexts, redactor } from '../../../nodes/shared/transport/redact';

const node = { name: 'Web Data Search', type: 'webDataSearch', parameters: {} } as unknown as INode;

function connectionError(code: string, method: 'GET' | 'POST' = 'POST') {
	return errorOf(
		{ kind: 'noAnswer', code, reason: `connect ${code} 10.0.0.1:443` },
		{
			node,
			call: { method, path: '/v2/search' },
			settings: { itemIndex: 3 },
			root: 'https://api.example.com/prefix',
			waitedMs: 0,
			trouble: code === 'ECONNRESET' || code === 'ETIMEDOUT' ? 'broken' : undefined,
		},
	);
}

describe('connection errors keep our words, which n8n would replace', () => {
	it.each([
		['ECONNREFUSED', /^Nothing answers at api\.example\.com/],
		['ENOTFOUND', /^The host name of api\.example\.com could not be looked up/],
		['EAI_AGAIN', /could not be looked up/],
		['ECONNRESET', /^api\.example\.com closed the connection/],
		['EPIPE', /closed the connection/],
		['ETIMEDOUT', /^api\.example\.com did not answer in time/],
		['ECONNABORTED', /did not answer in time/],
		['EHOSTUNREACH', /cannot be reached/],
		['DEPTH_ZERO_SELF_SIGNED_CERT', /not signed by an authority/],
		['SELF_SIGNED_CERT_IN_CHAIN', /not signed by an authority/],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /not signed by an authority/],
		['CERT_HAS_EXPIRED', /has expired/],
		['ERR_TLS_CERT_ALTNAME_INVALID', /is for another host/],
		['EPROTO', /No secure connection/],
		['EACCES', /^The connection to api\.example\.com failed/],
		['', /^The request could not be sent/],
	])('%s', (code, message) => {
		const error = connectionError(code);
		expect(error.message).toMatch(message);
		expect(error.description).toContain(code);
		expect(error.description).toMatch(/Base URL|Request Options|proxies|certificate/);
		expect(error.messages).toEqual([]);
		expect(error.httpCode).toBeNull();
		expect(error.context.itemIndex).toBe(3);
		expect(error.cause).toBeUndefined();
	});
});

it('says that a POST may have been processed, and only of a POST', () => {
	expect(connectionError('ECONNRESET').description).toMatch(/may have processed and billed/);
	expect(connectionError('ECONNREFUSED').description).not.toMatch(/may have processed/);
	expect(connectionError('ECONNRESET', 'GET').description).not.toMatch(/may have processed/);
});

describe('the key is removed', () => {
	const key = 'a"b/c+d e12';
	const redact = redactor(key);
	it.each([
		[`Bearer ${key}`, 'Bearer [API key]'],
		[`?key=${encodeURIComponent(key)}&x`, '?key=[API key]&x'],
		[JSON.stringify({ key }), '{"key":"[API key]"}'],
		[Buffer.from(key).toString('base64'), '[API key]'],
		[`${key}${key}`, '[API key][API key]'],
		['nothing to remove', 'nothing to remove'],
	])('%s', (text, expected) => {
		expect(redact(text)).toBe(expected);
	});

	it('but not what is too short to be one', () => {
		expect(redactor('')('text')).toBe('text');
		expect(redactor('a')('banana')).toBe('banana');
		expect(redactor('abc')('abcde')).toBe('abcde');
		expect(redactor('abcd')('abcde')).toBe('[API key]e');
	});

	it('from all texts of a JSON value, its keys too, leaving the value as it was', () => {
		const value = { [`of ${key}`]: [key, { deep: `<${key}>` }], n: 1, on: true, none: null };
		const before = JSON.stringify(value);
		expect(mapTexts(value, redact)).toEqual({
			'of [API key]': ['[API key]', { deep: '<[API key]>' }],
			n: 1,
			on: true,
			none: null,
		});
		expect(JSON.stringify(value)).toBe(before);
	});
});
