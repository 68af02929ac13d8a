import type { INodeExecutionData } from 'n8n-workflow';

import { numberOf } from '../base/json';
import { warningIn } from '../client/response';
import { plural, sentences, shortened, textOf, withoutStop } from '../base/text';
import { ServiceError, knowing, naming } from '../client/errors/serviceError';
import { downloadFiles, failedPages, maxTextLength, splitIntoItems } from '../fields/options';
import { ifRunning, pagesAs } from '../fields/jobOptions';
import { eachEntry } from '../fields/schema';
import { below, invalid } from '../form/checks';
import { type Field, isTool } from '../form/field';
import { reportNothing, restOf } from '../run/results/response';
import { MAX_ITEMS } from '../base/limits';
import type { Done } from '../run/nodeRun';
import type { Form } from '../form/form';
import type { Operation } from '../run/operation';
import { type FailedUrl, triedOf } from './failedUrls';
import { type TaskJob, jobOfId, withId } from './job';
import { isTerminal, jobStateOf } from './jobState';
import { type JobPages, type PagedJob, type ReadOptions, readJob } from './readJob';
import { creditsOf, endOf, endedError, waitForEnd } from './waitForJob';

/** Throws NodeOperationError, naming both fields, for settings that have no effect on pages that go to files. */
export function checkPageSettings({ get, place }: Form): void {
	if (get(pagesAs) !== 'files') return;
	const idle =
		get(splitIntoItems) === false
			? splitIntoItems
			: ([downloadFiles, eachEntry].find((field) => get(field) === true) ??
				(get(maxTextLength) ? maxTextLength : undefined));
	const [field, remedy] =
		get(failedPages) === 'errors'
			? [failedPages, `Set ${failedPages.displayName} to Automatic`]
			: [idle, `Remove ${idle?.displayName}`];
	if (field === undefined) return;
	throw invalid(
		below(place, pagesAs.displayName),
		`is JSON Files, on which ${field.displayName} has no effect`,
		`${remedy}, or set ${pagesAs.displayName} to Items.`,
	);
}

/** Throws NodeOperationError before a job is started if it asks for more pages than n8n accepts as items. */
export function checkPageCount({ get, place }: Form, count: number, label: string): void {
	const areItems = get(pagesAs) !== 'files' && get(splitIntoItems) !== false;
	if (count <= MAX_ITEMS || !areItems || isTool(place.node)) return;
	throw invalid(
		below(place, label),
		`asks for ${count} pages, but n8n accepts at most ${MAX_ITEMS} as items`,
		`Set ${pagesAs.displayName} to JSON Files, or ask for fewer pages.`,
	);
}

/**
 * Returns an operation's `execute` that waits for a job if the form asks for that, then returns its pages like
 * `pagesOf`.
 */
export function getPagesOf(
	jobOf: (form: Form) => PagedJob,
	idField: Field<string>,
): Operation['execute'] {
	return async (task) => {
		const job = jobOf(task.form);
		const id = task.form.value(idField);
		const of = { task, job, id };
		const waits = task.form.get(ifRunning) === 'wait';
		return await pagesOf(of, waits ? { end: await waitForEnd(of) } : {});
	};
}

/**
 * Returns the pages of a job up to the limit, each once and in order, as items or as files with pages; as a single item
 * if splitting is off. If the job failed or was cancelled, returns the pages it has, with a warning. Other
 * irregularities also lead to a warning. A job that ended without a page has no item; the log or the error branch says
 * so. Throws ServiceError if there is no page although the job failed, was started here and cancelled, counted some
 * pages, gives a reason or sends no list. Also throws if a chunk can't be read, unless the form asks for the available
 * pages in that case.
 */
export async function pagesOf(of: TaskJob<PagedJob>, reading: ReadOptions = {}): Promise<Done> {
	const read = async () => await pageItems(of, reading);
	return await naming(jobOfId(of.job, of.id), read, { credits: creditsOf(reading.end) });
}

