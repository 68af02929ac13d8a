export { allowedDomainsOf } from './allowedDomains';
export { callerOf, callService, pause } from './call';
export type { Caller } from './call';
export { wait } from './wait';
export { addFiles } from './files';
export { isSegment, pathSegment } from './path';
export {
	detailLines,
	isTemporary,
	isUnbilled,
	nodeErrorOf,
	plainError,
	type NodeError,
} from './errors';
export { nodeRunOf, type NodeRun } from './nodeRun';
export { serviceRoot } from './root';
export type { Failure } from './errorTexts';
export { listOf, textOf } from './json';
export { noListError, neededList } from './needed';
export { pageError } from './pageErrors';
export { CREDENTIAL_TYPE } from './types';
export type { CallSettings, ServiceResponse, ServiceCall } from './types';
