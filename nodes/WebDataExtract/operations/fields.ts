import type { IDataObject } from 'n8n-workflow';

import { jobIdField } from '../../shared/fields/jobLocator';
import { PRICES, credits } from '../../shared/fields/prices';
import { schemaFields } from '../../shared/fields/schema';
import { scrapeOptionsField } from '../../shared/fields/scrapeOptions';
import { scrapeOptionFieldsV1 } from '../scrapeOptionsV1';
import { atControl, below, checkCount, invalid } from '../../shared/form/checks';
import { booleanField, linesField, textField } from '../../shared/form/controls';
import type { Field } from '../../shared/form/field';
import { type UrlEntry, checkAreUrls, checkedEntries, leftOutOf } from '../../shared/form/urls';
import type { Form } from '../../shared/form/form';
import type { Outcome } from '../../shared/client/errors/outcome';
import type { Done } from '../../shared/run/nodeRun';
import type { Operation, Task } from '../../shared/run/operation';
import { isNothing } from '../../shared/base/json';
import { withInvalidUrls } from '../../shared/jobs/startJob';

const MAX_URLS = 10;

const urlList = linesField('urls', 'URLs', {
	required: true,
	example: 'https://example.com/products/*',
	description: 'Pages to read, at most 10; * stands for any text, e.g. https://example.com/blog/*',
	hint: 'One per line, or an array. The price depends on pages and result, and is not known beforehand.',
	// Checked later, together with Ignore Invalid URLs and Additional Body Fields.
	wire: { value: (entered) => entered },
});

const prompt = textField('prompt', 'Prompt', {
	typeOptions: { rows: 3 },
	placeholder: 'e.g. Extract the name, price and availability of each product',
	description: 'What to extract, in your own words',
	hint: 'Fill in Prompt, Schema, or both',
	wire: { maxLength: 10_000 },
});

const schema = schemaFields('schema', 'Schema', {
	description: 'The shape of the result',
});

const endNotice: Field = {
	displayName: `The public service ends Extract on December 10, 2026, 15:00 UTC; self-hosted services may keep it. For pages you know, use Web Data Scrape with the format Fields (JSON): ${credits(PRICES.page + PRICES.aiFormat)} a page. For /*, use Web Data Crawl with that format. To search the web, use Web Data Agent.`,
	name: 'endNotice',
	type: 'notice',
	default: '',
};

export const startFields: Field[] = [endNotice, urlList, prompt, ...schema];

export const jobId = jobIdField('extraction');

type Execute = NonNullable<Operation['execute']>;

/** The response to the first start of a run, by service. */
class FirstStarts extends Map<string, Promise<unknown>> {}

/**
 * Returns the task with a start that waits for the response to the run's first one: if the service no longer offers
 * Extract, the others fail alike without being sent.
 */
function afterFirst(task: Task): Task {
	const firstStarts = task.run.part(FirstStarts);
	const { root } = task.account;
	const once: Task['once'] = async (call, send, isFree) => {
		const sendAfter: typeof send = async () => {
			const first = firstStarts.get(root);
			if (first === undefined) {
				const sent = send();
				firstStarts.set(root, sent);
				return await sent;
			}
			const ending = (await first.catch(() => ({}))) as { outcome?: Outcome };
			const { outcome } = ending;
			if (outcome?.kind !== 'rejected' || outcome.status !== 410) return await send();
			return { ...ending, outcome: { ...outcome, isUnsent: true } } as never;
		};
		return await task.once!(call, call.method === 'POST' ? sendAfter : send, isFree);
	};
	return { ...task, once };
}

/**
 * Returns `start` with the URLs that were left out in its item, as `invalidURLs`. Nothing else is sent if the service
 * refuses the first one because it has ended Extract.
 */
export function startingAll(start: Execute): (task: Task, entries: UrlEntry[]) => Promise<Done> {
	return async (task, entries) => {
		const done = await start(afterFirst(task), entries);
		const leftOut = leftOutOf(entries);
		const items = done.items.map(({ json }) => ({ json: withInvalidUrls(json, leftOut) }));
		return { ...done, items };
	};
}

/**
 * Returns the entries of the URLs. Throws NodeOperationError for invalid ones, unless they are to be skipped and listed.
 * Also throws for an extraction that doesn't say what to extract, because its result would be made up and still be
 * billed.
 */
export function checkStart({ body, place }: Form): UrlEntry[] {
	const at = atControl(place, urlList);
	const entries = checkedEntries(body, at, body.ignoreInvalidURLs === true, true);
	const { length: count } = body.urls as string[];
	if (count === 0) checkAreUrls(entries, at);
	const remedy =
		'Use an asterisk for many pages of a site, or give the others in items of their own.';
	checkCount(count, MAX_URLS, 'entries', at, remedy);
	const { jsonOptions } = (body.scrapeOptions ?? {}) as IDataObject;
	if (![body.prompt, body.schema, jsonOptions].every(isNothing)) return entries;
	const atPrompt = below(place, prompt.displayName);
	throw invalid(atPrompt, 'and Schema are empty', 'Fill in one of them or both.');
}

export const startSettings: Field[] = [
	scrapeOptionsField(scrapeOptionFieldsV1, 'How to read the pages'),
	booleanField('includeSubdomains', 'Include Subdomains', {
		description: 'Whether to read pages on subdomains too. The service default is on.',
	}),
	booleanField('enableWebSearch', 'Enable Web Search', {
		default: false,
		description: 'Whether to search the web for additional data. The service default is off.',
		wire: { mayBeEmpty: true },
	}),
	booleanField('showSources', 'Show Sources', {
		default: false,
		description: 'Whether the result lists the pages it comes from. The service default is off.',
		wire: { mayBeEmpty: true },
	}),
	booleanField('ignoreSitemap', 'Ignore Sitemap', {
		default: false,
		description: "Whether to ignore the site's sitemap.xml. The service default is off.",
	}),
	booleanField('ignoreInvalidURLs', 'Ignore Invalid URLs', {
		default: false,
		description:
			'Whether to list invalid URLs as invalidURLs instead of failing. The service default is off.',
	}),
];
