import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	Icon,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { apiKeyOf } from '../nodes/shared/transport';
import { ROOT_STEPS } from '../nodes/shared/url';

const REDIRECT =
	'This Base URL redirects to another address. Enter that one; usually it begins with https://.';

/** Says what a status means in the credential's test. */
const REJECTIONS: Record<number, string> = {
	401: 'The service does not accept this API key. Copy it again from your dashboard, and remove any user name and password from Base URL.',
	404: 'There is no Web Data Service at this Base URL. Check the address; it ends before /v1 or /v2.',
	402: 'The service is there, but your account has no credits left. Add credits or upgrade the plan in your dashboard.',
	429: 'The service is there, but the rate limit of your account was reached. Test again in a minute.',
	301: REDIRECT,
	302: REDIRECT,
	307: REDIRECT,
	308: REDIRECT,
};

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
				'Root address of the service, without /v1 or /v2. A self-hosted service may have a path. Without http:// or https://, https:// is used, or http:// for a local address.',
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
				'Whether to connect even if the certificate of the service cannot be validated. It also holds for lists, triggers and downloaded files.',
		},
	];

	// A function, because n8n evaluates the expression of a generic one anew for every request.
	authenticate = async (
		{ apiKey, ignoreSslIssues }: ICredentialDataDecryptedObject,
		options: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => ({
		...options,
		...(ignoreSslIssues === true && { skipSslCertificateValidation: true }),
		headers: { ...options.headers, Authorization: `Bearer ${apiKeyOf(apiKey)}` },
	});

	// The list of active crawls is free and needs the key, so it tells a wrong key from a wrong address.
	test: ICredentialTestRequest = {
		request: {
			baseURL: `={{ $credentials.baseUrl${ROOT_STEPS.map(([pattern, replacement]) => `.replace(${pattern}, "${replacement}")`).join('')} }}`,
			url: '/v2/crawl/active',
			timeout: 15000,
			disableFollowRedirect: true,
		},
		rules: [
			...Object.entries(REJECTIONS).map(([status, message]) => ({
				type: 'responseCode' as const,
				properties: { value: Number(status), message },
			})),
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'success',
					value: undefined,
					message:
						'Something other than the Web Data Service answers at this Base URL. Check the address.',
				},
			},
			{
				type: 'responseSuccessBody',
				properties: {
					key: 'success',
					value: false,
					message: 'The service is there, but could not list your crawls. Check the API key.',
				},
			},
			// n8n reads rules of both kinds from one list; its type allows lists of one kind only.
		] as ICredentialTestRequest['rules'],
	};
}
