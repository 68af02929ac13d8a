import type { IDataObject } from 'n8n-workflow';

import { booleanField, choiceField, collectionField, wholeNumberField } from '../form/controls';
import { type Field, hiddenFor } from '../form/field';
import { PRICES, credits } from './prices';

const parse = booleanField('parse', 'Parse PDFs', {
	description: `Whether PDFs become markdown (${credits(PRICES.page)} per page). When off, base64 at a flat ${credits(PRICES.page)}.`,
});

/** Settings for parsing. If parsing is off, none are shown. */
const parserFields: Field[] = [
	choiceField('mode', 'Mode', {
		default: 'auto',
		choices: [
			['auto', 'Auto', 'Embedded text, then OCR where there is none'],
			['fast', 'Fast', 'Embedded text only'],
			['ocr', 'OCR', 'OCR on every page'],
		],
	}),
	wholeNumberField('maxPages', 'Max Pages', {
		default: 100,
		maxValue: 10000,
		description: `Most pages to parse; each costs ${credits(PRICES.page)}. If there are more, totalPages is higher than numPages.`,
		wire: { limitsCosts: true },
	}),
	booleanField('pages', 'Return Pages', {
		description: 'Whether to add the markdown of each page. Newer services only.',
		wire: { mayBeEmpty: true },
	}),
	booleanField('blocks', 'Return Layout Blocks', {
		description: 'Whether to add blocks, e.g. tables, with positions. Newer services only.',
		wire: { mayBeEmpty: true },
	}),
	booleanField('pageMarkers', 'Mark Page Breaks', {
		description: 'Whether to mark page breaks in the markdown. Newer services only.',
		wire: { mayBeEmpty: true },
	}),
];

export const pdfParsing = collectionField('parsers', 'PDF Parsing', {
	placeholder: 'Add PDF Option',
	description: `By default, PDFs are parsed, at ${credits(PRICES.page)} per page. Newer services also read images unless this is set.`,
	options: [parse, ...parserFields.map((field) => hiddenFor({ parse: [false] }, field))],
	wire: {
		// The service parses PDFs unless it gets an empty list.
		put: (target, value) => {
			const { parse: isParsed, ...parser } = value as IDataObject;
			target.parsers = isParsed === false ? [] : [{ type: 'pdf', ...parser }];
		},
	},
});
