import type { IBinaryData, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { creditsIn, type Upload, type UploadStream, callService } from '../../shared/client';
import { failedPages } from '../../shared/fields/options';
import { pageFields } from '../../shared/fields/pageFields';
import { pdfParsing } from '../../shared/fields/pdfParsing';
import { redactPii, redactionOptions } from '../../shared/fields/redaction';
import {
	excludeTags,
	inBody,
	includeTags,
	removeBase64Images,
	scrapeOptionsField,
	timeout,
} from '../../shared/fields/scrapeOptions';
import { auditUsername, zeroDataRetention } from '../../shared/fields/teamPolicy';
import { below, invalid, quoted } from '../../shared/form/checks';
import { textOf, withoutEnd } from '../../shared/base/text';
import { wordsIn } from '../../shared/form/written';
import { ServiceError, costing } from '../../shared/client/errors/serviceError';
import { errorItem, nodeErrorOf } from '../../shared/client/errors/nodeErrors';
import { textField } from '../../shared/form/controls';
import type { Place } from '../../shared/form/field';
import { PRICES, credits, filePrice, sumOf } from '../../shared/fields/prices';
import type { Form } from '../../shared/form/form';
import type { Operation } from '../../shared/run/operation';
import { parsedFileShape } from '../../shared/fields/shapes';
import { withRest } from '../../shared/run/results/rest';
import { pageIn } from './scrape';

const binaryField = textField('binaryPropertyName', 'Input Binary Field', {
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	description:
		'The field of the input item that holds the file; several with commas, or * for all files of the item',
	hint: `PDF, Word, Excel, PowerPoint, OpenDocument, RTF, EPUB, CSV or HTML, at most 50 MB. A PDF costs ${credits(PRICES.page)} per page; PDF Parsing limits them.`,
	wire: { in: 'settings', always: true },
});

const MAX_MB = 50;

const EXTENSION =
	/\.(x?html?|pdf|docx?|docm|od[tsp]|rtf|xls[xmb]?|pptx?|pptm|epub|csv|png|jpe?g|webp|tiff?|bmp|gif)$/i;

const MEDIA_TYPE =
	/^(image\/|text\/(html|csv|rtf))|[/.](pdf|xhtml|rtf|epub|msword|ms-(excel|powerpoint|word)|opendocument|openxmlformats)/i;

/** Formats that aren't available for files. */
const WITHOUT = [
	...['screenshot', 'attributes', 'audio', 'video'],
	...['changeTracking', 'branding', 'product', 'menu'],
];

/** Parses an input file (api/beyond.openapi.yaml). */
export const parseFile: Operation = {
	name: 'Read PDF or Office File',
	value: 'parseFile',
	action: 'Read PDF or office file',
	description:
		'Get the content of a PDF, Word, Excel or other file of the input as markdown or fields',
	method: 'POST',
	path: '/v2/parse',
	fields: [
		binaryField,
		...pageFields({
			in: 'body',
			formats: { always: true, without: WITHOUT },
			options: [
				inBody(
					scrapeOptionsField(
						[
							pdfParsing,
							{
								...timeout,
								default: 30_000,
								description:
									'Milliseconds to spend on the file before giving up. The service default is 30000.',
							},
							includeTags,
							excludeTags,
							removeBase64Images,
							redactPii,
							redactionOptions,
							auditUsername,
						],
						'How to read the file',
					),
				),
			],
		}),
		failedPages,
	],
	options: [zeroDataRetention],
	results: parsedFileShape,
	price: (body, { form, context }) =>
		sumOf(filesIn(form, context).map(({ binary }) => filePrice(body, isPdf(binary)))),
	checkItem: filesIn,
	execute: async (task) => {
		const files = filesIn(task.form, task.context);
		const items: INodeExecutionData[] = [];
		const credits: Array<number | undefined> = [];
		const { place } = task.form;
		for (const { name, binary, place: at } of files) {
			const file = await uploadOf(binary, task.context, at);
			const sent = callService(task, { ...task.call, file }, task.settings);
			const read = sent.then(({ body }) => {
				const which = { fileName: file.name, ...(files.length > 1 && { file: name }) };
				credits.push(creditsIn(body));
				const pages = withRest(pageIn(body, task.form), body, 'data', task.form);
				return pages.map((json) => ({ json: { ...which, ...json } }));
			});
			const found = await read.catch((error: unknown) => {
				credits.push(error instanceof ServiceError ? error.details.credits : 0);
				// The error must not lose what the previous files cost.
				if (items.length === 0 || !task.context.continueOnFail())
					throw costing(error, { credits: total(credits) });
				return [errorItem(nodeErrorOf(error, place), place.itemIndex)];
			});
			items.push(...found);
		}
		return { items, credits: total(credits) };
	},
};

/** Returns the sum of the credits; undefined if any of them is unknown. */
function total(credits: Array<number | undefined>): number | undefined {
	return credits.reduce(
		(sum, one) => (sum === undefined || one === undefined ? undefined : sum + one),
		0,
	);
}

/** Whether a file may be a PDF, which costs more the more pages it has. */
function isPdf(binary: IBinaryData): boolean {
	return /\.pdf$/i.test(nameOfFile(binary)) || binary.mimeType.includes('pdf');
}

/** A file of an item, with the name of its field. */
interface InputFile {
	name: string;
	binary: IBinaryData;
	place: Place;
}

/**
 * Returns the files of an item. Throws NodeOperationError if one is missing, or is of a type that the service doesn't
 * accept.
 */
function filesIn(form: Form, context: IExecutePaginationFunctions): InputFile[] {
	const place = below(form.place, binaryField.displayName);
	const entered = form.value(binaryField);
	const { binary = {} } = context.getInputData() as unknown as INodeExecutionData;
	const named = entered in binary ? [entered] : [...new Set(wordsIn(entered))];
	const names = entered.trim() === '*' ? Object.keys(binary) : named;
	if (names.length === 0)
		throw invalid(place, `is ${quoted(entered)}, but the item has no file`, NO_FILE);
	return names.map((name) => ({ name, binary: fileIn(name, context, place), place }));
}

function fileIn(field: string, context: IExecutePaginationFunctions, place: Place): IBinaryData {
	const binary = inputFile(context, field, place);
	const name = nameOfFile(binary);
	if (!EXTENSION.test(name) && !MEDIA_TYPE.test(binary.mimeType)) {
		throw invalid(
			place,
			`holds ${quoted(name)}, a file of a type that the service does not take`,
			'Give a PDF, Word, Excel, PowerPoint, OpenDocument, RTF, EPUB, CSV or HTML file, with its extension.',
		);
	}
	const { bytes } = binary as { bytes?: number };
	checkSize(bytes ?? (binary.id ? undefined : inlineContentOf(binary).length), name, place);
	return binary;
}

const NO_FILE =
	"Check its name on the input's Binary tab, and that the previous node outputs a file.";

function inputFile(context: IExecutePaginationFunctions, field: string, place: Place): IBinaryData {
	try {
		const file = context.helpers.assertBinaryData(field);
		// A Code node may create a file without a type.
		return { ...file, mimeType: textOf(file.mimeType) || 'application/octet-stream' };
	} catch {
		const isAddress = /^https?:/i.test(field);
		const remedy = isAddress
			? 'This is an address: choose Scrape Page, which also reads PDFs on the web.'
			: NO_FILE;
		throw invalid(place, `is ${quoted(field)}, but the item has no such file`, remedy);
	}
}

function checkSize(bytes: number | undefined, name: string, place: Place): void {
	if (bytes === undefined) return;
	const mb = bytes / 1024 / 1024;
	if (bytes > 0 && mb <= MAX_MB) return;
	const [problem, remedy] =
		bytes === 0
			? ['is empty', 'Leave it out.']
			: [`is ${mb.toFixed(1)} MB, but the limit is ${MAX_MB} MB`, 'Split it, or leave it out.'];
	throw invalid(place, `holds ${quoted(name)}, which ${problem}`, remedy);
}

/** File extensions for the media types that the service reads, by the end of the type. */
const EXTENSIONS: Array<[type: RegExp, extension: string]> = [
	[/\/pdf$/, 'pdf'],
	[/wordprocessingml\.document$/, 'docx'],
	[/\/msword$|ms-word\.document$/, 'doc'],
	[/spreadsheetml\.sheet$/, 'xlsx'],
	[/ms-excel/, 'xls'],
	[/presentationml\.presentation$/, 'pptx'],
	[/ms-powerpoint/, 'ppt'],
	[/opendocument\.text$/, 'odt'],
	[/opendocument\.spreadsheet$/, 'ods'],
	[/opendocument\.presentation$/, 'odp'],
	[/\/rtf$/, 'rtf'],
	[/\/epub/, 'epub'],
	[/\/csv$/, 'csv'],
	[/\/(html|xhtml)/, 'html'],
];

/**
 * Returns a file's name, with an extension that tells the service its type: `Offer v1.2` gets `.pdf` if its media type
 * is that of a PDF.
 */
function nameOfFile({ fileName, fileExtension, mimeType }: IBinaryData): string {
	// A Code node may set a number.
	const name = textOf(fileName || `file.${fileExtension ?? ''}`);
	if (EXTENSION.test(name)) return name;
	const type = mimeType.split(';', 1)[0].trim().toLowerCase();
	const known = EXTENSIONS.find(([pattern]) => pattern.test(type))?.[1];
	const extension = known ?? /^image\/(png|jpe?g|webp|tiff?|bmp|gif)$/.exec(type)?.[1];
	return extension === undefined ? name : `${withoutEnd(name, '.')}.${extension}`;
}

const inlineContentOf = ({ data }: IBinaryData) => Buffer.from(data, 'base64');

/** Returns a file ready to be sent. One in n8n's storage is streamed from there. */
async function uploadOf(
	binary: IBinaryData,
	{ helpers }: IExecutePaginationFunctions,
	place: Place,
): Promise<Upload> {
	const name = nameOfFile(binary);
	const { id, mimeType: type } = binary;
	if (!id) {
		const content = inlineContentOf(binary);
		return { name, type, bytes: content.length, open: async () => content };
	}
	const { fileSize: bytes } = await helpers.getBinaryMetadata(id);
	checkSize(bytes, name, place);
	const open = async () => (await helpers.getBinaryStream(id)) as unknown as UploadStream;
	return { name, type, bytes, open };
}
