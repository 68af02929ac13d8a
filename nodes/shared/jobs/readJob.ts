import type { IDataObject } from 'n8n-workflow';

import { numberOf, without } from '../base/json';
import { asSentence, messageOf, sentences } from '../base/text';
import { madeOf } from '../base/time';
import { checkStopped, pause } from '../client/call';
import { creditsIn, mostCredits, withMostCredits } from '../client/response';
import { ServiceError, costing } from '../client/errors/serviceError';
import { ifPartFails, pagesAs } from '../fields/jobOptions';
import { downloadFiles, limitField, splitIntoItems } from '../fields/options';
import { type ResultShape, fieldsToReturn, isChosen, pageShape, placesIn } from '../fields/shapes';
import { FileRoom } from '../run/downloads/fileRoom';
import { fileFieldsOf } from '../run/downloads/files';
import { FULL_DISK } from '../run/downloads/keep';
import type { Task } from '../run/operation';
import { markedPage } from '../run/results/pageFailure';
import { objectsIn } from '../run/results/response';
import { simplifierFor } from '../run/results/simplify';
import { CollectedPages, collectPages } from './collectedPages';
import { type FailedUrl, failedUrls, triedOf } from './failedUrls';
import { type Job, type JobStatus, type TaskJob, readStatus } from './job';
import { type KnownOfJob, missingOf, shortfallOf } from './jobEnd';
import { isTerminal, jobStateOf } from './jobState';
import { PageFiles } from './pageFiles';
import { withStartWarning } from './startJob';
import { type JobEnd, waitForEnd } from './waitForJob';

export interface PagedJob extends Job {
	results: ResultShape;
	/** Whether URLs without a page become items as well. */
	listsFailed?: true;
	/** What to check if the job has no pages. */
	remedy?: string;
	/** Label of the field in the form that limits its pages, of which there may be more. */
	limitLabel?: string;
}

/** The pages of a job, and what is known about the missing ones. */
export interface JobPages {
	/** Its last status, without pages. */
	status: IDataObject;
	/** Its ID and status, as fields of each of its items. */
	about: IDataObject;
	collected: CollectedPages;
	/** The files with its pages, if the form asks for files. */
	files?: PageFiles;
	/** Its URLs without a page; empty if the list of them wasn't requested. */
	failed: FailedUrl[];
	/** Those of them that become items. */
	listed: FailedUrl[];
	/** Throws ServiceError if the first response has no list of pages. */
	checkList: () => void;
	/** Message that pages are missing according to the job's own counts, without a full stop. */
	shortfall?: string;
	/** Other warnings about the pages, in sentences. */
	warnings: string[];
	/** Credits used by the job; undefined if unknown, for example if its counts don't add up. */
	credits?: number;
}

export interface ReadOptions extends Pick<KnownOfJob, 'asked' | 'owesAll'> {
	/**
	 * The end of a job that was waited for. It takes precedence over the first response, which may come from an
	 * outdated replica.
	 */
	end?: JobEnd;
	take?: (page: IDataObject) => void;
	/** Returns, once all pages were read, whether some are owed; by default, whether there are fewer than Limit. */
	owes?: () => boolean;
}

/** Time (ms) after which a job is waited for again if it has more pages than when it had ended. */
const AGAIN_MS = 2_000;

/** Shortest time (ms) left before the workflow's timeout with which another chunk is requested. */
const LEAST_CHUNK_MS = 5_000;

/**
 * Reads the pages of a job up to the form's limit, each once and in order, into memory or files, and the reasons for
 * missing ones. Throws ServiceError if a chunk can't be read, unless the form asks for the available pages in that
 * case.
 */
