import type { IDataObject } from 'n8n-workflow';

import { objectsOf } from '../../base/json';
import { shortened, textOf, withoutStop } from '../../base/text';

type Path = Array<string | number>;

/** Returns the form's name for a path in the request body; undefined if the form has none. */
export type NameOf = (path: Path) => string | undefined;

interface Issue {
	path: Path;
	message: string;
}

/** Maximum number of list entries, and of parts of a path, that are read: each entry repeats the path of its list. */
const MOST_READ = 100;

/** A service's reply to a JSON Schema that is invalid or contains something unknown to it. */
const BARE_SCHEMA_ISSUE = /^Invalid JSON schema\.?$/;

/** Returns the `details` of a 400 as lines, each with the field as the form names it. */
export function detailLines(details: unknown, nameOf?: NameOf): string[] {
	// Some services send one object, or texts, instead of a list of objects.
	const list: unknown[] = Array.isArray(details) ? details : [details];
	const isText = (entry: unknown) => typeof entry === 'string' && entry !== '';
	const issues = issuesOf(list.map((entry) => (isText(entry) ? { message: entry } : entry)));
	return issues.slice(0, 10).map(({ path, message }) => {
		const name = nameOf?.(path) ?? path.join('.');
		const text = withoutStop(shortened(message));
		return name === '' ? `${text}.` : `${name}: ${text}.`;
	});
}

/** Returns the entries of a list that are read, at most `MOST_READ`; none if it isn't a list. */
const readOf = (list: unknown): unknown[] => (Array.isArray(list) ? list.slice(0, MOST_READ) : []);

function issuesOf(list: unknown, above?: Path): Issue[] {
	return objectsOf(readOf(list)).flatMap((detail) => issuesIn(detail, above));
}

/**
 * Returns the actual problems in an entry of a 400's `details`. Unknown keys are listed in `keys`, relative to the path
 * of their object. If no alternative matches, the reasons are in `unionErrors` (older services, with paths from the top
 * of the body) or in `errors` (newer ones, with paths relative to the entry). Empty if the entry merely says that the
 * service is still working.
 */
export function issuesIn(detail: IDataObject, above: Path = []): Issue[] {
	const { unionErrors, errors, keys, state, message: said = detail } = detail;
	const own = readOf(detail.path);
	const path = [...above, ...own.map((part) => (typeof part === 'number' ? part : textOf(part)))];
	const alternatives = [
		...readOf(unionErrors).map((error) => issuesOf((error as IDataObject | null)?.issues)),
		...readOf(errors).map((issues) => issuesOf(issues, path)),
	];
	if (alternatives.length > 0) return closest(alternatives, path);
	const unknownKeys = readOf(keys).map((key) => ({
		path: [...path, textOf(key)],
		message: `the service does not know “${textOf(key)}”`,
	}));
	if (unknownKeys.length > 0) return unknownKeys;
	if (state === 'processing_continues') return [];
	const message = textOf(said);
	if (!BARE_SCHEMA_ISSUE.test(message)) return [{ path, message }];
	const remedy = 'If it is one, remove $schema, format, example and other extra keywords from it';
	return [{ path, message: `${withoutStop(message)}. ${remedy}` }];
}

/** Returns the issues of the alternative with the right `type` and the fewest issues. */
function closest(alternatives: Issue[][], path: Path): Issue[] {
	const ofType = (issues: Issue[]) => issues.find((issue) => issue.path.at(-1) === 'type');
	const [meant] = alternatives
		.filter((issues) => issues.length > 0 && !ofType(issues))
		.sort((a, b) => a.length - b.length);
	return meant ?? [{ path: ofType(alternatives.flat())?.path ?? path, message: 'no such type' }];
}
