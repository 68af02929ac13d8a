import type { IDataObject } from 'n8n-workflow';

import { changedCharacters, unifiedDiff } from './lineDiff';
import type { PageReport } from './pageState';

export interface PageContent {
	title?: string;
	/** Text of the page as Markdown, including the lines that aren't compared. */
	content?: string;
	data?: IDataObject | IDataObject[];
}

/** Returns a report as the JSON of an item. There is no diff if the page is too long for one. */
export function itemOf(report: PageReport, page: PageContent = {}): IDataObject {
	if (report.event === 'failed') {
		const { event, url, reason, hash } = report;
		return { event, url, reason, ...(hash !== undefined && { hash }) };
	}
	const { event, url, hunks, hash, previousHash } = report;
	const { title, ...content } = page;
	const change = hunks && {
		added: hunks.flatMap(({ added }) => added),
		removed: hunks.flatMap(({ removed }) => removed),
		diff: unifiedDiff(hunks),
		changedCharacters: changedCharacters(hunks),
	};
	const named = title === undefined ? {} : { title };
	return { event, url, ...named, ...change, hash, previousHash, ...content };
}
