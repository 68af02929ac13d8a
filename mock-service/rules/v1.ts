import type { Breach } from '../../api/breaches';
import type { Entry } from '../entry';
import { oneOfBreaches, rangeBreaches, said, type Path } from './breach';
import { commonBreaches, schemaBreaches } from './page';

const FORMATS =
	'markdown html rawHtml rawBase64 links screenshot screenshot@fullPage extract json summary changeTracking branding product menu'.split(
		' ',
	);

/** Returns the breaches in scrape options of v1, of which formats are strings; `path` is where they are. */
export function pageBreachesV1(options: Entry, path: Path): Breach[] {
	const { formats = [], jsonOptions, extract, timeout } = options as Entry & { formats?: string[] };
	const has = (format: string) => formats.includes(format);
	const rules: Array<[isBroken: boolean, at: Path, message: string]> = [
		[
			has('screenshot') && has('screenshot@fullPage'),
			['formats'],
			'You may only specify either screenshot or screenshot@fullPage',
		],
		[
			has('changeTracking') && !has('markdown'),
			['formats'],
			'The changeTracking format requires the markdown format to be specified as well',
		],
		[
			has('rawBase64') && formats.length > 1,
			['formats'],
			'The rawBase64 format cannot be combined with other formats',
		],
		[
			has('json') !== (jsonOptions !== undefined) || has('extract') !== (extract !== undefined),
			[],
			"When 'extract' or 'json' format is specified, corresponding options must be provided, and vice versa",
		],
	];
	return [
		...oneOfBreaches(formats, [...path, 'formats'], FORMATS),
		// A rule about all of the options is one about the whole body.
		...rules.flatMap(([isBroken, at, message]) =>
			isBroken ? [said(at.length > 0 ? [...path, ...at] : [], message)] : [],
		),
		...rangeBreaches(timeout, [...path, 'timeout'], 1000),
		...schemaBreaches((jsonOptions as Entry | undefined)?.schema, [
			...path,
			'jsonOptions',
			'schema',
		]),
		...commonBreaches(options, path),
	];
}
