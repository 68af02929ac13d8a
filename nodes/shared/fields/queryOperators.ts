import type { IDataObject } from 'n8n-workflow';

import { checkLength, invalid } from '../form/checks';
import type { Field, Place } from '../form/field';
import { lines, linesField } from '../form/values';

/** Longest query with its operators, in characters (Limits). */
export const MAX_QUERY_LENGTH = 500;

type Write = (entry: string, place: Place) => string;

const phrase = (entry: string) => `"${entry.replace(/"/g, '')}"`;
/** An operator takes one word; several words have to be quoted to stay together. */
const word =
	(operator: string): Write =>
	(entry) =>
		`${operator}${/\s/.test(entry) ? phrase(entry) : entry}`;
const rest =
	(operator: string): Write =>
	(entry) =>
		`${operator}${entry}`;
const host =
	(operator: string): Write =>
	(entry) =>
		`${operator}${entry.replace(/^\w+:\/\//, '').replace(/\/$/, '')}`;
const extension =
	(operator: string): Write =>
	(entry) =>
		`${operator}${entry.replace(/^\./, '')}`;
const size =
	(operator: string): Write =>
	(entry, place) => {
		const match = /^(\d+)\s*[x×*]\s*(\d+)$/i.exec(entry);
		if (match === null) {
			throw invalid(
				place,
				`is "${entry}", but must be WIDTHxHEIGHT`,
				'Write it as e.g. 1920x1080.',
			);
		}
		return `${operator}${match[1]}x${match[2]}`;
	};

/** Several entries of this field are alternatives: any of them may match. */
const anyOf = (texts: string[]) => (texts.length > 1 ? `(${texts.join(' OR ')})` : texts[0]);
const allOf = (texts: string[]) => texts.join(' ');

function operator(
	field: { displayName: string; name: string; description: string; example: string },
	write: Write,
	join: (texts: string[]) => string = allOf,
): Field {
	return linesField({
		...field,
		wire: {
			value: (entered, place) => {
				const entries = lines(entered, place)?.map((entry) => write(entry, place));
				return entries && join(entries);
			},
		},
	});
}

/** The query operators of the document as fields; each writes its words into the query. */
const operatorFields: Field[] = [
	operator(
		{
			displayName: 'Exact Phrase',
			name: 'exactPhrase',
			example: 'renewable energy',
			description: 'Results must have these words in this order. Becomes "renewable energy".',
		},
		phrase,
	),
	operator(
		{
			displayName: 'Exclude Words',
			name: 'exclude',
			example: 'jobs',
			description: 'Results must not have these words. Becomes -jobs.',
		},
		word('-'),
	),
	operator(
		{
			displayName: 'Only Sites',
			name: 'site',
			example: 'example.com',
			description: 'Only results of these sites. Becomes site:example.com.',
		},
		host('site:'),
		anyOf,
	),
	operator(
		{
			displayName: 'Exclude Sites',
			name: 'excludeSite',
			example: 'example.com',
			description: 'No results of these sites. Becomes -site:example.com.',
		},
		host('-site:'),
	),
	operator(
		{
			displayName: 'File Type',
			name: 'fileType',
			example: 'pdf',
			description: 'Only files with this extension. Becomes filetype:pdf.',
		},
		extension('filetype:'),
		anyOf,
	),
	operator(
		{
			displayName: 'Exclude File Type',
			name: 'excludeFileType',
			example: 'pdf',
			description: 'No files with this extension. Becomes -filetype:pdf.',
		},
		extension('-filetype:'),
	),
	operator(
		{
			displayName: 'In Title',
			name: 'inTitle',
			example: 'review',
			description: 'The page title has this word. Becomes intitle:review.',
		},
		word('intitle:'),
	),
	operator(
		{
			displayName: 'In URL',
			name: 'inUrl',
			example: 'blog',
			description: 'The address has this word. Becomes inurl:blog.',
		},
		word('inurl:'),
	),
	operator(
		{
			displayName: 'Related To',
			name: 'related',
			example: 'example.com',
			description: 'Sites like this one. Becomes related:example.com.',
		},
		host('related:'),
	),
	operator(
		{
			displayName: 'Image Size',
			name: 'imageSize',
			example: '1920x1080',
			description: 'Only images of exactly this size. Becomes imagesize:1920x1080.',
		},
		size('imagesize:'),
	),
	operator(
		{
			displayName: 'Image Larger Than',
			name: 'largerThan',
			example: '1920x1080',
			description: 'Only images larger than this. Becomes larger:1920x1080.',
		},
		size('larger:'),
	),
	// These two take every word that follows, so they come last.
	operator(
		{
			displayName: 'All Words in Title',
			name: 'allInTitle',
			example: 'electric car test',
			description: 'The page title has all these words. Becomes allintitle:electric car test.',
		},
		rest('allintitle:'),
	),
	operator(
		{
			displayName: 'All Words in URL',
			name: 'allInUrl',
			example: 'product lamp',
			description: 'The address has all these words. Becomes allinurl:product lamp.',
		},
		rest('allinurl:'),
	),
];

/** Helper that writes query operators behind the query; it has to stand after the query in the form. */
export const queryOperatorsField: Field = {
	displayName: 'Query Operators',
	name: 'queryOperators',
	type: 'collection',
	placeholder: 'Add Operator',
	default: {},
	description:
		'Narrow the search down without knowing its syntax. They are written behind the query and count toward its 500 characters.',
	options: operatorFields,
	wire: {
		put: (target, value, place) => {
			const written = operatorFields
				.map((field) => (value as IDataObject)[field.name])
				.filter((text) => text !== undefined);
			const query = [target.query, ...written].join(' ');
			checkLength(query, MAX_QUERY_LENGTH, {
				...place,
				labels: [...place.labels.slice(0, -1), 'Query with its Query Operators'],
			});
			target.query = query;
		},
	},
};