async function pageItems(of: TaskJob<PagedJob>, reading: ReadOptions): Promise<Done> {
	const { task, job, id } = of;
	const { form } = task;
	const isSplit = form.get(splitIntoItems) !== false;
	const read = await readJob(of, reading);
	const { status, about, collected, files, listed } = read;
	const { count } = collected;
	if (count + listed.length === 0) checkNoPages(of, read);
	const why = warningOf(job, read);
	const hasNone = count === 0 && isTerminal(jobStateOf(status.status));
	const isSilent = hasNone && !warningIn(status);
	const text = sentences([why, isSilent && `${noPage(job)}.`]);
	const warning = text === '' ? {} : { [`${job.what}Warning`]: text };
	const done: Omit<Done, 'items'> = {
		...{ credits: read.credits, job: jobOfId(job, id), about: { ...about, ...warning } },
		isCounted: true,
	};
	if (!isSplit) {
		const json = { ...withId(id, status), ...warning, data: collected.pages };
		return { ...done, items: [{ json }] };
	}
	const items: INodeExecutionData[] =
		files?.items ?? collected.pages.map((page) => ({ json: { ...page, ...about } }));
	const rest = restOf(status, form);
	if (items.length + listed.length === 0 && text !== '') {
		reportNothing(task, noPage(job), sentences([why, `The job ID is ${id}.`]));
	}
	for (const { json } of items) Object.assign(json, warning, rest);
	const others = listed.map((one) => ({
		json: { metadata: { sourceURL: one.url, error: one.reason }, ...about, ...warning, ...rest },
	}));
	return { ...done, items: [...items, ...others] };
}

/** Returns warnings for the user about a job's pages, in sentences; empty if all is well. */
export function warningOf(job: PagedJob, read: JobPages): string {
	const { status, collected, failed, shortfall, warnings } = read;
	const known = triedOf(failed);
	const tried = job.listsFailed ? [] : known;
	const others = tried.length > 1 ? ', the first one' : '';
	const state = jobStateOf(status.status);
	const total = numberOf(status.total);
	const isCut = state === 'failed' || state === 'cancelled';
	const isPart = isCut && collected.count > 0 && total > collected.count + known.length;
	// Services may resume a job after reporting it as failed.
	const rest =
		state === 'failed'
			? `: if it goes on, "${job.getBy}" with its ID gets the others at no cost`
			: '';
	// Even a job that ended well may mention an error.
	const end = endOf(job, status) || textOf(status.error || '');
	return sentences([
		end && `${withoutStop(shortened(end))}.`,
		isPart && `It sent ${collected.count} of ${total} pages${rest}.`,
		textOf(warningIn(status) || ''),
		tried.length > 0 && `${countOf(tried)} failed${others}: ${firstReason(tried)}.`,
		shortfall && `${shortfall}.`,
		...warnings,
	]);
}

function noPage({ what }: PagedJob): string {
	return `The ${what} has no page`;
}

/**
 * Throws ServiceError for a job without pages if it failed, was started here and then cancelled, ended and counted some
 * pages, has failed URLs, or sent no list of pages.
 */
export function checkNoPages({ task, job, id }: TaskJob<PagedJob>, read: JobPages): void {
	const { status, failed, shortfall, checkList } = read;
	const state = jobStateOf(status.status);
	const isStartedHere = task.call.method === 'POST';
	if (state === 'failed') throw endedError(job, id, status);
	if (shortfall !== undefined && isTerminal(state)) {
		throw new ServiceError(shortfall, {
			description: `The job ID is ${id}. Run "${job.getBy}" with it in a moment: the pages may just be late, and reading them costs nothing.`,
			jobId: id,
		});
	}
	if (state !== 'running') knowing({ mayBeBilled: isStartedHere && read.credits !== 0 }, checkList);
	const tried = triedOf(failed);
	if (tried.length > 0) throw noPageError(job, id, tried);
	const error = warningIn(status);
	if (state === 'cancelled' && isStartedHere) throw endedError(job, id, { error, ...status });
}

function noPageError({ what, remedy }: PagedJob, id: string, failed: FailedUrl[]): ServiceError {
	return new ServiceError(`The ${what} gave no page: ${firstReason(failed)}`, {
		description: sentences([`${countOf(failed)} failed.`, remedy, `The job ID is ${id}.`]),
		jobId: id,
	});
}

function countOf({ length }: FailedUrl[]): string {
	return `${length} ${plural(length, 'URL')}`;
}

function firstReason([{ reason }]: FailedUrl[]): string {
	return withoutStop(shortened(reason));
}
