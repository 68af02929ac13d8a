import type { IDataObject } from 'n8n-workflow';

import { invalid } from '../shared/form/checks';
import {
	booleanField,
	choicesField,
	collectionField,
	textField,
	timeField,
} from '../shared/form/controls';
import type { Field, Place } from '../shared/form/field';
import { actionsFieldV1 } from '../shared/fields/actions';
import { checkTracking } from '../shared/fields/formatChecks';
import { changeTrackingFields } from '../shared/fields/formats';
import { schemaField } from '../shared/fields/schema';
import {
	blockAds,
	headers,
	locationField,
	maxAge,
	mobile,
	onlyMainContent,
	proxy,
	removeBase64Images,
	skipTlsVerification,
	storeInCache,
	waitFor,
} from '../shared/fields/scrapeOptions';
import { excludeTags, includeTags } from '../shared/fields/tags';

/** Throws if both kinds of page screenshots are chosen, as the service does. */
function checkFormatsV1(target: IDataObject, place: Place): void {
	const formats = target.formats as string[];
	if (formats.includes('screenshot') && formats.includes('screenshot@fullPage')) {
		throw invalid(place, 'has two kinds of screenshot', 'Choose one of them.');
	}
	const tracking = (target.changeTrackingOptions ?? {}) as IDataObject;
	if (formats.includes('changeTracking')) checkTracking(formats, tracking, place);
	if (formats.includes('json') && target.jsonOptions === undefined) {
		throw invalid(place, 'has JSON, but JSON Options is empty', 'Add a schema or a prompt there.');
	}
}

function checkJsonOptions({ formats }: IDataObject, place: Place): void {
	if ((formats as string[] | undefined)?.includes('json')) return;
	throw invalid(place, 'is set, but Formats has no JSON', 'Add JSON to Formats, or remove this.');
}

/** The scrape options of v1 (ScrapeOptionsV1 in api/openapi.yaml): other defaults, and parsePDF instead of parsers. */
export const scrapeOptionFieldsV1: Field[] = [
	choicesField('formats', 'Formats', {
		description: 'What to read of each page',
		default: ['markdown'],
		choices: [
			['changeTracking', 'Change Tracking', 'Needs Markdown too'],
			['html', 'HTML'],
			['json', 'JSON', 'Needs JSON Options'],
			['links', 'Links'],
			['markdown', 'Markdown'],
			['rawHtml', 'Raw HTML'],
			['screenshot', 'Screenshot', 'The visible part of the page'],
			['screenshot@fullPage', 'Screenshot (Full Page)', 'Newer services only'],
		],
		wire: { open: true, check: checkFormatsV1 },
	}),
	onlyMainContent,
	includeTags,
	excludeTags,
	actionsFieldV1,
	waitFor,
	timeField('timeout', 'Timeout', 'Seconds', {
		default: 30,
		description: 'How long to try to read a page. The service default is 30.',
		wire: { mayBeEmpty: true },
	}),
	proxy,
	locationField,
	headers,
	mobile,
	{
		...maxAge,
		default: 0,
		description: 'Accept a copy younger than this. The service default is 0, always afresh.',
	},
	booleanField('parsePDF', 'Parse PDF', {
		description: 'Whether to read the text of PDF files. The service default is on.',
	}),
	collectionField('jsonOptions', 'JSON Options', {
		placeholder: 'Add JSON Option',
		description: 'What to extract for the format JSON',
		wire: { check: checkJsonOptions },
		options: [
			schemaField('schema', 'Schema', {
				description: 'The shape of the data to extract',
			}),
			textField('systemPrompt', 'System Prompt', {
				typeOptions: { rows: 2 },
				placeholder: 'e.g. You are an expert in real estate',
				description: 'What the AI should know about its task',
			}),
			textField('prompt', 'Prompt', {
				typeOptions: { rows: 2 },
				placeholder: 'e.g. Extract the price and the number of rooms',
				description: 'What to extract, in your own words',
			}),
		],
	}),
	collectionField('changeTrackingOptions', 'Change Tracking Options', {
		placeholder: 'Add Change Tracking Option',
		options: changeTrackingFields,
	}),
	blockAds,
	removeBase64Images,
	storeInCache,
	{
		...skipTlsVerification,
		default: false,
		description: 'Whether to accept invalid certificates. The service default is off.',
	},
];
