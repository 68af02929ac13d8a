import type { IDataObject } from 'n8n-workflow';

import { below, invalid } from '../form/checks';
import { isTool } from '../form/field';
import { ifPartFails } from '../fields/jobOptions';
import { downloadFiles, failOnPageErrors, limitField, splitIntoItems } from '../fields/options';
import {
	type ResultShape,
	fieldsToReturn,
	isChosen,
	pageShape,
	pagesAs,
	placesIn,
} from '../fields/shapes';
import { MAX_ITEMS } from '../run/items';
import { markedIfEmpty } from '../run/results/pageFailure';
import { simplifierFor } from '../run/results/simplify';
import { objectsIn } from '../run/results/required';
import { messageOf, plural, sentences, shortened, textOf, withoutStop } from '../base/text';
import { warningIn, withId, without } from '../base/json';
import { creditsIn } from '../run/creditBudget';
import type { Done } from '../run/nodeRun';
import type { Form, Task } from '../run/operation';
import {
	type CallSettings,
	type ServiceCall,
	type ServiceResponse,
	callService,
	checkStopped,
} from '../client';
import { fileRoomOf } from '../run/downloads/fileRoom';
import { fileFieldsOf } from '../run/downloads/files';
import { FULL_DISK } from '../run/downloads/keep';
import { pathTo } from '../base/url';
import { ServiceError, naming } from '../client/errors/serviceError';
import { CollectedPages } from './collectedPages';
import { type FailedUrl, failedUrls } from './failedUrls';
import { followPages } from './followPages';
import { isTerminal, jobStateOf } from './jobState';
import { PageFiles } from './pageFiles';
import { type Job, checkTime, endOf, endedError, jobOfId } from './waitForJob';

/** A kind of job that has pages. */
export interface PagedJob extends Job {
	/** Start of the names of fields that say which job a page is from, e.g. `crawl` of `crawlId`. */
	prefix: string;
	results: ResultShape;
	/** Where else a job explains why it has almost no pages, and what to check if it doesn't. */
	reasons?: { path: string; remedy: string };
}

/** Throws NodeOperationError, naming both fields, for settings that have no effect on pages in files. */
export function checkPageSettings({ get, place }: Form): void {
	if (get(pagesAs) !== 'files') return;
	const idle =
		get(splitIntoItems) === false
			? splitIntoItems
			: [downloadFiles, failOnPageErrors].find((field) => get(field) === true);
	if (idle === undefined) return;
	throw invalid(
		below(place, pagesAs.displayName),
		`is JSON Files, on which ${idle.displayName} has no effect`,
		`Remove ${idle.displayName}, or set ${pagesAs.displayName} to Items.`,
	);
}

/** Throws NodeOperationError, before a job is started, if it asks for more pages than n8n accepts as items. */
export function checkPageCount({ get, place }: Form, count: number, label: string): void {
	const areItems = get(pagesAs) !== 'files' && get(splitIntoItems) !== false;
	if (count <= MAX_ITEMS || !areItems || isTool(place.node)) return;
	throw invalid(
		below(place, label),
		`asks for ${count} pages, but n8n accepts at most ${MAX_ITEMS} as items`,
		`Set ${pagesAs.displayName} to JSON Files, or ask for fewer pages.`,
	);
}

/** Returns the call for a job's pages. Its errors never advise starting the job again if this operation started it. */
function callForPages(task: Task, job: PagedJob, id: string): [ServiceCall, CallSettings] {
	const hasStartedIt = task.call.method === 'POST';
	const remedy = `The ${job.what} has ended: use "${job.getBy}" with its job ID, as reading its pages costs nothing. Starting it again costs credits again.`;
	return [
		{ method: 'GET', path: pathTo(job.path, id) },
		{ ...task.settings, jobId: id, ...(hasStartedIt ? { remedy } : {}) },
	];
}

/**
 * Returns the first response with the pages of a job. `ended` is the last status of a job that was waited for. It takes
 * precedence, because the response may come from an outdated replica. Throws ServiceError.
 */
export async function firstResponse(
	task: Task,
	job: PagedJob,
	id: string,
	ended: IDataObject = {},
): Promise<ServiceResponse> {
	const response = await callService(task, ...callForPages(task, job, id));
	return { ...response, body: { ...response.body, ...without(ended, 'data', 'next') } };
}

/**
 * Yields the pages of a job, chunk by chunk, up to the form's limit; the caller adds each to `collected`. Throws
 * ServiceError if a chunk can't be read.
 */
export async function* readPages(
	task: Task,
	job: PagedJob,
	id: string,
	collected: CollectedPages,
	first: ServiceResponse,
): AsyncGenerator<IDataObject[]> {
	const [call, settings] = callForPages(task, job, id);
	yield* followPages(task, call, first, {
		...settings,
		limit: task.form.get(limitField),
		collected,
		beforeNext: () => checkTime(task, job, id),
	});
}

