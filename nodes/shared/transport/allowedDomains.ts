import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { CREDENTIAL_TYPE, type ServiceContext } from './types';

/**
 * The domains that the credential may be used for, as newer versions of n8n let people set them ("Allowed HTTP Request Domains"),
 * for the request to be checked against. n8n does so itself for the items of a node, but not for triggers and lists in the
 * form. Undefined: any domain. Throws NodeOperationError where only certain domains are allowed and none is named.
 */
export async function allowedDomainsOf(context: ServiceContext): Promise<string | undefined> {
	const credential = await context.getCredentials<IDataObject>(CREDENTIAL_TYPE);
	if (credential.allowedHttpRequestDomains !== 'domains') return undefined;
	const domains = String(credential.allowedDomains ?? '').trim();
	if (domains !== '') return domains;
	throw new NodeOperationError(context.getNode(), 'The credential allows no domain', {
		description:
			'Its Allowed HTTP Request Domains are set to certain domains, but none is named. Name the one of the Base URL, or allow all.',
	});
}
