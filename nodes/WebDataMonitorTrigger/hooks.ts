import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { isObject, numberOf, without } from '../shared/base/json';
import { hostNameOf, kindOf } from '../shared/base/hosts';
import { beginningOf, sentences } from '../shared/base/text';
import { parsedUrl, usableId } from '../shared/base/url';
import { nodeErrorOf, withWholeMessage } from '../shared/client/errors/nodeErrors';
import { ServiceError, hasStatus } from '../shared/client/errors/serviceError';
import { finishMonitor } from '../shared/fields/monitor';
import { type Ask, MONITORS, allOf } from '../shared/jobs/monitors';
import { dataOf } from '../shared/run/results/response';
import { hashedScope } from '../shared/trigger/memory';
import { credentialIdOf, readForm } from '../shared/trigger/runPoll';
import { fields } from './fields';
import { forget } from './news';
import { SECRET_HEADER, keptBy, monitorOf, newSecret, serviceOf } from './service';

/** Maximum number of pages or results in a test. */
const MAX_TESTED = 3;

/** Once a year: the monitor of a test that n8n could not remove costs next to nothing until the next test does. */
const TEST_SCHEDULE = { cron: '0 0 1 1 *' };

const INSTEAD =
	'To watch from n8n itself, use Web Data Page Trigger for pages and sites, or Web Data Search Trigger for searches.';

const isTest = (context: IHookFunctions) => context.getMode() === 'manual';

const addressOf = (context: IHookFunctions) => context.getNodeWebhookUrl('default') ?? '';

/** The node in this n8n, for finding its monitors again. */
const ownerOf = (context: IHookFunctions) => `${context.getWorkflow().id}/${context.getNode().id}`;

/** Returns what the form asks for. Throws NodeOperationError. */
function wantedBy(context: IHookFunctions): IDataObject {
	const form = readForm(context, fields);
	finishMonitor(form, form.place);
	return form.body;
}

const scopeOf = async (context: IHookFunctions) =>
	await hashedScope(`${credentialIdOf(context)}:${JSON.stringify(wantedBy(context))}`);

/**
 * Whether the monitor is there, as asked for and for this address. If the service doesn't answer, it counts as there:
 * n8n would otherwise take the trigger down.
 */
export async function isThere(context: IHookFunctions): Promise<boolean> {
	const kept = monitorOf(context);
	if (kept === undefined || isTest(context)) return false;
	if (kept.scope !== (await scopeOf(context))) return false;
	try {
		const { ask } = await serviceOf(context);
		const { body } = await ask({ method: 'GET', path: `${MONITORS}/${kept.id}` });
		const [{ status, webhook }] = dataOf(body);
		return status !== 'deleted' && isObject(webhook) && webhook.url === addressOf(context);
	} catch (error) {
		if (hasStatus(error, 404)) return false;
		context.logger.warn(`The monitor could not be checked: ${(error as Error).message}`);
		return true;
	}
}

/** Creates the monitor in place of any other of this node; for a test, one that checks at once. */
export async function create(context: IHookFunctions): Promise<boolean> {
	try {
		const name = beginningOf(context.getWorkflow().name ?? context.getNode().name, 256);
		const wanted = { name, ...wantedBy(context) };
		const { ask, root } = await serviceOf(context);
		const url = addressOf(context);
		checkReachable(url, root);
		await removeOwn(context, ask);
		const secret = newSecret();
		const webhook = {
			url,
			headers: { [SECRET_HEADER]: secret },
			metadata: { node: ownerOf(context) },
			events: ['monitor.check.completed'],
		};
		const body: IDataObject = { ...(isTest(context) ? tested(wanted) : wanted), webhook };
		const { body: created } = await ask({ method: 'POST', path: MONITORS, body });
		const [{ id: given, estimatedCreditsPerMonth: most }] = dataOf(created);
		const id = usableId(given);
		if (id === undefined) throw new ServiceError('The service created no monitor', NOTHING);
		keptBy(context).monitor = { id, secret, scope: await scopeOf(context) };
		if (isTest(context)) {
			await ask({ method: 'POST', path: `${MONITORS}/${id}/run`, body: {} }).catch(
				async (error) => {
					await removeOwn(context, ask);
					throw error;
				},
			);
		} else if (typeof most === 'number')
			context.logger.info(
				`Monitor ${id} of "${String(body.name)}" costs up to ${most} credits a month`,
			);
		return true;
	} catch (error) {
		const failure = withWholeMessage(nodeErrorOf(withAdvice(error), { node: context.getNode() }));
		// n8n shows one of the two alone: in 1.x the description if there is one, in 2.x the message.
		throw Object.assign(failure, { description: null });
	}
}