/**
 * Returns the pages of a job up to the limit, each once and in order, as items or as files of pages; as a single item
 * if splitting is off. For a job that failed or was cancelled, these are the pages it has. A warning says so, or
 * mentions other irregularities; a job that ended without a page is an item as well. Throws ServiceError if there is no
 * page although the job failed, or was started here and cancelled, or the service counted some, gives a reason or sends
 * no list. Also throws if a chunk can't be read, unless the form asks for the available pages in that case. `ended`:
 * see `firstResponse`.
 */
export async function pagesOf(
	task: Task,
	job: PagedJob,
	id: string,
	ended?: IDataObject,
): Promise<Done> {
	const started = jobOfId(job, id);
	const credits = ended && creditsIn(ended);
	const done = await naming(started, async () => await pagesIn(task, job, id, ended), { credits });
	return { ...done, credits: credits ?? done.credits, job: started };
}

async function pagesIn(task: Task, job: PagedJob, id: string, ended?: IDataObject): Promise<Done> {
	const { form, run } = task;
	const first = await firstResponse(task, job, id, ended);
	const status = without(first.body, 'data', 'next');
	const about = { [`${job.prefix}Id`]: id, [`${job.prefix}Status`]: status.status };

	const files = filesFor(task, job, id, about);
	const simplified = simplifierFor(job.results, form);
	const collected = collectedFor(task);
	const warnings: string[] = [];
	try {
		for await (const chunk of readPages(task, job, id, collected, first)) {
			const fresh = collected.add(chunk.map((page) => keptFields(page, form)));
			await files?.add(fresh.map(simplified));
			checkOverflow(collected, job, id);
		}
		const isWhole = collected.received < (form.get(limitField) ?? Infinity);
		warnings.push(...collected.warnings(isWhole && status.completed));
	} catch (error) {
		checkStopped(run);
		const isFull = collected.overflow !== undefined;
		const returnsPart =
			form.get(ifPartFails) === 'return' || (isFull && task.context.continueOnFail());
		if (!returnsPart || collected.count === 0) {
			throw isFull || collected.count === 0 ? error : partFailure(error, job);
		}
		const remedy = isFull ? `. ${fullRemedy(job, id)}` : '';
		warnings.push(`Pages are missing after ${collected.count}: ${messageOf(error)}${remedy}`);
	}
	const { credits } = collected;
	const isEmpty = collected.count === 0;
	if (isEmpty) checkNoPages(job, { id, body: first.body, collected });

	const { warning, failed } = await toldOf(task, job, id, status);
	if (isEmpty && failed.length > 0) throw noPageError(job, id, failed);
	if (isEmpty) checkNotCancelled(task, job, id, { error: warning, ...status });
	const isWithout = isEmpty && warning === '' && isTerminal(jobStateOf(status.status));
	const others = failed.length > 1 ? ', the first one' : '';
	const text = sentences([
		endWarning(job, status),
		warning,
		failed.length > 0 && `${countOf(failed)} failed${others}: ${firstReason(failed)}.`,
		isWithout && `The ${job.what} has no page.`,
		...warnings,
	]);
	const extra = text === '' ? {} : { [`${job.prefix}Warning`]: text };
	const isSplit = form.get(splitIntoItems) !== false;
	if (isEmpty && isSplit && (warning !== '' || isWithout)) {
		return { items: [{ json: { ...about, ...extra } }], credits, about };
	}
	if (files) {
		for (const { json } of files.items) Object.assign(json, extra);
		return { items: files.items, credits, about };
	}
	const { pages } = collected;
	const items = isSplit
		? pages.map((page) => ({ json: { ...page, ...about, ...extra } }))
		: [{ json: { ...withId(id, status), ...extra, data: pages } }];
	return { items, credits, about };
}

/** Returns a job's warning and, if it has almost no pages, the failed URLs that the service lists elsewhere. */
async function toldOf(
	task: Task,
	{ what, reasons }: PagedJob,
	id: string,
	body: IDataObject,
): Promise<{ warning: string; failed: FailedUrl[] }> {
	const { status, completed } = body;
	const warning = warningText(body);
	const isFew = typeof completed === 'number' && completed <= 1;
	const isPoor = isFew && isTerminal(jobStateOf(status));
	if (!reasons || !isPoor) return { warning, failed: [] };
	const listed = await failedUrls(task, { what, path: reasons.path }, id, status);
	const failed = listed.failed.filter(({ isLeft }) => !isLeft);
	// They say more than the warning at that path, which doesn't mention failures.
	if (failed.length > 0) return { warning, failed };
	const call = { method: 'GET' as const, path: pathTo(reasons.path, id) };
	// A service may lack it, and the pages are worth more than the warning.
	const own =
		warning ||
		(await callService(task, call, { ...task.settings, jobId: id }).then(
			(response) => warningText(response.body),
			() => '',
		));
	return { warning: own || (listed.warning ?? ''), failed };
}

