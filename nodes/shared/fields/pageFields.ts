import type { Field } from '../form/field';
import { type FormatRules, formatDetails, formatsField } from './formats';
import { maxAge, onlyMainContent, otherScrapeOptions, scrapeOptionsField } from './scrapeOptions';

interface PageForm {
	/** Puts the scrape options into an object of the body, or into the body itself. */
	in: 'scrapeOptions' | 'body';
	/** Says which pages Scrape Options are for. */
	description: string;
	formats?: FormatRules;
	/** Lists the scrape options, if they aren't all. */
	options?: Field[];
	/** Describes Max Age, if it works differently there. */
	maxAge?: string;
}

/** Lists the fields that choose what to return of pages and how to scrape them, most needed first. */
export function pageFields({ in: destination, description, formats, ...form }: PageForm): Field[] {
	const prefix = destination === 'body' ? '' : `${destination}.`;
	const path = `${prefix}formats`;
	const scrapeOptions = scrapeOptionsField(
		(form.options ?? otherScrapeOptions).map((field) =>
			field === maxAge ? { ...field, description: form.maxAge ?? field.description } : field,
		),
		description,
	);
	const isRejected = ({ displayOptions }: Field) =>
		formats?.without?.some((format) => displayOptions?.show?.formats?.includes(format));
	return [
		formatsField(path, formats),
		...formatDetails(path).filter((field) => !isRejected(field)),
		{
			...onlyMainContent,
			description: 'Whether to leave out headers, navigation and footers',
			wire: { as: `${prefix}${onlyMainContent.name}`, always: true },
		},
		destination === 'body' ? { ...scrapeOptions, wire: { spread: true } } : scrapeOptions,
	];
}