export async function readJob(of: TaskJob<PagedJob>, options: ReadOptions = {}): Promise<JobPages> {
	const { task, job, id } = of;
	const { asked = Infinity, take = () => {}, owes } = options;
	const { form, run } = task;
	const settings = { ...task.settings, jobId: id, ...ownRemedy(of) };
	let { end } = options;
	let first = await readStatus(of, settings);
	let most = typeof end?.status.completed === 'number' ? end.status.completed : Infinity;
	while (end !== undefined && numberOf(first.body.completed) > most) {
		// It goes on, whatever it was called.
		most = numberOf(first.body.completed);
		await pause(task, AGAIN_MS);
		const { status, isShort } = await waitForEnd(of, options);
		end = { status: withMostCredits(withStartWarning(end.status, status), end.status), isShort };
		first = await readStatus(of, settings);
	}
	const newest = { ...first.body, ...without(end?.status ?? {}, 'data', 'next') };
	const body: IDataObject = withMostCredits(newest, first.body);
	const status = without(body, 'data', 'next');
	const about = { [`${job.what}Id`]: id, [`${job.what}Status`]: status.status };

	const ofFiles = [task.context.helpers, run.part(FileRoom), job.what, id, about] as const;
	const files = form.get(pagesAs) === 'files' ? new PageFiles(...ofFiles) : undefined;
	const collected = new CollectedPages(files ? undefined : run.held);
	const simplified = simplifierFor(job.results, form);
	const limit = form.get(limitField) ?? Infinity;
	let part: string | undefined;
	try {
		const reading = {
			...{ ...settings, limit, collected },
			kept: (page: IDataObject) => keptFields(page, form),
			beforeNext: () => checkTime(of),
			take: async (fresh: IDataObject[]) => {
				for (const page of fresh) take(page);
				await files?.add(await madeOf(fresh, simplified));
			},
		};
		await collectPages(task, first.call, { ...first, body }, reading);
		checkOverflow(collected, of);
	} catch (error) {
		checkStopped(run);
		const known = costing(error, { credits: end?.isShort ? undefined : creditsIn(body) });
		part = partWarning(known, collected, of);
	}
	const { count } = collected;
	const isWhole = part === undefined && count < limit;
	const listsFailed = job.listsFailed === true && form.get(splitIntoItems) !== false;
	const lack = await whatIsMissing(of, { ...first, body: status }, asked, collected, {
		isWhole,
		owesMore: owes?.() ?? (listsFailed && count < limit),
	});
	const isCompleted = jobStateOf(status.status) === 'completed';
	const isLimited = isCompleted && collected.received >= asked && job.limitLabel !== undefined;
	const mayGoOn = end?.isShort || (isCompleted && lack.shortfall !== undefined);
	const hasSum = isWhole && !lack.shortfall && count > 0 && collected.areAllPriced;
	const isKnown = !mayGoOn && (hasSum || creditsIn(body) !== undefined);
	return {
		...{ status, about, collected, files, ...lack },
		listed: listsFailed ? lack.failed.slice(0, limit - count) : [],
		checkList: () => void objectsIn(body, 'data', { what: 'pages' }),
		warnings: [
			part,
			collected.warning,
			lack.warning,
			isLimited && `It ended at ${job.limitLabel} (${asked}): the site may have more pages.`,
		].filter((text) => typeof text === 'string'),
		credits: isKnown ? mostCredits(creditsIn(body), collected.credits) : undefined,
	};
}

/**
 * Returns the URLs without a page, with the reasons, if there may be any that matter, and a message if pages are missing
 * all the same. `isWhole` is whether all pages were read, `owesMore` whether URLs without one are to be reported.
 */
