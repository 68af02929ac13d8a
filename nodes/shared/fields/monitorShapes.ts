import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../base/json';
import type { ResultShape } from './shapes';

export const monitorShape: ResultShape = [
	{ name: 'id', label: 'ID' },
	{ name: 'name', label: 'Name' },
	{ name: 'status', label: 'Status' },
	{ name: 'goal', label: 'Goal' },
	{ name: 'schedule', label: 'Schedule' },
	{ name: 'estimatedCreditsPerMonth', label: 'Estimated Credits per Month' },
	{ name: 'lastRunAt', label: 'Last Run At' },
	{ name: 'nextRunAt', label: 'Next Run At' },
	{ name: 'lastCheckSummary', label: 'Last Check Summary' },
	{ name: 'targets', label: 'Targets' },
];

/** Shape of a check. Its reason isn't called "error", because n8n would treat that as a failure of the node. */
export const checkShape: ResultShape = [
	{ name: 'id', label: 'ID' },
	{ name: 'status', label: 'Status' },
	{ name: 'reason', label: 'Reason', from: ['error'], isNote: true },
	{ name: 'summary', label: 'Summary' },
	{ name: 'finishedAt', label: 'Finished At' },
	{ name: 'trigger', label: 'Trigger', isDetail: true },
	{ name: 'creditsUsed', label: 'Credits Used', from: ['actualCredits'], isDetail: true },
	{ name: 'estimatedCredits', label: 'Estimated Credits', isDetail: true },
	{ name: 'startedAt', label: 'Started At', isDetail: true },
];

export const monitorPageShape: ResultShape = [
	{ name: 'url', label: 'URL' },
	{ name: 'status', label: 'Status' },
	{ name: 'reason', label: 'Reason', from: ['judgment.reason', 'error'], isNote: true },
	{ name: 'changes', label: 'Changes', from: ['judgment.meaningfulChanges'] },
	{ name: 'json', label: 'Compared Fields', from: ['snapshot.json'], isColumns: true },
	{ name: 'previous', label: 'Previous Values' },
	{ name: 'title', label: 'Title', from: ['metadata.title'] },
	{ name: 'diff', label: 'Diff', from: ['diff.text'] },
	{ name: 'meaningful', label: 'Meaningful', from: ['judgment.meaningful'], isDetail: true },
	{ name: 'confidence', label: 'Confidence', from: ['judgment.confidence'], isDetail: true },
	{ name: 'statusCode', label: 'Status Code', isDetail: true },
	{ name: 'checkId', label: 'Check ID', isDetail: true },
	{ name: 'monitorId', label: 'Monitor ID', isDetail: true },
];

/** Returns a page with the previous values of the fields that were compared, by their path. */
export function withPrevious(page: IDataObject): IDataObject {
	const { json } = isObject(page.diff) ? page.diff : {};
	const fields = isObject(json) ? Object.entries(json) : [];
	const compared = fields.filter(([, field]) => isObject(field) && 'previous' in field);
	if (compared.length === 0) return page;
	const previous = compared.map(([path, field]) => [path, (field as IDataObject).previous]);
	return { ...page, previous: Object.fromEntries(previous) as IDataObject };
}
