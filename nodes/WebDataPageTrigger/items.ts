import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../shared/base/json';
import { changedCharacters, unifiedDiff } from './lineDiff';
import type { PageReport } from './pageState';

/**
 * Returns a report as the JSON of an item. There are no lines if the page is too long to be remembered. Extracted
 * fields take precedence over others of the same name.
 */
export function itemOf(report: PageReport, hasDetails: boolean): IDataObject {
	const { event, url, hash } = report;
	if (report.event === 'failed') {
		const { reason } = report;
		return { event, url, reason, ...(hasDetails && hash !== undefined && { run: { hash } }) };
	}
	const { hunks, previousHash, previous } = report;
	const { title, content, data } = report.content;
	const own = { event, url, ...(title !== undefined && { title }) };
	const lines = hunks && {
		added: hunks.flatMap(({ added }) => added),
		removed: hunks.flatMap(({ removed }) => removed),
	};
	const size = hunks && { diff: unifiedDiff(hunks), changedCharacters: changedCharacters(hunks) };
	const details = hasDetails && { run: { ...(data && lines), ...size, hash, previousHash } };
	if (data === undefined) return { ...own, ...lines, content, ...details };
	const columns = isObject(data) ? data : { data };
	return { ...own, ...columns, ...(previous && { previous }), ...details, ...columns };
}
