import type { IBinaryData, IExecutePaginationFunctions } from 'n8n-workflow';

import { creditsIn } from '../../shared/run/creditBudget';
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
import { textField } from '../../shared/form/controls';
import type { Place } from '../../shared/form/field';
import { objectsOf, numberOf } from '../../shared/base/json';
import type { Form, Operation } from '../../shared/run/operation';
import { pageShape } from '../../shared/fields/shapes';
import { type Upload, type UploadStream, callService } from '../../shared/client';
import { pageIn } from './scrape';

const binaryField = textField('binaryPropertyName', 'Input Binary Field', {
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	description: 'The field of the input item that holds the file',
	hint: 'PDF, Word, Excel, PowerPoint, OpenDocument, RTF, EPUB, CSV or HTML, at most 50 MB. A PDF costs 1 credit per page; PDF Parsing limits them.',
	wire: { in: 'settings', always: true },
});

const MAX_MB = 50;

const EXTENSION =
	/\.(x?html?|pdf|docx?|docm|od[tsp]|rtf|xls[xmb]?|pptx?|pptm|epub|csv|png|jpe?g|webp|tiff?|bmp|gif)$/i;

const MEDIA_TYPE =
	/^(image\/|text\/(html|csv|rtf))|[/.](pdf|xhtml|rtf|epub|msword|ms-(excel|powerpoint|word)|opendocument|openxmlformats)/i;

/** Formats that a file can't have. */
const WITHOUT = [
	...['screenshot', 'attributes', 'question', 'highlights', 'audio', 'video'],
	...['changeTracking', 'branding', 'product', 'menu'],
];

/** Parses a file of the input (api/beyond.openapi.yaml). */
export const parseFile: Operation = {
	name: 'Parse File',
	value: 'parseFile',
	action: 'Parse file',
	description: 'Get the content of an input file as markdown or data',
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
	],
	options: [zeroDataRetention],
	results: pageShape,
	price: ({ parsers }) => numberOf(objectsOf(parsers)[0]?.maxPages) || undefined,
	gather: (_round, form, context) => void fileIn(form, context),
	execute: async (task) => {
		const { binary, place } = fileIn(task.form, task.context);
		const file = await uploadOf(binary, task.context, place);
		const { body } = await callService(task, { ...task.call, file }, task.settings);
		return { items: pageIn(body).map((json) => ({ json })), credits: creditsIn(body) };
	},
};

/** Returns the file of an item. Throws NodeOperationError if there is none, or one that the service doesn't accept. */
function fileIn(
	form: Form,
	context: IExecutePaginationFunctions,
): { binary: IBinaryData; place: Place } {
	const place = below(form.place, binaryField.displayName);
	const binary = inputFile(context, form.need(binaryField), place);
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
	return { binary, place };
}

function inputFile(context: IExecutePaginationFunctions, field: string, place: Place): IBinaryData {
	try {
		return context.helpers.assertBinaryData(field);
	} catch {
		throw invalid(
			place,
			`is ${quoted(field)}, but the item has no such file`,
			"Check its name on the input's Binary tab, and that the previous node outputs a file.",
		);
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

function nameOfFile({ fileName, fileExtension }: IBinaryData): string {
	return fileName || `file.${fileExtension ?? ''}`;
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