async function whatIsMissing(
	of: TaskJob<PagedJob>,
	first: JobStatus,
	asked: number,
	{ count, received }: CollectedPages,
	{ isWhole, owesMore }: { isWhole: boolean; owesMore: boolean },
): Promise<Pick<JobPages, 'failed' | 'shortfall'> & { warning?: string }> {
	const { job, id } = of;
	const { status, completed } = first.body;
	const state = jobStateOf(status);
	const missing = (withoutPage: number) =>
		isWhole ? missingOf(first.body, received, { asked, withoutPage }) : 0;
	const isPoor = missing(0) > 0 || (job.remedy !== undefined && numberOf(completed ?? 2) <= 1);
	const isWanted = owesMore || (isPoor && isTerminal(state));
	const { failed, warning } = isWanted ? await failedUrls(of, first) : { failed: [] };
	const left = missing(triedOf(failed).length);
	// A running job may not have any pages yet.
	const isReported = left > 0 && (count > 0 || isTerminal(state));
	return {
		...{ failed, warning },
		shortfall: isReported ? shortfallOf(job, id, received, left, state) : undefined,
	};
}

/**
 * Returns advice for errors that occur while the pages are read. If this operation started the job, it never says to
 * start it again.
 */
function ownRemedy({ task, job }: TaskJob): { remedy?: string } {
	const remedy = `The ${job.what} has ended: use "${job.getBy}" with its job ID, as reading its pages costs nothing. Starting it again costs credits again.`;
	return task.call.method === 'POST' ? { remedy } : {};
}

/** Throws ServiceError if the workflow is about to time out. */
function checkTime({ task, job: { what, getBy }, id }: TaskJob): void {
	if (task.run.timeLeft.waitsMs > LEAST_CHUNK_MS) return;
	const message = `The pages of the ${what} could not be read before the workflow's timeout`;
	const description = `The job ID is ${id}. Use "${getBy}" with it to read them for free. To read longer, raise "Timeout After" in the workflow's settings.`;
	throw new ServiceError(message, { description, jobId: id, isOutOfTime: true });
}

/** Throws ServiceError if n8n can't accept more pages as items than were read so far. */
function checkOverflow({ overflow, count }: CollectedPages, of: TaskJob): void {
	if (overflow === undefined) return;
	throw new ServiceError(`${overflow}, more than n8n accepts as items`, {
		description: `${count} pages of this ${of.job.what} were read. ${fullRemedy(of)}`,
		jobId: of.id,
	});
}

function fullRemedy({ job, id }: TaskJob): string {
	return `Use "${job.getBy}" with the job ID ${id} and ${pagesAs.displayName} set to JSON Files to read all of them for free.`;
}

/**
 * Returns a warning that pages are missing because of an error, if the form asks for the available pages. Otherwise
 * throws the error, with advice on how to get them.
 */
function partWarning(error: unknown, { overflow, count }: CollectedPages, of: TaskJob): string {
	const { form, context } = of.task;
	const isFull = overflow !== undefined;
	const returnsPart = form.get(ifPartFails) === 'return' || (isFull && context.continueOnFail());
	if (returnsPart && count > 0) {
		const why = asSentence(`Pages are missing after ${count}: ${messageOf(error)}`);
		return sentences([why, isFull && fullRemedy(of)]);
	}
	const isOptional = !isFull && count > 0;
	if (!isOptional || !(error instanceof ServiceError) || error.message === FULL_DISK) throw error;
	const advice = `"${of.job.getBy}" with ${ifPartFails.displayName} set to Return Available Pages gives the pages that can be read.`;
	throw error.with({ description: sentences([error.details.description, advice]) });
}

/**
 * Returns the part of a page that is kept in memory until all pages have arrived: the fields to return, what is wrong
 * with the page, and information about the scrape.
 */
function keptFields(given: IDataObject, { get, body }: Task['form']): IDataObject {
	const page = get(splitIntoItems) === false ? given : markedPage(given, body);
	const kept = get(fieldsToReturn);
	if (kept === undefined) return page;
	const places = placesIn(pageShape.filter((field) => field.isNote || isChosen(field, kept)));
	// An entry that isn't a page has only `result`.
	const names = ['metadata', 'url', 'sourceURL', 'result', ...places];
	if (get(downloadFiles) === true) names.push(...fileFieldsOf(page));
	return Object.fromEntries(Object.entries(page).filter(([name]) => names.includes(name)));
}