/** Returns an empty collection for a job's pages. Unless they go to files, their size counts toward the run's limit. */
export function collectedFor({ form, run }: Task): CollectedPages {
	return form.get(pagesAs) === 'files'
		? new CollectedPages(false)
		: new CollectedPages(true, run.held);
}

/** Throws ServiceError if the pages read so far are as many as n8n accepts as items. */
export function checkOverflow(
	{ overflow, count }: CollectedPages,
	job: PagedJob,
	id: string,
): void {
	if (overflow === undefined) return;
	throw new ServiceError(`${overflow}, more than n8n accepts as items`, {
		description: `${count} pages were read. ${fullRemedy(job, id)}`,
		jobId: id,
	});
}

function fullRemedy({ getBy }: PagedJob, id: string): string {
	return `Use "${getBy}" with the job ID ${id} and ${pagesAs.displayName} set to JSON Files to read all of them for free.`;
}

/** Returns a chunk's error with advice on how to get the pages that can be read. */
function partFailure(error: unknown, job: PagedJob): unknown {
	if (!(error instanceof ServiceError) || error.message === FULL_DISK) return error;
	const advice = `"${job.getBy}" with ${ifPartFails.displayName} set to Return Available Pages gives the pages that can be read.`;
	return new ServiceError(error.message, {
		...error.details,
		description: sentences([error.details.description, advice]),
	});
}

function noPageError({ what, reasons }: PagedJob, id: string, failed: FailedUrl[]): ServiceError {
	return new ServiceError(`The ${what} gave no page: ${firstReason(failed)}`, {
		description: `${countOf(failed)} failed. ${reasons!.remedy} The job ID is ${id}.`,
		jobId: id,
	});
}

function countOf({ length }: FailedUrl[]): string {
	return `${length} ${plural(length, 'URL')}`;
}

function firstReason([{ reason }]: FailedUrl[]): string {
	return withoutStop(shortened(reason));
}

/** Returns the warnings in a job's status as text; empty if it has none. */
export function warningText(status: IDataObject): string {
	return textOf(warningIn(status) || '');
}

/** Returns a warning that a job failed or was cancelled; empty for any other job. */
export function endWarning(job: PagedJob, status: IDataObject): string {
	const end = endOf(job, status);
	return end && `${withoutStop(shortened(end))}.`;
}

/**
 * Throws ServiceError for a job without a page that failed, that ended and counted some, or whose response has no list
 * of pages.
 */
export function checkNoPages(
	job: PagedJob,
	{ id, body, collected }: { id: string; body: IDataObject; collected: CollectedPages },
): void {
	const state = jobStateOf(body.status);
	if (state === 'failed') throw endedError(job, id, body);
	const shortfall = collected.shortfall(isTerminal(state) && body.completed);
	if (shortfall !== undefined) {
		throw new ServiceError(shortfall, {
			description: `The job ID is ${id}. Run "${job.getBy}" with it in a moment: the pages may just be late, and reading them costs nothing.`,
			jobId: id,
		});
	}
	if (state !== 'running') objectsIn(body, 'data', { what: 'pages' });
}

/** Throws ServiceError for a job without a page that was started here and then cancelled. */
export function checkNotCancelled(
	task: Task,
	job: PagedJob,
	id: string,
	status: IDataObject,
): void {
	if (task.call.method !== 'POST' || jobStateOf(status.status) !== 'cancelled') return;
	throw endedError(job, id, status);
}

/** Returns the files for the pages of a job if the form asks for files. */
export function filesFor(
	{ context, form, run }: Task,
	{ prefix }: PagedJob,
	id: string,
	about: IDataObject,
): PageFiles | undefined {
	if (form.get(pagesAs) !== 'files') return undefined;
	return new PageFiles(context.helpers, fileRoomOf(run), prefix, id, about);
}

/**
 * Returns the part of a page that is kept in memory until all have arrived: the fields to return, and how the scrape
 * went.
 */
export function keptFields(given: IDataObject, { get }: Task['form']): IDataObject {
	const page = markedIfEmpty(given);
	const kept = get(fieldsToReturn);
	if (kept === undefined) return page;
	const places = placesIn(pageShape.filter((field) => isChosen(field, kept)));
	// An entry that isn't a page has only `result`.
	const names = ['metadata', 'url', 'sourceURL', 'result', ...places];
	if (get(downloadFiles) === true) names.push(...fileFieldsOf(page));
	return Object.fromEntries(Object.entries(page).filter(([name]) => names.includes(name)));
}
