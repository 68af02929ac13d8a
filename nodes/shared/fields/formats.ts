import type { IDataObject } from 'n8n-workflow';

import { screenshotFields } from './actions';
import { below, rowsIn } from '../form/checks';
import { composeEntry } from '../form/form';
import {
	type Choice,
	choicesField,
	collectionField,
	groupField,
	textField,
} from '../form/controls';
import type { Field, Place, Wire } from '../form/field';
import { isNothing, valueAt } from '../base/json';
import { ATTRIBUTES, HIGHLIGHTS_QUERY, QUESTION, checkFormats } from './formatChecks';
import { schemaField, schemaFields } from './schema';
import { AI_FORMAT_PRICE, PRICES, credits } from './prices';
import type { Prefix } from './scrapeOptions';
import { plain, typedEntries, typedIn } from './typed';
import { writtenSchema } from './writtenSchema';

const formatChoices: Choice[] = [
	['markdown', 'Markdown', 'Clean text, best for AI (default)'],
	['json', 'Fields (JSON)', `The fields you name, found by AI; ${AI_FORMAT_PRICE}`],
	[
		'product',
		'Product',
		`What a shop says of its product; ${credits(PRICES.page)} per page in all`,
	],
	['summary', 'Summary', 'A short summary of the page'],
	['html', 'HTML', 'Cleaned-up HTML'],
	['rawHtml', 'Raw HTML', 'The HTML as the site sent it'],
	['links', 'Links', 'All links on the page'],
	['images', 'Images', 'The URLs of all images on the page'],
	['screenshot', 'Screenshot', 'A link to an image; it expires after 24 hours'],
	['attributes', 'Attributes', 'Values by CSS selector, without AI. Newer services only.'],
	['question', 'Question', `An answer to a question about the page; ${AI_FORMAT_PRICE}`],
	['highlights', 'Highlights', `The passages that match a query; ${AI_FORMAT_PRICE}`],
	['audio', 'Audio', `A link to an MP3 file that expires after 1 hour; ${AI_FORMAT_PRICE}`],
	['video', 'Video', `A link that expires after 1 hour, or a list; ${AI_FORMAT_PRICE}`],
	['changeTracking', 'Change Tracking', 'What changed since the last scrape; needs Markdown too'],
	['branding', 'Branding', 'Colors, fonts and logos of the site'],
	['menu', 'Menu', 'The menu of a restaurant page'],
];

/** What a model is asked of a page, at most so many characters. */
const asked: Wire = { maxLength: 10_000, heeded: true };

/** Settings for what change tracking compares, by format and in v1. */
export const changeTrackingFields: Field[] = [
	choicesField('modes', 'Modes', {
		description: 'How to report changes',
		choices: [
			['git-diff', 'Git Diff', 'Changed lines as a diff'],
			['json', 'JSON', `Changed fields of the schema below; ${AI_FORMAT_PRICE}`],
		],
	}),
	schemaField('schema', 'Schema', {
		description: 'The fields to compare in JSON mode',
	}),
	textField('prompt', 'Prompt', {
		typeOptions: { rows: 2 },
		placeholder: 'e.g. Compare prices only',
		description: 'What to look for when comparing',
	}),
	textField('tag', 'Tag', {
		placeholder: 'e.g. weekly',
		description: 'Pages with different tags have separate histories',
		wire: { mayBeEmpty: true },
	}),
];

const attributeRow: Field[] = [
	textField('selector', 'Selector', {
		required: true,
		placeholder: 'e.g. .product .price',
		description: 'CSS selector',
	}),
	textField('attribute', 'Attribute', {
		required: true,
		placeholder: 'e.g. data-price',
		description: 'Whose value to take',
	}),
];

const attributeRows = (entered: unknown, place: Place): IDataObject[] =>
	rowsIn(entered, place, 'attribute', 'Attribute').map(({ row, at }) =>
		composeEntry(attributeRow, row, at),
	);

export interface FormatRules {
	/** Whether to send the formats even at their default, because the service would otherwise return no pages. */
	always?: true;
	without?: string[];
}

/**
 * Returns the controls for what to return of each page: the formats, and the settings of those that are chosen. They go
 * into the array `formats` as their names; the settings make objects with `type` of them.
 */
export function formatFields(prefix: Prefix, { always, without = [] }: FormatRules = {}): Field[] {
	const path = `${prefix}formats`;
	const choices = formatChoices.filter(([format]) => !without.includes(format));
	const formats: Field = choicesField('formats', 'Formats', {
		default: ['markdown'],
		required: always,
		description: 'What to return for each page. Some formats cost more credits.',
		choices,
		wire: {
			as: path,
			always,
			value: (entered, place) =>
				typedEntries(formats, entered, place).map((format) => plain(checkedSchema(format, place))),
			check: (target, place) => {
				const options = (prefix === '' ? target : (target.scrapeOptions ?? {})) as IDataObject;
				checkFormats(typedIn(options.formats), options, place);
			},
		},
	});
	/**
	 * Returns the part of a field that writes its value into all formats of a type, under `key` if there is one.
	 * Settings that an expression returned along with a format are kept.
	 */
	const ofFormat = (
		type: string,
		key?: string,
		wire?: Wire,
	): Pick<Field, 'displayOptions' | 'wire'> => ({
		displayOptions: { show: { formats: [type] } },
		wire: {
			...wire,
			as: key === undefined ? path : `${path}.${key}`,
			put: (target, value) => {
				const part = key === undefined ? (value as IDataObject) : { [key]: value };
				const list = valueAt(target, path) as unknown[];
				for (const [index, format] of typedIn(list).entries()) {
					if (format.type === type) list[index] = { ...part, ...format };
				}
			},
		},
	});
	const schema = {
		description: 'Your fields, a ready-made list, or an example. May stay empty with JSON Prompt.',
		...ofFormat('json', 'schema'),
	};
	const details = [
		...schemaFields('schema', 'Schema', schema),
		textField('jsonPrompt', 'JSON Prompt', {
			typeOptions: { rows: 2 },
			placeholder: 'e.g. Extract the product name and its price',
			description: 'What to extract, in your own words',
			...ofFormat('json', 'prompt', asked),
		}),
		textField('question', QUESTION, {
			description: 'What to answer from each page',
			placeholder: 'e.g. When was the company founded?',
			...ofFormat('question', 'question', asked),
		}),
		textField('highlightsQuery', HIGHLIGHTS_QUERY, {
			placeholder: 'e.g. opening hours',
			description: 'What the passages should be about',
			...ofFormat('highlights', 'query', asked),
		}),
		groupField('attributesToRead', ATTRIBUTES, {
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Attribute' },
			placeholder: 'Add Attribute',
			description: 'Each gives a list; links as whole URLs',
			group: ['attribute', 'Attribute'],
			values: attributeRow,
			...ofFormat('attributes', 'selectors', { value: attributeRows }),
		}),
		collectionField('screenshotOptions', 'Screenshot Options', {
			options: screenshotFields,
			...ofFormat('screenshot'),
		}),
		collectionField('changeTrackingOptions', 'Change Tracking Options', {
			options: changeTrackingFields,
			...ofFormat('changeTracking'),
		}),
	];
	const isOffered = ({ displayOptions }: Field) =>
		!without.includes(displayOptions?.show?.formats?.[0] as string);
	return [formats, ...details.filter(isOffered)];
}

/** Returns a format with the schema that an expression gave for it, checked like that of the form. */
function checkedSchema({ schema: given, ...format }: IDataObject, place: Place): IDataObject {
	if (isNothing(given)) return format;
	return { ...format, schema: writtenSchema(given, below(place, 'Schema')) };
}
