import { PRICES } from '../../nodes/shared/fields/prices';
import { pagePrice } from '../data/price';
import { isEntry, type Entry } from '../entry';
import { failure, ok, type ServiceResponse } from '../response';
import type { UploadedFile } from '../upload';
import { paid, type Context } from './context';
import { scrapePages } from './pages';

const TYPES = /\.(x?html?|pdf|docx?|docm|od[tsp]|rtf|xls[xmb]?|pptx?|pptm|epub|csv)$/i;
const MEDIA_TYPES =
	/^(application\/(pdf|xhtml\+xml|rtf|msword|epub\+zip|vnd\.(ms-(excel|powerpoint)|openxmlformats-officedocument|oasis\.opendocument).*)|text\/(html|rtf|csv))(;|$)/i;

const refused = (error: string, code = 'BAD_REQUEST') => failure(400, error, { code });

/** Returns the rejection of a form whose file or options can't be read or used; undefined if they can. */
export function refusedUpload({
	body = {},
	file,
}: {
	body?: unknown;
	file?: UploadedFile;
}): ServiceResponse | undefined {
	if (!file) return refused('Missing file upload.');
	if (typeof body === 'string') {
		return refused("Invalid JSON in the 'options' field. Provide a valid JSON string.");
	}
	if (!isEntry(body)) return refused("The 'options' field must parse to a JSON object.");
	if (!TYPES.test(file.name) && !MEDIA_TYPES.test(file.type)) {
		return refused('Unsupported upload type.', 'UNSUPPORTED_FILE_TYPE');
	}
	return undefined;
}

/** Parses a file, once it is known to be parsable. Assumption: a PDF has one page per 100 kB. */
export function parseFile(context: Context): ServiceResponse {
	const { body } = context;
	const file = context.file!;
	const options: Entry = { ...body, formats: body.formats ?? [{ type: 'markdown' }] };
	const isPdf = /\.pdf$/i.test(file.name) || /\/pdf\b/i.test(file.type);
	const totalPages = isPdf ? Math.ceil(file.bytes / 100_000) : undefined;
	const [parser] = (body.parsers ?? []) as Array<{ maxPages?: number }>;
	const numPages = totalPages && Math.min(totalPages, parser?.maxPages ?? Infinity);
	const more = pagePrice({ ...options, redactPII: false }) - PRICES.page;
	const each = PRICES.page + (options.redactPII ? PRICES.redaction : 0);
	const credits = (numPages ?? 1) * each + more;
	return paid(context, 'parseFile', credits, () => {
		const url = `https://parse.example/uploads/${encodeURIComponent(file.name)}`;
		const [page] = scrapePages(context, [url], file.name, options);
		const metadata = { ...(page.metadata as Entry), sourceFile: file.name, numPages, totalPages };
		return ok({
			success: true,
			data: { ...page, metadata: { ...metadata, creditsUsed: credits } },
		});
	});
}
