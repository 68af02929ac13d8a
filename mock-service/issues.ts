import type { Breach } from '../api/breaches';
import { requestProperties } from '../api/properties';
import { valueAt } from './entry';

/** How the service's schema library writes the `details` of a 400: as older or as newer services do. */
export type IssueStyle = 'zod3' | 'zod4';

/** An entry of `details`. */
export type Issue = Record<string, unknown> & { code: string; path: Array<string | number> };

/** The service's message about a key it doesn't know. */
const UNRECOGNIZED =
	'Unrecognized key in body -- please review the v2 API documentation for request body changes';

/** Breaches that don't count against a member of a union, so the union doesn't hide them. */
const CHECKS = new Set([
	'',
	'minimum',
	'exclusiveMinimum',
	'maximum',
	'minLength',
	'maxLength',
	'minItems',
	'format',
]);

/** Returns the `details` of a 400 for a request that breaks the operation's contract. */
export function issuesOf(
	operationId: string,
	body: unknown,
	breaches: Breach[],
	style: IssueStyle,
): Issue[] {
	const grouped = groupedBy(breaches, (breach) => unionOf(operationId, breach, style));
	return [...grouped].flatMap(([union, own]) => {
		const isHidden = union !== '' && !own.every(({ keyword = '' }) => CHECKS.has(keyword));
		if (!isHidden) return plainIssues(own, style, 0);
		const path = JSON.parse(union) as Issue['path'];
		return [unionIssue(kindsOf(operationId, path), body, path, own, style)];
	});
}

/** Returns the `error` that goes with the details of a 400. */
export function errorOfIssues(issues: Issue[], style: IssueStyle): string {
	if (style === 'zod3') return 'Bad Request';
	if (issues.some(({ code }) => code === 'unrecognized_keys')) return UNRECOGNIZED;
	return issues[0]?.code === 'custom' ? String(issues[0].message) : 'Bad Request';
}

function groupedBy(breaches: Breach[], keyOf: (breach: Breach) => string): Map<string, Breach[]> {
	const groups = new Map<string, Breach[]>();
	for (const breach of breaches) {
		const key = keyOf(breach);
		groups.set(key, [...(groups.get(key) ?? []), breach]);
	}
	return groups;
}

/** Returns the path of the union that hides a breach, as JSON; empty if none does. */
function unionOf(operationId: string, { path }: Breach, style: IssueStyle): string {
	const index = path.findIndex((part) => typeof part === 'number');
	const list = path.slice(0, index);
	const isWhole = style === 'zod4' && ['sources', 'categories'].includes(String(list.at(-1)));
	if (index < 1 || list.at(-1) === 'actions') return '';
	if (kindsOf(operationId, list).length === 0) return '';
	return JSON.stringify(isWhole ? list : path.slice(0, index + 1));
}

/**
 * Returns the values of `type` in a list whose entries are told apart by it; the path of the list may include an index
 * or not.
 */
export function kindsOf(operationId: string, path: Issue['path']): string[] {
	const start = `${path.filter((part) => typeof part === 'string').join('.')}[].`;
	return requestProperties(operationId)
		.filter((property) => property.startsWith(start))
		.map((property) => property.slice(start.length))
		.filter((kind) => !kind.includes('.'));
}

/**
 * Returns the issue for a union of which no member fits. Older services write paths inside it from the top of the body,
 * newer ones from the union. For an entry with an extra key, older ones report only that key.
 */
function unionIssue(
	kinds: string[],
	body: unknown,
	path: Issue['path'],
	breaches: Breach[],
	style: IssueStyle,
): Issue {
	const isNew = style === 'zod4';
	const own = plainIssues(breaches, style, isNew ? path.length : 0);
	if (!isNew && own.every(({ code }) => code === 'unrecognized_keys')) return own[0];
	const isKindUnknown = breaches.some(({ keyword }) => keyword === 'discriminator');
	const entry = breaches[0].path.slice(0, breaches[0].path.findIndex(isNumber) + 1);
	const kind = (valueAt(body, entry) as { type?: unknown } | undefined)?.type;
	const others = kinds
		.filter((other) => other !== kind)
		.slice(0, 3)
		.map((other) => [wrongKind(other, [...entry.slice(isNew ? path.length : 0), 'type'], style)]);
	const members = isKindUnknown ? others : [own, ...others];
	const common = { code: 'invalid_union', path, message: 'Invalid input' };
	return isNew
		? { ...common, errors: members }
		: { ...common, unionErrors: members.map((issues) => ({ issues, name: 'ZodError' })) };
}

const isNumber = (part: unknown) => typeof part === 'number';

function wrongKind(kind: string, path: Issue['path'], style: IssueStyle): Issue {
	return style === 'zod4'
		? { code: 'invalid_value', values: [kind], path, message: `Invalid input: expected "${kind}"` }
		: {
				code: 'invalid_literal',
				expected: kind,
				path,
				message: `Invalid literal value, expected "${kind}"`,
			};
}

/**
 * Returns breaches as issues, without the first `skip` parts of their paths; all unknown keys of an object make up one
 * issue.
 */
