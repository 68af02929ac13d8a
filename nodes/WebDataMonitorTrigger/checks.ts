import type { IDataObject } from 'n8n-workflow';

import { jobStateOf } from '../shared/jobs/jobState';
import { type Found, STATE, type SeenState, commitFound } from '../shared/trigger/seenList';

export interface FoundCheck extends Found {
	check: IDataObject;
}

/** Number of checks to remember: several parts of the service's list. */
const MOST_CHECKS = 300;

/** What the trigger remembers of the checks of a monitor. */
export interface ChecksState extends SeenState {
	/** Whether there has been a check with which others are compared. */
	hasBaseline?: boolean;
}

/**
 * Returns which of the ended checks, oldest first, start the workflow, and the new state. The first one that could be
 * read is the baseline. Pure.
 */
export function newChecks(
	before: ChecksState = { ...STATE, scope: '', seen: [] },
	found: FoundCheck[],
	{ scope, emitFirst }: { scope: string; emitFirst: boolean },
): { state?: ChecksState; checks: FoundCheck[] } {
	const settings = { scope, emitFirst: true, compareTexts: false, most: MOST_CHECKS };
	const { state, news } = commitFound(before, found, settings);
	const checks = news.map(({ index }) => found[index]);
	const first = checks.find(({ check }) => jobStateOf(check.status) === 'completed');
	const baseline = before.hasBaseline ? undefined : first;
	const hasBaseline = before.hasBaseline || baseline !== undefined;
	return {
		state: state && { ...state, hasBaseline },
		checks: checks.filter((check) => emitFirst || check !== baseline),
	};
}
