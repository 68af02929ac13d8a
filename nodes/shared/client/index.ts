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
export { creditsIn, mostCredits, withMostCredits } from './credits';
export { DEFAULT_TIMEOUT_MS, reasonOf } from './http';
export { TimeLeft } from './timeLeft';
export { retryAfterMs } from './retryAfter';
export { nextDelay, TIMEOUT_TRIES, type Attempts } from './retry';
export type {
	CallSettings,
	JobStart,
	ServiceCall,
	ServiceResponse,
	Upload,
	UploadStream,
} from './types';
export { hasOnlyWords, warningIn } from './words';
