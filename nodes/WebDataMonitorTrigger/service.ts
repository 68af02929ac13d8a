import type { IHookFunctions, ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';

import { allLabels, labelOf } from '../shared/form/labels';
import { trailInForm } from '../shared/fields/monitor';
import type { Ask } from '../shared/jobs/monitors';
import { allowedDomainsOf, callerOf } from '../shared/client/account';
import { callService } from '../shared/client/call';
import { isObject } from '../shared/base/json';
import { sha256 } from '../shared/base/text';
import { fields } from './fields';

export type Context = IHookFunctions | IWebhookFunctions | ITriggerFunctions;

/** Time (ms) for a request; n8n, or the service that reports, is waiting. */
const TIMEOUT_MS = 30_000;

/** Time (ms) that a request waits for a rate limit. */
const MAX_WAIT_MS = 10_000;

/** The header of a report that proves where it comes from. */
export const SECRET_HEADER = 'x-web-data-monitor';

export interface KeptMonitor {
	id: string;
	secret: string;
	/** Hash of what was asked for. */
	scope: string;
}

/** Returns what the node keeps; n8n saves a value that is assigned as a whole. */
export const keptBy = (context: Context) => context.getWorkflowStaticData('node');

export function monitorOf(context: Context): KeptMonitor | undefined {
	const { monitor } = keptBy(context);
	return isObject(monitor) ? (monitor as unknown as KeptMonitor) : undefined;
}

/** Returns how to call the service for a context, and the service's address. */
export async function serviceOf(context: Context): Promise<{ ask: Ask; root: string }> {
	const caller = await callerOf(context);
	const labels = allLabels(fields);
	const settings = {
		maxWaitMs: MAX_WAIT_MS,
		http: { timeout: TIMEOUT_MS, allowedDomains: await allowedDomainsOf(context) },
		hasField: (label: string) => labels.has(label),
		nameOf: (trail: Array<string | number>) => labelOf(fields, trailInForm(trail)),
	};
	return {
		ask: async (call) => await callService(caller, call, settings),
		root: caller.account.root,
	};
}

export const newSecret = (): string =>
	Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex');

/** Whether a text is the secret. They are compared as hashes, so that the time it takes says nothing of the secret. */
export const isSecret = async (given: unknown, secret: string): Promise<boolean> =>
	(await sha256(String(given))) === (await sha256(secret));
