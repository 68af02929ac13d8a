export {
	allowedDomainsOf,
	apiKeyOf,
	callerOf,
	CREDENTIAL_TYPE,
	readAccount,
	type Account,
	type Caller,
	type CredentialContext,
	type ReadAccount,
	type CallerRun,
} from './account';
export { callService, checkStopped, DEFAULT_MAX_WAIT_MS, pause } from './call';
export { testCredential } from './credentialTest';
export { DEFAULT_TIMEOUT_MS, reasonOf } from './http';
export { TimeLeft } from './timeLeft';
export { NO_RETRY, nextRetry, retryAfterMs, TIMEOUT_TRIES } from './retry';
export type {
	CallSettings,
	JobStart,
	ServiceCall,
	ServiceResponse,
	Upload,
	UploadStream,
} from './types';
export {
	creditsIn,
	hasOnlyWords,
	mostCredits,
	warningIn,
	withMostCredits,
	withWarning,
} from './response';
