import { invalid } from '../form/checks';
import { booleanField, choiceField, choicesField } from '../form/controls';
import type { Field } from '../form/field';
import type { Form } from '../form/form';

/** A field of a simplified result, and its source in the service's result. */
export interface ResultField {
	name: string;
	label: string;
	/**
	 * Paths in the result, with dots for nested objects; the first one with a value is used. Defaults to the field's
	 * own name.
	 */
	from?: string[];
	/** Name of a field that, if chosen, brings this one along. */
	alsoWith?: string;
	/** Name of another field; if its value is the same, this one is left out. */
	unlike?: string;
	/** Whether Simplify omits it unless it is chosen explicitly. */
	isExtra?: true;
	/** Whether it is a detail of the run, always or with this value: an ID, a price, a state. */
	isDetail?: true | string | number;
	/** Whether it says what is wrong or unusual, and stays whatever is chosen. */
	isNote?: true;
	/** Whether it is about a page: beside fields that were asked for, it is a detail. */
	isAbout?: true;
	/** Whether it is an object whose fields stand beside the others. */
	isColumns?: true;
	/**
	 * Whether this field is what the job is meant to produce. If a result has none of these fields, Simplify also keeps
	 * fields that the shape doesn't know.
	 */
	isGoal?: true;
}

/** The useful fields of a kind of result, most used first. The first one identifies a result. */
export type ResultShape = ResultField[];

/** A page's content in the requested formats; the extracted results come before the page's text. */
export const contents: ResultShape = [
	// Crawls started with v1's format "extract" return it there.
	{ name: 'json', label: 'Fields (JSON)', from: ['json', 'extract'], isColumns: true },
	{ name: 'answer', label: 'Answer to the Question', from: ['answer', 'question'] },
	{ name: 'summary', label: 'Summary' },
	{ name: 'markdown', label: 'Markdown' },
	{ name: 'highlights', label: 'Highlights' },
	{ name: 'html', label: 'HTML' },
	{ name: 'rawHtml', label: 'Raw HTML' },
	{ name: 'links', label: 'Links' },
	{ name: 'images', label: 'Images' },
	{ name: 'screenshot', label: 'Screenshot' },
	{ name: 'audio', label: 'Audio' },
	{ name: 'video', label: 'Video' },
	// What the format Video returns for most sites.
	{ name: 'videos', label: 'Videos on the Page', alsoWith: 'video' },
	{ name: 'changeTracking', label: 'Change Tracking' },
	{ name: 'product', label: 'Product', isColumns: true },
	{ name: 'menu', label: 'Menu' },
	{ name: 'branding', label: 'Branding' },
	{ name: 'pages', label: 'PDF Pages' },
	{ name: 'blocks', label: 'PDF Layout Blocks' },
	{ name: 'attributes', label: 'Attributes of Elements' },
	{ name: 'rawBase64', label: 'File as Base64' },
	{ name: 'actions', label: 'Results of Actions' },
];

/**
 * Why a page failed, right after its URL. It isn't called "error", because n8n would treat that as a failure of the
 * node.
 */
const pageError: ResultField = {
	name: 'pageError',
	label: 'Page Error',
	from: ['metadata.error', 'error'],
	isNote: true,
};

const outcomeFields: ResultShape = [
	{ name: 'statusCode', label: 'Status Code', from: ['metadata.statusCode'], isDetail: 200 },
	{ name: 'cacheState', label: 'Cache State', from: ['metadata.cacheState'], isDetail: true },
	{ name: 'cachedAt', label: 'Cached At', from: ['metadata.cachedAt'], isAbout: true },
	{ name: 'creditsUsed', label: 'Credits Used', from: ['metadata.creditsUsed'], isDetail: true },
	// For PDFs only. Less than the total if Max Pages cut one off.
	{ name: 'numPages', label: 'PDF Pages Parsed', from: ['metadata.numPages'] },
	{ name: 'totalPages', label: 'PDF Pages in All', from: ['metadata.totalPages'] },
	{ name: 'warning', label: 'Warning', isNote: true },
];

