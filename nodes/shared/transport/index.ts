export { allowedDomainsOf } from './allowedDomains';
export { apiKeyOf } from './apiKey';
export { callerOf, callService, DEFAULT_MAX_WAIT_MS, pause } from './call';
export type { Caller } from './call';
export { addFiles, fileFieldsOf, MAX_DOWNLOADS } from './files';
export { DEFAULT_TIMEOUT_MS } from './http';
export { checkedId, isSegment, pathOf } from './path';
export {
	asUnsent,
	costOf,
	detailLines,
	isTemporary,
	nodeErrorOf,
	plainError,
	type NodeError,
	type NodeItem,
} from './errors';
export { nodeRunOf, type Account, type NodeRun } from './nodeRun';
export { parsedUrl, ROOT_STEPS, serviceRoot } from './root';
export type { Failure } from './errorTexts';
export { pageError } from './pageErrors';
export { turns } from './turns';
export { CREDENTIAL_TYPE } from './types';
export type { CallSettings, ServiceResponse, ServiceCall } from './types';
export { wait } from './wait';
