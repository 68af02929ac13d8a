import * as limits from '../../nodes/shared/base/limits';
import type { Table } from './markdown';

const count = (value: number) => value.toLocaleString('en-US');
const mb = (bytes: number) => `${count(bytes / limits.MB)} MB`;

/** Returns the table of a run's limits, worded for docs/maintainers/reliability.md. */
export function limitsTable(): Table {
	return [
		['What', 'At most'],
		[
			['A response, after decompression', mb(limits.MAX_BODY_BYTES)],
			[
				'Values in a response, and how deep they are nested',
				[limits.MAX_VALUES, limits.MAX_DEPTH].map(count).join(', '),
			],
			[
				'An error of the service',
				`${mb(limits.MAX_ERROR_BYTES)} within ${limits.MAX_ERROR_MS / 1_000} seconds; what has arrived by then counts`,
			],
			[
				`Responses of more than ${mb(limits.LARGE_BODY_BYTES)} being read`,
				`${limits.MAX_LARGE_BODIES} at a time, ${limits.MAX_LARGE_OF_ACCOUNT} of one account`,
			],
			['All other responses being read', mb(limits.MAX_SMALL_BYTES)],
			['The results of a run of the node', mb(limits.MAX_RESULT_BYTES)],
			['Pages of jobs in a run, as items', mb(limits.MAX_HELD_BYTES)],
			['Items from one input item', count(limits.MAX_ITEMS)],
			['A file of pages', mb(limits.MAX_PAGES_LENGTH)],
			['A downloaded file', `${limits.MAX_FILE_MB} MB`],
			['Files of an item', count(limits.MAX_FILES)],
			['Files of a run', `${limits.MAX_FILES_GB} GB`],
			['URLs in a list', count(limits.MOST_URLS)],
			['Entries of other lists', count(limits.MOST_ENTRIES)],
			[
				'Paths in a list, and the length of one',
				`${count(limits.MOST_PATTERNS)}, ${count(limits.LONGEST_PATTERN)} characters`,
			],
		],
	];
}
