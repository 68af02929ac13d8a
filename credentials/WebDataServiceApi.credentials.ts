import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { apiKeyOf } from '../nodes/shared/client/account';

export class WebDataServiceApi implements ICredentialType {
	name = 'webDataServiceApi';

	displayName = 'Web Data Service API';

	icon: Icon = {
		light: 'file:../icons/webDataService.svg',
		dark: 'file:../icons/webDataService.dark.svg',
	};

	documentationUrl = 'https://github.com/web-data-service/n8n-nodes-web-data-service#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description:
				'A self-hosted service may have a path. Without http:// or https://, https:// is used, or http:// for a local address.',
			hint: "The address of the API, from your provider's dashboard or documentation; not your own website",
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: "Find it in your account's dashboard",
		},
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'ignoreSslIssues',
			type: 'boolean',
			default: false,
			description:
				'Whether to connect even if the certificate of the service cannot be validated. It also applies to lists, triggers and downloaded files.',
		},
	];

	// A function, because n8n evaluates the expressions of a declared one again for every request.
	authenticate = async (
		{ apiKey, ignoreSslIssues }: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => ({
		...options,
		...(ignoreSslIssues === true && { skipSslCertificateValidation: true }),
		headers: { ...options.headers, Authorization: `Bearer ${apiKeyOf(apiKey)}` },
	});
}
