import type { IDataObject } from 'n8n-workflow';

import { apiKeyOf } from './apiKey';
import { CREDENTIAL_TYPE, type ServiceContext, type ServiceCredential } from './types';

/** A credential as n8n gives it for an item. */
export interface ReadCredential {
	credential: ServiceCredential;
	/** Whether it is the same for all items of the run, since there is no expression in it. */
	isConstant: boolean;
}

/** What n8n's contexts resolve the expressions of a credential with. */
interface Expression {
	getParameterValue?: (value: unknown, ...rest: unknown[]) => unknown;
}

/**
 * Reads the credential, which n8n takes from its database and decrypts each time. n8n doesn't say whether there is an
 * expression in it, so the read is watched where n8n resolves it; where it doesn't go that way, there may be one.
 */
export async function readCredential(context: ServiceContext): Promise<ReadCredential> {
	const { workflow } = context as { workflow?: { expression?: Expression } };
	const expression = workflow?.expression;
	let isConstant = false;
	const watched = Object.create(expression ?? null, {
		getParameterValue: {
			value: (value: unknown, ...rest: unknown[]) => {
				isConstant = !JSON.stringify(value).includes('"=');
				return expression?.getParameterValue?.(value, ...rest);
			},
		},
	}) as Expression;
	const reader = Object.create(context, {
		workflow: { value: workflow && Object.create(workflow, { expression: { value: watched } }) },
	}) as ServiceContext;
	const data = await reader.getCredentials<IDataObject>(CREDENTIAL_TYPE);
	const [baseUrl, apiKey] = [String(data.baseUrl ?? ''), apiKeyOf(data.apiKey)];
	return { credential: { ...data, baseUrl, apiKey }, isConstant };
}
