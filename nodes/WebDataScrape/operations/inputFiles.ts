import type { IBinaryData, IExecutePaginationFunctions, INodeExecutionData } from 'n8n-workflow';

import { isObject } from '../../shared/base/json';
import { plural, textOf, withoutEnd } from '../../shared/base/text';
import type { Upload, UploadStream } from '../../shared/client/types';
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
function namesIn(entered: unknown, place: Place): string[] {
	const isText = typeof entered === 'string' && jsonList(entered) === undefined;
	return lines(isText ? entered.split(',') : entered, place);
}

/** What n8n's own nodes call a file. */
const N8NS_OWN = 'data';

const NO_FILE = 'Check that the previous node outputs a file.';

const MAX_MB = 50;

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
	'vnd.oasis.opendocument.text': 'odt',
	'vnd.oasis.opendocument.spreadsheet': 'ods',
	'vnd.oasis.opendocument.presentation': 'odp',
	'vnd.ms-excel': 'xls',
	'vnd.ms-powerpoint': 'ppt',
	msword: 'doc',
	'epub+zip': 'epub',
};

/** Returns the extension of a file's name; undefined if the service reads no such files. */
const readableExtension = (name: string) =>
	EXTENSIONS.find((extension) => name.toLowerCase().endsWith(`.${extension}`));

/** A file of an item, with the name of its field. */
interface InputFile {
	field: string;
	/** The file's name, with an extension that tells the service its type. */
	name: string;
	binary: IBinaryData;
	place: Place;
}

/** Whether a file may be a PDF, which costs more the more pages it has. */
export function isPdf({ name, binary }: InputFile): boolean {
	return readableExtension(name) === 'pdf' || binary.mimeType.toLowerCase().includes('pdf');
}

/**
 * Returns the files of an item, and the names of those that were left out of all. Throws NodeOperationError if one is
 * missing, or is of a type that the service doesn't accept; with `*`, those are left out if others can be read.
 */
export function filesIn(
	form: Form,
	context: IExecutePaginationFunctions,
): { files: InputFile[]; leftOut: string[] } {
	const place = below(form.place, binaryField.displayName);
	const { binary = {} } = context.getInputData() as unknown as INodeExecutionData;
	const all = Object.keys(binary).filter((field) => isObject(binary[field]));
	if (all.length === 0) throw invalid(place, 'finds no file in the item', NO_FILE);
	const named = form.get(binaryField) ?? (all.length === 1 ? all : [N8NS_OWN]);
	const isAll = named.includes('*') && !all.includes('*');
	const missing = isAll ? undefined : named.find((field) => !all.includes(field));
	if (missing !== undefined) {
		const isEmpty = form.get(binaryField) === undefined;
		const problem = `has ${quoted(missing)}, but the item has no such file`;
		throw invalid(place, isEmpty ? 'is empty' : problem, listOf(all));
	}
	const files = [...new Set(isAll ? all : named)].map((field): InputFile => {
		const file = binary[field];
		// A Code node may create a file without a type.
		const typed = { ...file, mimeType: textOf(file.mimeType) || 'application/octet-stream' };
		return { field, name: nameOfFile(typed), binary: typed, place };
	});
	const isReadable = ({ name }: InputFile) => readableExtension(name) !== undefined;
	const readable = files.filter(isReadable);
	const leftOut = files.filter((file) => !isReadable(file)).map(({ name }) => name);
	if (leftOut.length > 0 && (readable.length === 0 || !isAll)) {
		throw invalid(
			place,
			`holds ${quoted(leftOut[0])}, a file of a type that the service does not take`,
			'Give a PDF, Word, Excel, PowerPoint, OpenDocument, RTF, EPUB, CSV or HTML file, with its extension.',
		);
	}
	for (const file of readable) {
		const { id, bytes } = file.binary as { id?: string; bytes?: number };
		if (!id || bytes !== undefined) checkSize(file, bytes ?? contentOf(file).length);
	}
	return { files: readable, leftOut };
}

export function leftOutWarning(names: string[]): string {
	const listed = names.map(quoted).join(', ');
	return `Left out, because the service does not take files of this type: ${listed}.`;
}

/** Maximum number of an item's files that an error names. */
const MOST_NAMED = 8;

/** Returns a sentence with the names of the files that an item has. */
function listOf(all: string[]): string {
	const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : '';
	return `The item has the ${plural(all.length, 'file')} ${all.slice(0, MOST_NAMED).join(', ')}${more}; * is all of them.`;
}

function checkSize({ name, place }: InputFile, bytes: number): void {
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

const contentOf = ({ binary }: InputFile) => Buffer.from(binary.data, 'base64');

/** Returns a file ready to be sent. One in n8n's storage is streamed from there. */
export async function uploadOf(
	file: InputFile,
	{ helpers }: IExecutePaginationFunctions,
): Promise<Upload> {
	const { name, binary } = file;
	const { id, mimeType: type } = binary;
	if (!id) {
		const content = contentOf(file);
		return { name, type, bytes: content.length, open: async () => content };
	}
	const { fileSize: bytes } = await helpers.getBinaryMetadata(id);
	checkSize(file, bytes);
	const open = async () => (await helpers.getBinaryStream(id)) as unknown as UploadStream;
	return { name, type, bytes, open };
}
