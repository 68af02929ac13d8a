import { type Field, childrenOf } from '../form/field';
import { type FormatRules, formatDetails, formatsField } from './formats';
import { eachEntryFor } from './schema';
import { alwaysFreshField, maxAge, onlyMainContent, scrapeOptionsByTopic } from './scrapeOptions';

interface PageForm {
	/** Destination of the scrape options: an object in the body, or the body itself. */
	in: 'scrapeOptions' | 'body';
	formats?: FormatRules;
	/** Descriptions of Max Age and of Always Fetch Fresh, if they work differently. */
	maxAge?: string;
	alwaysFresh?: string;
}

/** Returns the path of a scrape option in the body. */
const pathTo = (destination: PageForm['in'], name: string) =>
	destination === 'body' ? name : `${destination}.${name}`;

/** Returns the fields for what to return of each page: its formats, and the settings of those that are chosen. */
export function formatFields({ in: destination, formats }: PageForm): Field[] {
	const path = pathTo(destination, 'formats');
	const isRejected = ({ displayOptions }: Field) =>
		formats?.without?.some((format) => displayOptions?.show?.formats?.includes(format));
	return [
		formatsField(path, formats),
		...formatDetails(path).filter((field) => !isRejected(field)),
	];
}

/** The choice of an item for each entry of a list among a page's fields. */
export const pageEntries = eachEntryFor({ formats: ['json'] });

/** Returns the options for how to scrape each page, most needed first. */
export function scrapeOptions({
	in: destination,
	maxAge: description,
	...form
}: PageForm): Field[] {
	const described = (field: Field): Field => (field === maxAge ? { ...field, description } : field);
	const topics = scrapeOptionsByTopic[destination].map((topic) =>
		description === undefined ? topic : { ...topic, options: childrenOf(topic).map(described) },
	);
	return [
		alwaysFreshField(pathTo(destination, ''), form.alwaysFresh),
		{ ...onlyMainContent, wire: { as: pathTo(destination, onlyMainContent.name) } },
		...topics,
	];
}
