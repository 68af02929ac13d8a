import type { Field } from '../form/field';
import { beforeVersion1_1, sinceVersion1_1 } from '../form/field';
import { formatDetails, formatsField, type FormatRules } from './formats';
import { maxAge, onlyMainContent, otherScrapeOptions, scrapeOptionsField } from './scrapeOptions';

interface PageForm {
	/** Where the scrape options go: an object of the body, or the body itself. */
	in: 'scrapeOptions' | 'body';
	/** Says of Scrape Options which pages they are for. */
	description: string;
	/** Since version 1.1. */
	formats?: FormatRules;
	/** What Max Age does there, where that differs. */
	maxAge?: string;
}

/** The part of a form that says what to return of pages and how to scrape them, in the order people need it. */
export function pageFields(form: PageForm): Field[] {
	const { in: destination, description, formats } = form;
	const prefix = destination === 'body' ? '' : `${destination}.`;
	const path = `${prefix}formats`;
	const scrapeOptions = scrapeOptionsField(
		[
			beforeVersion1_1(onlyMainContent),
			...otherScrapeOptions.map((field) =>
				field === maxAge ? { ...field, description: form.maxAge ?? field.description } : field,
			),
		],
		description,
	);
	const isTaken = ({ displayOptions }: Field) =>
		!formats?.without?.some((format) => displayOptions?.show?.formats?.includes(format));
	return [
		beforeVersion1_1(formatsField(path, { always: true })),
		sinceVersion1_1(formatsField(path, formats)),
		...formatDetails(path).map((field) => (isTaken(field) ? field : beforeVersion1_1(field))),
		sinceVersion1_1({
			...onlyMainContent,
			description: 'Whether to leave out headers, navigation and footers',
			wire: { as: `${prefix}${onlyMainContent.name}`, always: true },
		}),
		destination === 'body' ? { ...scrapeOptions, wire: { spread: true } } : scrapeOptions,
	];
}