const NOTHING = { description: 'Its response has no ID. Check Base URL in the credential.' };

/** Deletes the monitor, and any other of this node that an interruption left. */
export async function remove(context: IHookFunctions): Promise<boolean> {
	const kept = monitorOf(context);
	try {
		await removeOwn(context, (await serviceOf(context)).ask, kept?.id);
	} catch (error) {
		// Nothing was created, e.g. because the service has no monitors.
		if (kept !== undefined) {
			context.logger.warn(`Monitor ${kept.id} may still be there: ${(error as Error).message}`);
			throw nodeErrorOf(error, { node: context.getNode() });
		}
	}
	const data = keptBy(context);
	delete data.monitor;
	delete data.checks;
	if (kept) forget(kept.id);
	return true;
}

/**
 * Deletes the monitors of this node: this one, which is known without the list, and then those in it that are kept or
 * report to the node. A test leaves the published one.
 */
async function removeOwn(context: IHookFunctions, ask: Ask, knownId?: string): Promise<void> {
	const remove = async (id: string) => {
		const path = `${MONITORS}/${encodeURIComponent(id)}`;
		await ask({ method: 'DELETE', path }).catch((error: unknown) => {
			if (!hasStatus(error, 404)) throw error;
		});
	};
	const [address, owner, kept] = [addressOf(context), ownerOf(context), monitorOf(context)];
	if (knownId !== undefined) await remove(knownId);
	const { origin } = parsedUrl(address) ?? {};
	const isOwn = ({ id, webhook }: IDataObject) => {
		const { url, metadata } = isObject(webhook) ? webhook : {};
		const isOfNode = isObject(metadata) && metadata.node === owner;
		const isHere = origin !== undefined && parsedUrl(String(url))?.origin === origin;
		return id === kept?.id || url === address || (!isTest(context) && isOfNode && isHere);
	};
	for (const { id } of (await allOf(ask, { path: MONITORS })).filter(isOwn))
		await remove(String(id));
}

/** Returns a monitor for a test: of a few pages. */
function tested({ targets, ...wanted }: IDataObject): IDataObject {
	const [target] = targets as IDataObject[];
	const { urls, queries, maxResults } = target;
	const crawlOptions = target.crawlOptions as IDataObject | undefined;
	const few = (limit: unknown) => Math.min(MAX_TESTED, numberOf(limit) || MAX_TESTED);
	const some = {
		...target,
		...(Array.isArray(urls) && { urls: urls.slice(0, MAX_TESTED) }),
		...(target.type === 'crawl' && {
			crawlOptions: { ...crawlOptions, limit: few(crawlOptions?.limit) },
		}),
		...(Array.isArray(queries) && { queries: queries.slice(0, 1), maxResults: few(maxResults) }),
	};
	return { ...without(wanted, 'notification'), targets: [some], schedule: TEST_SCHEDULE };
}

/** Throws ServiceError for an address of n8n that a service on the internet can't reach. */
function checkReachable(address: string, root: string): void {
	const isInside = (url: string) => {
		const parsed = parsedUrl(url);
		return parsed === undefined || kindOf(hostNameOf(parsed)) !== undefined;
	};
	if (!isInside(address) || isInside(root)) return;
	throw new ServiceError(`The service can't reach this n8n at ${address}`, {
		description: `If n8n has an address on the internet, set it as WEBHOOK_URL. ${INSTEAD}`,
	});
}

/** Returns the error of a service without monitors for this team, saying what to use instead. */
function withAdvice(error: unknown): unknown {
	if (!(error instanceof ServiceError)) return error;
	const isWithout = [402, 403, 404, 405, 501].includes(error.status ?? 0);
	if (!isWithout && !/zero.data.retention|zdr/i.test(error.message)) return error;
	return error.with({ description: sentences([error.details.description, INSTEAD]) });
}
