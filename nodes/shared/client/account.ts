import {
	NodeOperationError,
	type IDataObject,
	type INode,
	type Logger,
	type RequestHelperFunctions,
} from 'n8n-workflow';

import { hostNameOf, kindOf } from '../base/hosts';
import { sha256, trimmed, withoutEnd } from '../base/text';
import { monotonicMs } from '../base/time';
import { parsedUrl } from '../base/url';
import { AccountLimiter } from '../limiter/accountLimiter';
import { type Redactor, redactor } from './redact';
import type { TimeLeft } from './timeLeft';
import type { ServiceCall } from './types';

export const CREDENTIAL_TYPE = 'webDataServiceApi';

export interface ServiceCredential {
	baseUrl: string;
	apiKey: string;
	/** Whether any certificate is accepted; for calls to the service, the credential's `authenticate` applies this. */
	ignoreSslIssues?: boolean;
}

/** Time (ms) for which an idle account is kept: longer than any pause that its 429s may have named. */
const KEPT_MS = 600_000;

/** Interval (ms) between two searches for idle accounts. */
const SWEPT_MS = 60_000;

/** What this n8n process knows about an account. */
export interface KnownAccount {
	/** The limiter that all nodes of this n8n process share for this account. */
	readonly limiter: AccountLimiter;
	/** Paths, without the ID, of endpoints that the service lacks. */
	readonly lacks: Set<string>;
}

/**
 * The accounts known to this n8n process, shared by all executions and nodes. An account is a base URL with an API key,
 * of which only a digest is kept.
 */
export class Accounts {
	private readonly known = new Map<string, KnownAccount>();

	/** When idle accounts were last searched for (ms). */
	private sweptAt = monotonicMs();

	/** Returns an account, the same for all callers, and drops accounts that have been idle for a long time. */
	async of(baseUrl: string, apiKey: string): Promise<KnownAccount> {
		const key = await sha256(`${baseUrl} ${apiKey}`);
		const account = this.known.get(key) ?? { limiter: new AccountLimiter(), lacks: new Set() };
		this.known.set(key, account);
		const now = monotonicMs();
		// Only occasionally, because there may be as many as items.
		if (now - this.sweptAt < SWEPT_MS) return account;
		this.sweptAt = now;
		for (const [other, { limiter }] of this.known) {
			if (other !== key && limiter.idleMs > KEPT_MS) this.known.delete(other);
		}
		return account;
	}
}

export const accounts = new Accounts();

/** The service and the key that a credential stands for. */
export interface Account extends KnownAccount {
	credential: ServiceCredential;
	root: string;
	/** Removes the key from everything that comes back. */
	redact: Redactor;
}

/** A node run, a poll, or the look-up of a list in the form. Runs with the same account take turns. */
export interface CallerRun {
	/** Aborted when the execution is cancelled or the poll is over. This also ends calls in flight. */
	readonly cancelled?: AbortSignal;
	/** Aborted like `cancelled`, and also when nothing more may be sent because an item has failed. */
	readonly stopped?: AbortSignal;
	/** The time left before the workflow times out; unset if there is no timeout, as for polls. */
	readonly timeLeft?: TimeLeft;
	/** Called before a POST is sent. Throws ServiceError if the run has no room for another result. */
	checkRoom?(): void;
}

/** A context of n8n that can send requests. */
export interface SendingContext {
	helpers: RequestHelperFunctions;
	logger: Logger;
}

/** Who calls the service: the run, the account and n8n's context. */
export interface Caller {
	run: CallerRun;
	account: Account;
	context: SendingContext;
	/**
	 * Sends a call that may cost credits only once: if the node runs again, returns the same ending. Endings that
	 * `isFree` accepts are not kept.
	 */
	once?: <Ending>(
		call: ServiceCall,
		send: () => Promise<Ending>,
		isFree: (ending: Ending) => boolean,
	) => Promise<Ending>;
}

/** A context of n8n that can read a credential: that of an item, a poll or a list in the form. */
interface CredentialContext {
	getNode(): INode;
	getCredentials<T extends object>(type: string): Promise<T>;
}

export interface ReadAccount {
	account: Account;
	/** Whether all items of the run share the account, because the credential contains no expression. */
	isConstant: boolean;
}

/**
 * Returns the caller for a list in the form, or for a poll, which may be ended early by `signal`. Throws
 * NodeOperationError.
 */
export async function callerOf(
	context: CredentialContext & SendingContext,
	signal?: AbortSignal,
): Promise<Caller> {
	const { account } = await readAccount(context);
	return { run: { cancelled: signal, stopped: signal }, account, context };
}

/** Returns the account of a node or an item. Throws NodeOperationError for an unusable credential. */
export async function readAccount(context: CredentialContext): Promise<ReadAccount> {
	const { data, isConstant } = await readCredential(context);
	const node = context.getNode();
	const [baseUrl, apiKey] = [String(data.baseUrl ?? ''), apiKeyOf(data.apiKey)];
	const root = serviceRoot(baseUrl, node);
	checkApiKey(apiKey, node);
	const known = await accounts.of(root, apiKey);
	const credential = { ...data, baseUrl, apiKey };
	return { account: { credential, root, redact: redactor(apiKey), ...known }, isConstant };
}

/** The part of n8n's contexts that resolves a credential's expressions. */
interface Expression {
	getParameterValue?: (value: unknown, ...rest: unknown[]) => unknown;
}

