import type { IPollFunctions } from 'n8n-workflow';

import { simplifierFor } from '../shared/results/simplify';
import { pageShape, pagesAs } from '../shared/results/shapes';
import { readForm } from '../shared/trigger/form';
import { credentialIdOf } from '../shared/trigger/runPoll';
import type { PageOutput } from './crawlService';
import * as form from './fields';
import type { PollTask } from './poll';

export interface TriggerSettings extends Pick<PollTask, 'settings' | 'withPages' | 'maxReports'> {
	pages: PageOutput;
}

/** What the node's parameters say. Throws NodeOperationError naming the field. */
export function readSettings(context: IPollFunctions): TriggerSettings {
	const { get, added } = readForm(context, form.fields);
	const scope = `${get(form.watch)}:${credentialIdOf(context)}`;
	const isAny = get(form.watch) === 'any';
	const withPages = get(form.output) === 'pages';
	return {
		settings: {
			scope,
			events: get(form.events),
			urlPatterns: isAny ? get(form.urlPattern) || [] : [],
			...(!isAny && { ids: get(form.crawls) }),
		},
		withPages,
		pages: {
			...(withPages && !get(form.returnAll) && { limit: get(form.limit) }),
			asFiles: added(pagesAs) === 'files',
			lean: simplifierFor(pageShape, { get: added }),
		},
		...(get(form.oneCrawlPerExecution) && { maxReports: 1 }),
	};
}
