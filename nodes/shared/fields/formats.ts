import type { IDataObject } from 'n8n-workflow';

import { screenshotFields } from './actions';
import { checkedChoice, invalid, isEmpty } from '../form/checks';
import { setAt } from '../form/compose';
import type { Field, Place } from '../form/field';
import { schemaField } from './schema';

const formatChoices: Array<{ name: string; value: string; description?: string }> = [
	{
		name: 'Markdown',
		value: 'markdown',
		description: 'Clean text, the best for AI and the default',
	},
	{ name: 'Summary', value: 'summary', description: 'A short summary of the page' },
	{ name: 'HTML', value: 'html', description: 'Cleaned HTML' },
	{ name: 'Raw HTML', value: 'rawHtml', description: 'The HTML as the site sent it' },
	{ name: 'Links', value: 'links', description: 'All links on the page' },
	{ name: 'Images', value: 'images', description: 'The addresses of all images on the page' },
	{
		name: 'Screenshot',
		value: 'screenshot',
		description: 'A link to an image; it expires after 24 hours',
	},
	{ name: 'JSON', value: 'json', description: 'Data extracted with AI, in the shape you describe' },
	{ name: 'Audio', value: 'audio', description: 'A link to an MP3 file; it expires after 1 hour' },
	{ name: 'Question', value: 'question', description: 'An answer to a question about the page' },
	{ name: 'Highlights', value: 'highlights', description: 'Passages that fit a query' },
	{
		name: 'Change Tracking',
		value: 'changeTracking',
		description: 'What changed since the page was last scraped',
	},
	{ name: 'Branding', value: 'branding', description: 'Colors, fonts and logos of the site' },
	{ name: 'Product', value: 'product', description: 'Product data of a shop page' },
	{ name: 'Menu', value: 'menu', description: 'The menu of a restaurant page' },
	{ name: 'Video', value: 'video', description: 'A link to the video of the page' },
];

/** How the change tracking of v1 and v2 is told what to compare. */
export const changeTrackingFields: Field[] = [
	{
		displayName: 'Modes',
		name: 'modes',
		type: 'multiOptions',
		default: [],
		description: 'How changes are shown',
		options: [
			{ name: 'Git Diff', value: 'git-diff', description: 'Changed lines as a diff' },
			{ name: 'JSON', value: 'json', description: 'Changed fields of the schema below' },
		],
	},
	schemaField({
		displayName: 'Schema',
		name: 'schema',
		description: 'The fields to compare in mode JSON',
	}),
	{
		displayName: 'Prompt',
		name: 'prompt',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Compare prices only',
		description: 'What to look at when comparing',
	},
	{
		displayName: 'Tag',
		name: 'tag',
		type: 'string',
		default: '',
		placeholder: 'e.g. weekly',
		description: 'Keeps separate histories of the same page apart',
	},
];

/**
 * The formats of scraped pages (ScrapeOptions, Formats) with what each takes. They go into the array under
 * `path`, e.g. `scrapeOptions.formats`, as objects with `type`. Not required, they are for use in a collection.
 */
export function formatFields(path: string, { required = true } = {}): Field[] {
	const parent = path.split('.').slice(0, -1);
	// What belongs to a format is only shown where that was chosen, so it is in the list by then.
	const formatOf = (target: IDataObject, type: string): IDataObject => {
		const object = parent.reduce((at, key) => at[key] as IDataObject, target);
		return (object.formats as IDataObject[]).find((entry) => entry.type === type) as IDataObject;
	};
	const into = (type: string): Field['wire'] => ({
		put: (target, value) => Object.assign(formatOf(target, type), value),
	});
	const intoKey = (type: string, key: string, more: Field['wire'] = {}): Field['wire'] => ({
		...more,
		put: (target, value) => {
			formatOf(target, type)[key] = value as string;
		},
	});
	// Not n8n's own `required`: where Formats is an expression, n8n would demand both whatever it gives.
	const needed = { required: true } as const;
	const shown = (type: string): Field['displayOptions'] => ({ show: { formats: [type] } });
	const collection = (type: string, displayName: string, options: Field[]): Field => ({
		displayName,
		name: `${type}Options`,
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		displayOptions: shown(type),
		options,
		wire: into(type),
	});

	return [
		{
			displayName: 'Formats',
			name: 'formats',
			type: 'multiOptions',
			default: ['markdown'],
			required,
			description:
				'What to return of each page. JSON, Question and Highlights cost additional credits.',
			options: formatChoices,
			wire: {
				always: true,
				value: formats,
				put: (target, value) => setAt(target, path, value),
			},
		},
		schemaField({
			displayName: 'JSON Schema',
			name: 'jsonSchema',
			description: 'The shape of the data to extract; give this, a prompt, or both',
			displayOptions: shown('json'),
			wire: intoKey('json', 'schema'),
		}),
		{
			displayName: 'JSON Prompt',
			name: 'jsonPrompt',
			type: 'string',
			typeOptions: { rows: 2 },
			default: '',
			placeholder: 'e.g. Extract the product name and its price',
			description: 'Says in words what to extract',
			displayOptions: shown('json'),
			wire: intoKey('json', 'prompt'),
		},
		{
			displayName: 'Question',
			name: 'question',
			type: 'string',
			default: '',
			placeholder: 'e.g. When was the company founded?',
			displayOptions: shown('question'),
			wire: intoKey('question', 'question', needed),
		},
		{
			displayName: 'Highlights Query',
			name: 'highlightsQuery',
			type: 'string',
			default: '',
			placeholder: 'e.g. opening hours',
			displayOptions: shown('highlights'),
			wire: intoKey('highlights', 'query', needed),
		},
		collection('screenshot', 'Screenshot Options', screenshotFields),
		collection('changeTracking', 'Change Tracking Options', changeTrackingFields),
	];
}

function formats(entered: unknown, place: Place): IDataObject[] {
	const list: unknown[] = Array.isArray(entered) ? entered : [entered];
	const chosen = list.filter((entry) => !isEmpty(entry));
	if (chosen.length === 0) {
		throw invalid(place, 'is empty', 'Choose at least one format, e.g. Markdown.');
	}
	return chosen.map((entry) => {
		// An expression may give whole format objects, also of types this form doesn't know.
		// It is copied because options of this form are added to it.
		if (typeof entry === 'object') return { ...(entry as IDataObject) };
		return { type: checkedChoice({ options: formatChoices } as Field, entry, place) as string };
	});
}