const extras: ResultShape = [
	{ name: 'sourceURL', label: 'Source URL', from: ['metadata.sourceURL'], isExtra: true },
	{ name: 'language', label: 'Language', from: ['metadata.language'], isExtra: true },
	{ name: 'keywords', label: 'Keywords', from: ['metadata.keywords'], isExtra: true },
	{
		name: 'publishedTime',
		label: 'Published Time',
		from: ['metadata.publishedTime'],
		isExtra: true,
	},
	{ name: 'contentType', label: 'Content Type', from: ['metadata.contentType'], isExtra: true },
	{ name: 'proxyUsed', label: 'Proxy Used', from: ['metadata.proxyUsed'], isExtra: true },
];

export function isChosen({ name, alsoWith = name }: ResultField, chosen: string[]): boolean {
	return chosen.includes(name) || chosen.includes(alsoWith);
}

/** Whether a field contains a page's content, which is passed on even if it is an empty string. */
export function isContent(field: ResultField): boolean {
	return contents.includes(field);
}

/** Returns the paths in a result that a shape reads. */
export function placesIn(shape: ResultShape): string[] {
	return shape.flatMap(({ name, from = [name] }) => from);
}

/** Whether results of a shape contain pages in the requested formats. */
export function holdsPages(shape: ResultShape): boolean {
	return shape.includes(contents[0]);
}

export const pageShape: ResultShape = [
	{ name: 'url', label: 'URL', from: ['metadata.url', 'metadata.sourceURL', 'url'] },
	pageError,
	{ name: 'requestedUrl', label: 'Requested URL', from: ['metadata.sourceURL'], unlike: 'url' },
	{ name: 'title', label: 'Title', from: ['metadata.title'], isAbout: true },
	{ name: 'description', label: 'Description', from: ['metadata.description'], isAbout: true },
	...contents,
	...outcomeFields,
	...extras,
];

/** Shape of a scraped page, with the ID by which Interact opens the page's browser. */
export const scrapedPageShape: ResultShape = [
	...pageShape,
	{ name: 'scrapeId', label: 'Scrape ID', from: ['metadata.scrapeId'], isDetail: true },
];

/** Shape of a parsed file; the address that the service gives it can't be opened. */
export const parsedFileShape: ResultShape = [
	{ name: 'fileName', label: 'File Name' },
	...pageShape.filter(({ name }) => !['url', 'requestedUrl', 'sourceURL'].includes(name)),
];

export const crawlPageShape: ResultShape = [
	...pageShape,
	{ name: 'crawlId', label: 'Crawl ID', isDetail: true },
	{ name: 'crawlStatus', label: 'Crawl Status', isDetail: 'completed' },
	{ name: 'crawlWarning', label: 'Crawl Warning', isNote: true },
];

export const batchPageShape: ResultShape = [
	...pageShape,
	{ name: 'batchId', label: 'Batch ID', isDetail: true },
	{ name: 'batchStatus', label: 'Batch Status', isDetail: 'completed' },
	{ name: 'batchWarning', label: 'Batch Warning', isNote: true },
];

/** Shape of a search result, with its page if it was scraped. */
export const searchResultShape: ResultShape = [
	{ name: 'url', label: 'URL' },
	pageError,
	{ name: 'source', label: 'Source' },
	{ name: 'title', label: 'Title' },
	{ name: 'description', label: 'Description', from: ['description', 'snippet'] },
	{ name: 'date', label: 'Date' },
	{ name: 'category', label: 'Category' },
	{ name: 'imageUrl', label: 'Image URL' },
	...contents,
	...outcomeFields,
	{ name: 'query', label: 'Query', isDetail: true },
	{ name: 'searchWarning', label: 'Search Warning', isNote: true },
	{ name: 'searchSource', label: 'Search Source' },
	{ name: 'searchQuery', label: 'Search Query', isDetail: true },
	{ name: 'search', label: 'Search', isDetail: true },
	{ name: 'position', label: 'Position', isExtra: true },
	{ name: 'imageWidth', label: 'Image Width', isExtra: true },
	{ name: 'imageHeight', label: 'Image Height', isExtra: true },
	{ name: 'tbs', label: 'Time Filter', isDetail: true },
	...extras,
];

