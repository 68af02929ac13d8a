import type { IBinaryData, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { plural, textOf, withoutEnd } from '../../shared/base/text';
import type { Upload, UploadStream } from '../../shared/client';
import { PRICES, credits } from '../../shared/fields/prices';
import { below, invalid, quoted } from '../../shared/form/checks';
import { textField } from '../../shared/form/controls';
import type { Place } from '../../shared/form/field';
import type { Form } from '../../shared/form/form';
import { jsonList, lines } from '../../shared/form/values';

export const binaryField = textField<string[]>('binaryPropertyName', 'Input Binary Field', {
	placeholder: 'e.g. data',
	description:
		'Where the input item has the file; several with commas, * for all. If empty, the only file, or the one called data.',
	hint: `PDF, Office, OpenDocument, RTF, EPUB, CSV or HTML, at most 50 MB. A PDF costs ${credits(PRICES.page)} per page; PDF Parsing limits them.`,
	wire: { in: 'settings', value: namesIn },
});

/** Returns the names of fields, which a text has between commas. */
function namesIn(entered: unknown, place: Place): string[] | undefined {
	const isText = typeof entered === 'string' && jsonList(entered) === undefined;
	return lines(isText ? entered.split(',') : entered, place);
}

/** What n8n's own nodes call a file. */
const N8NS_OWN = 'data';

const MAX_MB = 50;

/** Extensions of the files that the service reads. */
const EXTENSIONS = [
	...['pdf', 'html', 'htm', 'xhtml', 'doc', 'docx', 'docm', 'odt', 'ods', 'odp', 'rtf', 'epub'],
	...['xls', 'xlsx', 'xlsm', 'xlsb', 'ppt', 'pptx', 'pptm', 'csv'],
	...['png', 'jpg', 'jpeg', 'webp', 'tif', 'tiff', 'bmp', 'gif'],
];

/** Extensions of Office files by media type, which doesn't end in theirs as `application/pdf` does. */
const OF_TYPES: Record<string, string> = {
	'vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
	'vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
	'vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
	'vnd.ms-excel': 'xls',
	'vnd.ms-powerpoint': 'ppt',
	msword: 'doc',
};

/** Returns the extension of a file's name; undefined if the service reads no such files. */
const readableExtension = (name: string) =>
	EXTENSIONS.find((extension) => name.toLowerCase().endsWith(`.${extension}`));

/** Whether a file may be a PDF, which costs more the more pages it has. */
export function isPdf(binary: IBinaryData): boolean {
	return (
		readableExtension(nameOfFile(binary)) === 'pdf' || binary.mimeType.toLowerCase().includes('pdf')
	);
}

/** A file of an item, with the name of its field. */
interface InputFile {
	name: string;
	binary: IBinaryData;
	place: Place;
}

/** An item's files to read, and the names of those that were left out of all. */
interface InputFiles {
	files: InputFile[];
	leftOut: string[];
}

/**
 * Returns the files of an item. Throws NodeOperationError if one is missing, or is of a type that the service doesn't
 * accept; with `*`, those are left out if others can be read.
 */
export function filesIn(form: Form, context: IExecutePaginationFunctions): InputFiles {
	const place = below(form.place, binaryField.displayName);
	const { binary = {} } = context.getInputData() as unknown as INodeExecutionData;
	const all = Object.keys(binary);
	const named = form.get(binaryField);
	if (named === undefined && all.length !== 1 && !(N8NS_OWN in binary)) {
		const problem = all.length === 0 ? 'finds no file in the item' : 'is empty';
		throw invalid(place, problem, noFile(all));
	}
	const entered = named ?? (all.length === 1 ? all : [N8NS_OWN]);
	const isAll = entered.includes('*') && !('*' in binary);
	if (isAll && all.length === 0)
		throw invalid(place, 'is *, but the item has no file', noFile(all));
	const names = isAll ? all : entered;
	const files = [...new Set(names)].map((name): InputFile => ({
		name,
		binary: inputFile(context, name, place, all),
		place,
	}));
	const readable = files.filter(({ binary: file }) => isReadable(file));
	const odd = files.find((file) => !readable.includes(file) && (readable.length === 0 || !isAll));
	if (odd !== undefined) {
		throw invalid(
			place,
			`holds ${quoted(nameOfFile(odd.binary))}, a file of a type that the service does not take`,
			'Give a PDF, Word, Excel, PowerPoint, OpenDocument, RTF, EPUB, CSV or HTML file, with its extension.',
		);
	}
	for (const { binary: file } of readable) {
		const { bytes } = file as { bytes?: number };
		checkSize(
			bytes ?? (file.id ? undefined : inlineContentOf(file).length),
			nameOfFile(file),
			place,
		);
	}
	const leftOut = files.filter((file) => !readable.includes(file));
	return { files: readable, leftOut: leftOut.map(({ binary: file }) => nameOfFile(file)) };
}

const isReadable = (binary: IBinaryData) => readableExtension(nameOfFile(binary)) !== undefined;

/** Returns a warning that names the files that were left out. */
export function leftOutWarning(names: string[]): string {
	const listed = names.map(quoted).join(', ');
	return `Left out, because the service does not take files of this type: ${listed}.`;
}

/** Maximum number of an item's files that an error names. */
const MOST_NAMED = 8;

/** Returns what to do about a missing file, with the names of those that the item has. */
function noFile(all: string[]): string {
	if (all.length === 0) return 'Check that the previous node outputs a file.';
	const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : '';
	return `The item has the ${plural(all.length, 'file')} ${all.slice(0, MOST_NAMED).join(', ')}${more}; * is all of them.`;
}

function inputFile(
	context: IExecutePaginationFunctions,
	field: string,
	place: Place,
	all: string[],
): IBinaryData {
	try {
		const file = context.helpers.assertBinaryData(field);
		// A Code node may create a file without a type.
		return { ...file, mimeType: textOf(file.mimeType) || 'application/octet-stream' };
	} catch {
		throw invalid(place, `has ${quoted(field)}, but the item has no such file`, noFile(all));
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

/**
 * Returns a file's name, with an extension that tells the service its type: `Offer v1.2` gets `.pdf` if its extension
 * in n8n or its media type is that of a PDF.
 */
function nameOfFile(binary: IBinaryData): string {
	// A Code node may set a number.
	const ending = textOf(binary.fileExtension ?? '').replace('.', '');
	const name = textOf(binary.fileName || `file.${ending}`);
	if (readableExtension(name) !== undefined) return name;
	const type = binary.mimeType.toLowerCase().split(';', 1)[0].trim().replace('/x-', '/');
	const subtype = type.slice(type.indexOf('/') + 1);
	const known = [OF_TYPES[subtype] ?? subtype, ending].find((one) => readableExtension(`.${one}`));
	return known === undefined ? name : `${withoutEnd(name, '.')}.${known}`;
}

const inlineContentOf = ({ data }: IBinaryData) => Buffer.from(data, 'base64');

/** Returns a file ready to be sent. One in n8n's storage is streamed from there. */
export async function uploadOf(
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
