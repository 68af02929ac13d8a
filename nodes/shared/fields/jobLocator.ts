import type { INodePropertyMode } from 'n8n-workflow';

import { asText, checkFixed, rawOf } from '../form/checks';
import type { Field, Place } from '../form/field';
import { isObject } from '../base/json';
import { checkedId } from '../form/ids';

interface JobLocator {
	/** The kind of job, e.g. `agent task`. */
	what: string;
	/** Adjective for the jobs in the list, e.g. `recent`. */
	listed: string;
	hint: string;
	/** The node's method that searches for jobs to list. */
	searchListMethod: string;
	/** Other ways to name the job. */
	modes?: INodePropertyMode[];
	/** Returns the ID in the entered value. Throws NodeOperationError. */
	idOf?: (entered: unknown, place: Place) => string;
}

const EXAMPLE_ID = '5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c';

/** Creates a control for choosing a job from a list or by ID. Saved workflows may also contain the bare ID. */
export function jobLocator(
	name: string,
	displayName: string,
	{ what, listed, hint, searchListMethod, modes = [], idOf = checkedId }: JobLocator,
): Field<string> {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: `The ${what}, from the list of ${listed} ones or by ID`,
		hint,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Choose a ${listed} ${what}…`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: `e.g. ${EXAMPLE_ID}` },
			...modes,
		],
		wire: {
			in: 'path',
			value: (entered, place) => {
				const given = isObject(entered) && 'value' in entered ? entered.value : entered;
				const at = { ...place, raw: rawOf(place, 'value') ?? place.raw };
				checkFixed(asText(given), at);
				return idOf(given, at);
			},
		},
	};
}

/**
 * Creates a control for choosing one of the team's jobs of the last 24 hours; `what` names the kind of job, e.g. `agent
 * task`.
 */
export const jobIdField = (what: string): Field<string> =>
	jobLocator('jobId', 'Job', {
		what,
		listed: 'recent',
		hint: 'The list has jobs of the last 24 hours, if the service lists them',
		searchListMethod: 'searchJobs',
	});

/**
 * Returns the crawl ID in what was entered: the ID itself, or that in the URL of the crawl's status (`url` in the
 * response that starts a crawl), whose host is ignored. Throws NodeOperationError for an invalid ID.
 */
export function crawlIdOf(entered: unknown, place: Place): string {
	const [, id = entered] = /^\s*https?:[^?#]*\/crawl\/([^/?#]+)/i.exec(asText(entered)) ?? [];
	return checkedId(id, place);
}
