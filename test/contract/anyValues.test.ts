/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/**
 * Values of every type, as expressions give them, in every control of every form: an error that names the control, or a
 * request that the contract takes and that has what was entered.
 */
import { inspect } from 'node:util';
import { NodeOperationError } from 'n8n-workflow';

import { randomOf } from '../../mock-service/random';
import { EXOTIC, INTERNAL, anyExpressed } from '../support/randomValues';
import { seedCount } from '../support/seeds';
import type { ControlSample } from './controls';
import { type Entered, type EnteredForm, allForms, breachesOf, ownAndSome } from './entered';

function isEmpty(value: unknown): boolean {
	if (typeof value === 'string') return value.trim() === '';
	if (typeof value !== 'object' || value === null) return value === undefined || value === null;
	try {
		return Object.keys(value).length === 0;
	} catch {
		return false;
	}
}

/** Returns what a form sends, as text. */
const textOf = ({ path, query, body, settings }: Entered) =>
	JSON.stringify([path, query, body, settings]);

/** Returns what is wrong with the request for a value. */
function problemsOf(
	form: EnteredForm,
	sample: ControlSample,
	value: unknown,
	without: string,
): string[] {
	const { control } = sample;
	const title = `${control} = ${shown(value)}`;
	try {
		const entered = form.entered(sample, value);
		const problems = breachesOf(entered).map(
			({ path: at, message }) => `${title} sends ${at.join('.')}: ${message}`,
		);
		const isDropped =
			!isEmpty(value) && value !== false && !sample.isSetting && textOf(entered) === without;
		return isDropped ? [...problems, `${title} is dropped`] : problems;
	} catch (error) {
		if (!(error instanceof NodeOperationError)) return [`${title} throws ${String(error)}`];
		const text = `${error.message} ${String(error.description)}`;
		const names = form.namesOf(control);
		const isNamed = names.some((name) => text.includes(name));
		// Another control may have read it first.
		if (text.includes('cannot be read')) return isThrowing(value) ? [] : [`${title} says ${text}`];
		return INTERNAL.test(text.replace(/"[^"]*"/g, '')) || !isNamed
			? [`${title} says ${text}, not ${String(names)}`]
			: [];
	}
}

/** Whether reading a value runs code of its own that throws. */
function isThrowing(value: unknown): boolean {
	try {
		if (typeof value === 'object' && value !== null) Object.values(value).map(String);
		JSON.stringify(value);
		return false;
	} catch (error) {
		return String(error).includes('the inside of this object');
	}
}

/** Returns a value for a message; some can't be shown. */
function shown(value: unknown): string {
	try {
		return inspect(value).slice(0, 80);
	} catch {
		return 'a value that cannot be shown';
	}
}

/** Texts that only the service can read; what it can't read costs nothing. */
const READ_THERE = /(^scheduleText|[cC]ron|^newSchedule|\.timezone)$/;

/** Values that the service refuses in some fields, though its document has nothing against them. */
const EDGES = [
	999,
	60_001,
	300_001,
	0.5,
	'x'.repeat(10_001),
	Array<string>(1001).fill('/a'),
	'/'.repeat(2001),
	'/(?=a)',
	'/(a)\\1',
	'/(a',
	'http://localhost',
	'localhost',
	'ftp://a.example',
	'a.example/b',
	'ZZ',
	{ 'X-Firecrawl-Signature': 'a' },
	{ a: 1 },
	'{"type":"sentence"}',
	'{"type":"wait","milliseconds":60001}',
	['rawBase64', 'html'],
];

it.each(allForms)('%s takes any value, or says where it is wrong', (title, form) => {
	const problems: string[] = [];
	const random = randomOf(1);
	for (const sample of ownAndSome(title, form.samples)) {
		if (/additionalBodyFields$/.test(sample.control) || READ_THERE.test(sample.control)) continue;
		let without = '';
		try {
			without = textOf(form.entered(sample, undefined));
		} catch {
			// A form that demands the control has no request without it.
		}
		for (const value of [...EDGES, ...EXOTIC.map((make) => make())])
			problems.push(...problemsOf(form, sample, value, without));
		for (let n = 0; n < seedCount(2); n++)
			problems.push(...problemsOf(form, sample, anyExpressed(random), without));
	}
	expect([...new Set(problems)]).toEqual([]);
});
