import type { IDataObject } from 'n8n-workflow';

import { type CredentialContext, allowedDomainsOf } from '../../../nodes/shared/client';

describe('allowedDomainsOf', () => {
	const of = async (credential: IDataObject) =>
		await allowedDomainsOf({
			getCredentials: async () => credential,
			getNode: () => ({ name: 'Trigger' }),
		} as unknown as CredentialContext);

	it('is any domain unless the credential names some', async () => {
		expect(await of({})).toBeUndefined();
		expect(await of({ allowedHttpRequestDomains: 'all', allowedDomains: 'a.com' })).toBeUndefined();
		// n8n lets the credential's own nodes pass there as well.
		expect(await of({ allowedHttpRequestDomains: 'none' })).toBeUndefined();
		expect(await of({ allowedHttpRequestDomains: 'domains', allowedDomains: ' a.com ' })).toBe(
			'a.com',
		);
	});

	it('fails where certain domains are allowed but none is named', async () => {
		for (const allowedDomains of [undefined, '', '  ']) {
			const credential = { allowedHttpRequestDomains: 'domains', allowedDomains };
			await expect(of(credential)).rejects.toMatchObject({
				message: 'The credential allows no domain',
				description: expect.stringContaining('Add the domain of the Base URL'),
			});
		}
	});
});