/**
 * Returns the credential, which n8n reads from its database and decrypts each time. n8n doesn't say whether it contains
 * an expression, so this observes n8n resolving it. If that isn't possible (n8n resolves it elsewhere, or its class has
 * private fields), an expression is assumed, and each item reads the credential.
 */
async function readCredential(
	context: CredentialContext,
): Promise<{ data: IDataObject; isConstant: boolean }> {
	const { workflow } = context as { workflow?: { expression?: Expression } };
	const expression = workflow?.expression;
	let isConstant = false;
	const getParameterValue = (value: unknown, ...rest: unknown[]) => {
		isConstant = !JSON.stringify(value).includes('"=');
		return expression?.getParameterValue?.(value, ...rest);
	};
	const own = { getParameterValue: { value: getParameterValue } };
	const watched = { expression: { value: Object.create(expression ?? null, own) as Expression } };
	const reader = Object.create(context, {
		workflow: { value: workflow && Object.create(workflow, watched) },
	}) as CredentialContext;
	try {
		const data = await reader.getCredentials<IDataObject>(CREDENTIAL_TYPE);
		return { data, isConstant };
	} catch {
		// If the credential itself causes the error, this throws it again.
		return { data: await context.getCredentials<IDataObject>(CREDENTIAL_TYPE), isConstant: false };
	}
}

/** Returns a key without surrounding whitespace and without a "Bearer" pasted along with it. */
export function apiKeyOf(entered: unknown): string {
	return String(entered ?? '')
		.trim()
		.replace(/^bearer\s+/i, '');
}

/** Throws NodeOperationError for an empty key, and for one that contains a character no header can contain. */
export function checkApiKey(apiKey: string, node: INode): void {
	const what = 'The API Key of the credential';
	const none =
		'Enter it in the credential, or check the expression there, which gives nothing. A service of your own that checks no keys takes any text.';
	if (apiKey === '') throw wrong(node, `${what} is empty`, none);
	const at = apiKey.search(/[^\x20-\x7e\x80-\xff]/u);
	const other = `It is character ${at + 1} of the key. Copy the key again from your dashboard, and nothing else with it.`;
	if (at >= 0) throw wrong(node, `${what} contains a character that cannot be sent`, other);
}

/**
 * Returns the domains that the credential may be used for, as set in newer versions of n8n ("Allowed HTTP Request
 * Domains"); undefined if there is no restriction. n8n itself checks them for a node's items, but not for triggers or
 * lists in the form. Throws NodeOperationError if the credential is restricted but names no domain.
 */
export async function allowedDomainsOf(context: CredentialContext): Promise<string | undefined> {
	const credential = await context.getCredentials<IDataObject>(CREDENTIAL_TYPE);
	if (credential.allowedHttpRequestDomains !== 'domains') return undefined;
	const domains = String(credential.allowedDomains ?? '').trim();
	if (domains !== '') return domains;
	throw wrong(
		context.getNode(),
		'The credential allows no domain',
		'Its Allowed HTTP Request Domains are limited to certain domains, but none is named. Add the domain of the Base URL, or allow all.',
	);
}

/**
 * Matches the beginning of a string with a dot or a port before its path. Excludes anything that may be the API key in
 * the wrong field, which would otherwise be looked up as a host: a bare word, a JSON Web Token, or a part between dots
 * that is too long for a host name.
 */
const HOST = /^(?!https?:|.*:\/\/|eyJ[\w-]{15,}\.[\w-]+\.|[^/]*[^/.:]{64})(?=[^/]*[.:])/i;

/**
 * Returns an entered Base URL with a scheme: http only for a host of a local network, since it sends the key
 * unencrypted.
 */
function withScheme(entered: string): string {
	if (entered !== 'localhost' && !HOST.test(entered)) return entered;
	const url = parsedUrl(`http://${entered}`);
	const isLocal = url !== undefined && kindOf(hostNameOf(url)) === 'private';
	return `${isLocal ? 'http' : 'https'}://${entered}`;
}

const EXAMPLE = 'Enter it in the credential like this: https://api.example.com';

/**
 * Returns the service's root address (`{base_url}` in api/openapi.yaml) for a credential's Base URL, without a trailing
 * slash. Adds a missing scheme, drops a pasted /v1 or /v2, and keeps a path prefix. Throws NodeOperationError for
 * anything but an http(s) address.
 */
export function serviceRoot(baseUrl: unknown, node: INode): string {
	const entered = typeof baseUrl === 'string' ? withScheme(trimmed(baseUrl)) : '';
	const root = withoutEnd(withoutEnd(entered, '/?#').replace(/\/v[12]$/, ''), '/');
	const url = parsedUrl(root);
	const problems: Array<[is: boolean, problem: string]> = [
		[root === '', 'is empty'],
		[!/^https?:/i.test(root), 'has to start with https:// or http://'],
		[url === undefined, 'is not a valid address'],
		[Boolean(url?.username || url?.password), 'contains a user name or password'],
		[Boolean(url?.search || url?.hash), 'contains a “?” or “#”'],
	];
	const [, problem] = problems.find(([is]) => is) ?? [];
	if (problem) throw wrong(node, `The Base URL of the credential ${problem}`, EXAMPLE);
	return url!.origin + url!.pathname.replace(/\/$/, '');
}

function wrong(node: INode, message: string, description: string): NodeOperationError {
	return new NodeOperationError(node, message, { description, level: 'warning' });
}
