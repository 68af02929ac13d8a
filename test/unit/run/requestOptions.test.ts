import type { IExecutePaginationFunctions } from 'n8n-workflow';

import { type RequestData, httpOf, timeoutOf } from '../../../nodes/shared/run/requestOptions';
import { errorOf, place } from '../../support/form';

const contextOf = (requestOptions?: object) =>
	({
		getNodeParameter: (name: string, fallback: unknown) =>
			name === 'requestOptions' ? (requestOptions ?? fallback) : undefined,
	}) as unknown as IExecutePaginationFunctions;

describe('Timeout', () => {
	it.each([
		[undefined, undefined],
		['', undefined],
		[null, undefined],
		[0, undefined],
		['0', undefined],
		[1, 1],
		['30000', 30_000],
		[2 ** 31 - 1, 2 ** 31 - 1],
	])('%j is %j', (timeout, ms) => {
		expect(timeoutOf(contextOf({ timeout }), place)).toBe(ms);
	});

	it('is none where there are no Request Options', () => {
		expect(timeoutOf(contextOf(), place)).toBeUndefined();
	});

	it.each([-1, 0.5, 1.5, 2 ** 31, 'soon'])('%j is no time', (timeout) => {
		const error = errorOf(() => timeoutOf(contextOf({ timeout }), place));
		expect(error.message).toMatch(/^Timeout is /);
		expect(error.description).toContain('Settings → Request Options → Timeout');
		expect(error.context.itemIndex).toBe(2);
	});
});

it('what n8n made of Request Options is passed on, but for the timeout, which is checked', () => {
	const kept = {
		proxy: { host: '127.0.0.1', port: 8_080 },
		skipSslCertificateValidation: true,
		allowedDomains: 'a.example',
	};
	const data = { options: { ...kept, timeout: '5', url: '/x' } } as unknown as RequestData;
	expect(httpOf(data)).toEqual(kept);
});