/** The choice between useful fields and raw data, as in n8n's own nodes. */
const simplify = booleanField('simplify', 'Simplify', {
	description: 'Whether to return a simplified version of the response instead of the raw data',
	displayOptions: { show: { '@tool': [false] } },
	wire: { in: 'settings', always: true },
});

/** The same choice for results read by a model. */
const output: Field<'simplified' | 'raw' | 'selected'> = choiceField('output', 'Output', {
	default: 'simplified',
	description: 'How much of a result the model reads',
	choices: [
		['simplified', 'Simplified', 'The most useful fields'],
		['raw', 'Raw', 'All fields, as the service sent them'],
		['selected', 'Selected Fields', 'Only the fields you choose'],
	],
	displayOptions: { show: { '@tool': [true] } },
	wire: {
		in: 'settings',
		always: true,
		check: (settings, place) => {
			const chosen = settings[outputFields.name] ?? settings[fieldsToReturn.name];
			if (settings.output !== 'selected' || chosen !== undefined) return;
			const remedy = 'Choose at least one field, or set Output to Simplified.';
			throw invalid(place, 'is Selected Fields, but Fields is empty', remedy);
		},
	},
});

/** The fields to pass on if Output is Selected Fields, whatever the kind of result. */
export const outputFields = choicesField<string[]>('outputFields', 'Fields', {
	description: 'What the model gets, besides the URL or ID',
	choices: [],
	displayOptions: { show: { '@tool': [true], output: ['selected'] } },
	wire: { in: 'settings', always: true },
});

/** Returns the names of the fields to pass on, if they are chosen: tools have Output for that. */
export function chosenFields({ get }: Pick<Form, 'get'>): string[] | undefined {
	return get(output) === 'selected' ? get(outputFields) : get(fieldsToReturn);
}

/** Whether results are passed on unchanged, as those of operations without this choice always are. */
export function isRaw({ get }: Pick<Form, 'get'>): boolean {
	if (get(fieldsToReturn) !== undefined) return false;
	const chosen = get(output);
	return chosen === undefined ? get(simplify) !== true : chosen === 'raw';
}

const choicesOfShape = (shape: ResultShape) =>
	shape.slice(1).map(({ name, label }) => ({ name: label, value: name }));

/** Returns the controls that decide how much of each result is passed on. */
export function leanFields(shape: ResultShape): Field[] {
	return [simplify, output, { ...outputFields, options: choicesOfShape(shape) }];
}

/** The option to have IDs, credits and states, too. */
export const includeRunDetails = booleanField('includeRunDetails', 'Include Run Details', {
	description: 'Whether items have a field "run" with IDs, credits and states',
	displayOptions: { show: { '/simplify': [true] } },
	wire: { in: 'settings' },
});

/** Returns the choice of the fields to keep of results of this kind. */
export const fieldsToReturnOf = (shape: ResultShape): Field => ({
	...fieldsToReturn,
	options: choicesOfShape(shape),
});

/** Returns the options that decide what else stands in each item. */
export function itemOptions(shape: ResultShape): Field[] {
	const hasDetails = shape.some(({ isDetail }) => isDetail !== undefined);
	return [fieldsToReturnOf(shape), ...(hasDetails ? [includeRunDetails] : [])];
}

/** The fields to keep of each result, whatever its kind or Simplify says; tools have Output for that. */
export const fieldsToReturn = choicesField<string[]>('fieldsToReturn', 'Fields to Return', {
	description: 'The fields to keep, besides the URL or ID and warnings; fewer need less memory',
	choices: [],
	displayOptions: { show: { '@tool': [false] } },
	wire: { in: 'settings' },
});
