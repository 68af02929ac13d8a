import type { IDataObject } from 'n8n-workflow';

import { type Found, type SeenState, commitFound } from '../shared/trigger/seenList';

export interface FoundCheck extends Found {
	check: IDataObject;
}

/** Number of checks to remember: several parts of the service's list. */
const MOST_CHECKS = 300;

/** Ends of a check that the next one is compared with. */
const READ = ['completed', 'partial'];

/**
 * Returns which of the ended checks, oldest first, start the workflow, and the new state. Those up to the first one that
 * could be read are the baseline. Pure.
 */
export function newChecks(
	before: SeenState | undefined,
	found: FoundCheck[],
	{ scope, emitFirst }: { scope: string; emitFirst: boolean },
): { state?: SeenState; checks: FoundCheck[] } {
	const settings = { scope, emitFirst, compareTexts: false, most: MOST_CHECKS };
	const baseline = found.findIndex(({ check }) => READ.includes(check.status as string)) + 1;
	if (before === undefined && baseline === 0) return { checks: [] };
	const [first, later] =
		before === undefined ? [found.slice(0, baseline), found.slice(baseline)] : [[], found];
	const begun =
		before === undefined ? commitFound(before, first, settings) : { state: before, news: [] };
	const { state = begun.state, news } = commitFound(begun.state, later, settings);
	const checks = [
		...begun.news.map(({ index }) => first[index]),
		...news.map(({ index }) => later[index]),
	];
	return { state, checks };
}
