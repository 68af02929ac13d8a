import type { IDataObject } from 'n8n-workflow';

import { objectsOf } from '../../base/json';
import { shortened, textOf, withoutStop } from '../../base/text';

type Path = Array<string | number>;

/** Returns the form's name for a path in the request body; undefined if the form has none. */
export type NameOf = (path: Path) => string | undefined;

export interface Issue {
	path: Path;
	message: string;
}

/** Maximum number of list entries, and of parts of a path, that are read: each entry repeats the path of its list. */
const MOST_READ = 100;

/** A service's reply to a JSON Schema that is invalid or contains something unknown to it. */
const BARE_SCHEMA_ISSUE = /^Invalid JSON schema\.?$/;

/** Returns the `details` of a 400 as lines, each with the field as the form names it. */
export function detailLines(details: unknown, nameOf?: NameOf): string[] {
	// Some services send one object instead of a list.
	const list: unknown[] = Array.isArray(details) ? details.map(withMessage) : [details];
	const issues = firstObjectsOf(list).flatMap(issuesIn);
	return issues.slice(0, 10).map(({ path, message }) => {
		const name = nameOf?.(path) ?? path.join('.');
		const text = withoutStop(shortened(message));
		return name === '' ? `${text}.` : `${name}: ${text}.`;
	});
}

/**
 * Returns the actual problems in an entry of a 400's `details`. Unknown keys are listed in `keys`, relative to the path
 * of their object. If no alternative matches, the reasons are in `unionErrors` (older services, with paths from the top
 * of the body) or in `errors` (newer ones, with paths relative to the entry). Empty if the entry merely says that the
 * service is still working.
 */
export function issuesIn(detail: IDataObject): Issue[] {
	const path = pathOf(detail);
	const alternatives = alternativesOf(detail, path);
	if (alternatives.length > 0) return closest(alternatives, path);
	if (Array.isArray(detail.keys) && detail.keys.length > 0) {
		return detail.keys.slice(0, MOST_READ).map((key) => ({
			path: [...path, textOf(key)],
			message: `the service does not know “${textOf(key)}”`,
		}));
	}
	if (detail.state === 'processing_continues') return [];
	const message = textOf(detail.message ?? detail);
	if (!BARE_SCHEMA_ISSUE.test(message)) return [{ path, message }];
	const remedy = 'If it is one, remove $schema, format, example and other extra keywords from it';
	return [{ path, message: `${withoutStop(message)}. ${remedy}` }];
}

function firstObjectsOf(list: unknown): IDataObject[] {
	return objectsOf(list).slice(0, MOST_READ);
}

function withMessage(entry: unknown): unknown {
	return typeof entry === 'string' && entry !== '' ? { message: entry } : entry;
}

function pathOf({ path }: IDataObject): Path {
	const parts: unknown[] = Array.isArray(path) ? path : [];
	return parts.slice(0, MOST_READ).map((part) => (typeof part === 'number' ? part : textOf(part)));
}

/** Returns the issues of each alternative, with paths from the top of the body. */
function alternativesOf({ unionErrors, errors }: IDataObject, path: Path): IDataObject[][] {
	if (Array.isArray(unionErrors)) {
		return unionErrors
			.slice(0, MOST_READ)
			.map((error) => firstObjectsOf((error as IDataObject | null)?.issues));
	}
	return (Array.isArray(errors) ? errors : [])
		.slice(0, MOST_READ)
		.map((issues) =>
			firstObjectsOf(issues).map((issue) => ({ ...issue, path: [...path, ...pathOf(issue)] })),
		);
}

/**
 * Returns the issues of the alternative that was probably intended: the one with the right `type` and the fewest
 * issues.
 */
function closest(alternatives: IDataObject[][], path: Path): Issue[] {
	const isOther = (issues: IDataObject[]) =>
		issues.some((issue) => pathOf(issue).at(-1) === 'type');
	const meant = alternatives
		.filter((issues) => issues.length > 0 && !isOther(issues))
		.sort((a, b) => a.length - b.length);
	if (meant.length > 0) return meant[0].flatMap(issuesIn);
	const wrong = alternatives.flat().filter((issue) => pathOf(issue).at(-1) === 'type');
	const types = wrong.flatMap(({ values, expected }) => values ?? expected ?? []).map(textOf);
	const choices = types.length > 0 ? `; the service knows ${[...new Set(types)].join(', ')}` : '';
	const message = `no such type${choices}`;
	return [{ path: wrong.length > 0 ? pathOf(wrong[0]) : path, message }];
}
