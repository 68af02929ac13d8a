import { PRICES } from '../../nodes/shared/fields/prices';
import { pagePrice } from '../data/price';
import type { Entry } from '../entry';
import { failure, ok, type ServiceResponse } from '../response';
import { paid, type Context } from './context';
import { scrapePages } from './pages';

const TYPES = /\.(x?html?|pdf|docx?|docm|od[tsp]|rtf|xls[xmb]?|pptx?|pptm|epub|csv)$/i;

/** Parses a file. Assumption: a PDF has a page for each 100 kB. */
export function parseFile(context: Context): ServiceResponse {
	const { body, file } = context;
	if (!file) return failure(400, 'Missing file upload.', { code: 'BAD_REQUEST' });
	if (!TYPES.test(file.name)) {
		return failure(400, 'Unsupported upload type.', { code: 'UNSUPPORTED_FILE_TYPE' });
	}
	const options: Entry = { ...body, formats: body.formats ?? [{ type: 'markdown' }] };
	const totalPages = /\.pdf$/i.test(file.name) ? Math.ceil(file.bytes / 100_000) : undefined;
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
