import { type Field, childrenOf } from '../form/field';
import { type FormatRules, formatDetails, formatsField } from './formats';
import { maxAge, onlyMainContent, scrapeOptionsByTopic } from './scrapeOptions';

interface PageForm {
	/** Destination of the scrape options: an object in the body, or the body itself. */
	in: 'scrapeOptions' | 'body';
	formats?: FormatRules;
	/** Options to use in place of the usual scrape options. */
	options?: Field[];
	/** Description of Max Age, if it works differently. */
	maxAge?: string;
}

/** Returns the fields for what to return of each page and how to scrape it, most needed first. */
export function pageFields({ in: destination, formats, ...form }: PageForm): Field[] {
	const prefix = destination === 'body' ? '' : `${destination}.`;
	const path = `${prefix}formats`;
	const described = (field: Field): Field =>
		field === maxAge ? { ...field, description: form.maxAge } : field;
	const options = scrapeOptionsByTopic[destination].map((topic) =>
		form.maxAge && childrenOf(topic).includes(maxAge)
			? { ...topic, options: childrenOf(topic).map(described) }
			: topic,
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
		...(form.options ?? options),
	];
}