function plainIssues(breaches: Breach[], style: IssueStyle, skip: number): Issue[] {
	const unknown = groupedBy(
		breaches.filter(({ keyword }) => keyword === 'additionalProperties'),
		({ path }) => JSON.stringify(path.slice(skip, -1)),
	);
	return [
		...[...unknown].map(([path, own]) => {
			const keys = own.map((breach) => String(breach.path.at(-1)));
			const message =
				style === 'zod3'
					? UNRECOGNIZED
					: `Unrecognized key${keys.length > 1 ? 's' : ''}: ${keys.map((key) => `"${key}"`).join(', ')}`;
			return { code: 'unrecognized_keys', keys, path: JSON.parse(path) as Issue['path'], message };
		}),
		...breaches
			.filter(({ keyword }) => keyword !== 'additionalProperties')
			.map((breach) => plainIssue(breach, breach.path.slice(skip), style)),
	];
}

function plainIssue(breach: Breach, path: Issue['path'], style: IssueStyle): Issue {
	const { code, keyword = '', params = {}, message, value } = breach;
	const isOld = style === 'zod3';
	switch (keyword) {
		case 'required':
		case 'type': {
			const type = String(params.type ?? 'string');
			const isMissing = keyword === 'required';
			// What is no number at all isn't told that it should be whole.
			const isWhole = ['integer', 'int'].includes(type);
			const isFraction = isWhole && typeof value === 'number' && !isMissing;
			const expected = isFraction ? (isOld ? 'integer' : 'int') : isWhole ? 'number' : type;
			const ofValue = isFraction && isOld ? 'float' : typeOf(value);
			const received = isMissing ? 'undefined' : ofValue;
			const told = `expected ${expected}, received ${received}`;
			return isOld
				? {
						code: 'invalid_type',
						expected,
						received,
						path,
						message: isMissing ? 'Required' : told.replace('e', 'E'),
					}
				: { code: 'invalid_type', expected, path, message: `Invalid input: ${told}` };
		}
		case 'maximum':
		case 'minimum':
		case 'exclusiveMinimum':
		case 'maxLength':
		case 'minLength':
		case 'minItems': {
			const of = Array.isArray(value) ? 'array' : typeof value;
			const isMost = keyword.startsWith('max');
			const inclusive = keyword !== 'exclusiveMinimum';
			const limit = { [isMost ? 'maximum' : 'minimum']: params.limit, inclusive };
			const code = isMost ? 'too_big' : 'too_small';
			const message = limitMessage(of, isMost, inclusive, String(params.limit), style);
			return isOld
				? { code, ...limit, type: of, exact: false, path, message }
				: { code, origin: of, ...limit, path, message };
		}
		case 'enum':
		case 'discriminator':
			return isOld
				? {
						code: 'invalid_enum_value',
						received: value,
						options: params.allowedValues,
						path,
						message: optionMessage(breach, style),
					}
				: {
						code: 'invalid_value',
						values: params.allowedValues,
						path,
						message: optionMessage(breach, style),
					};
		case 'format':
			return isOld
				? { code: 'invalid_string', validation: params.format, path, message }
				: { code: 'invalid_format', format: params.format, path, message };
		default:
			return { code: keyword === '' ? code : 'custom', path, message };
	}
}

/** Returns what the service says of a number, text or list beyond a limit. */
function limitMessage(
	of: string,
	isMost: boolean,
	inclusive: boolean,
	limit: string,
	style: IssueStyle,
): string {
	const [word, oldUnit, newUnit] = {
		string: ['String', 'character(s)', ' characters'],
		array: ['Array', 'element(s)', ' items'],
	}[of] ?? ['Number'];
	if (style === 'zod4') {
		const sign = `${isMost ? '<' : '>'}${inclusive ? '=' : ''}`;
		const verb = newUnit ? 'have' : 'be';
		return `Too ${isMost ? 'big' : 'small'}: expected ${of} to ${verb} ${sign}${limit}${newUnit ?? ''}`;
	}
	if (oldUnit) return `${word} must contain at ${isMost ? 'most' : 'least'} ${limit} ${oldUnit}`;
	return `${word} must be ${isMost ? 'less' : 'greater'} than ${inclusive ? 'or equal to ' : ''}${limit}`;
}

/** Returns what the service says of a value that is none of those allowed, if these are known. */
function optionMessage({ params, message, value }: Breach, style: IssueStyle): string {
	const allowed = params?.allowedValues as unknown[] | undefined;
	if (allowed === undefined) return message;
	if (style === 'zod3') {
		const expected = allowed.map((one) => `'${String(one)}'`).join(' | ');
		return `Invalid enum value. Expected ${expected}, received '${String(value)}'`;
	}
	const [first, ...others] = allowed.map((one) => JSON.stringify(one));
	if (others.length === 0) return `Invalid input: expected ${first}`;
	return `Invalid option: expected one of ${[first, ...others].join('|')}`;
}

const typeOf = (value: unknown) =>
	value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
