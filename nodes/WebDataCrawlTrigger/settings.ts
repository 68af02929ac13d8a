import type { IPollFunctions } from 'n8n-workflow';

import { readForm } from '../shared/trigger/form';
import { credentialIdOf } from '../shared/trigger/runPoll';
import type { WatchSettings } from './crawlState';
import * as form from './fields';

export interface TriggerSettings {
	watch: WatchSettings;
	/** Whether the pages of a crawl belong to what is reported, and how many of each crawl at most. */
	withPages: boolean;
	limit?: number;
	/** How many crawls one poll reports at most. */
	maxReports?: number;
}

/** What the node's parameters say. Throws NodeOperationError naming the field. */
export function readSettings(context: IPollFunctions): TriggerSettings {
	const { get } = readForm(context, form.fields);
	const scope = `${get(form.watch)}:${credentialIdOf(context)}`;
	const isAny = get(form.watch) === 'any';
	const withPages = get(form.output) === 'pages';
	return {
		watch: {
			scope,
			events: get(form.events),
			urlPatterns: isAny ? get(form.urlPattern) || [] : [],
			...(!isAny && { ids: get(form.crawls) }),
		},
		withPages,
		...(withPages && !get(form.returnAll) && { limit: get(form.limit) }),
		...(get(form.oneCrawlPerExecution) && { maxReports: 1 }),
	};
}
