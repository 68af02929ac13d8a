/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * Compares newer OpenAPI files of the service, e.g. one for each API version, with the contracts that the forms are
 * made for:
 *   npm run contract:compare -- <openapi files, YAML or JSON>
 * Exits with 0 if their requests are the same, except for api/accepted-differences.txt, with 1 if they differ, with 2
 * if a file can't be read. With --accept at the end, all differences are accepted from then on; those of API versions
 * that no file has stay accepted.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { load } from 'js-yaml';

import type { Schema } from '../api/files';
import { ourEndpoints } from '../api/properties';
import { type Endpoint, type ReadFile, type RequestField, endpointsOf } from '../api/requestFields';
import { type EndpointControls, controlsOfFields } from './lib/sent';

type Kind = 'new endpoint' | 'missing endpoint' | 'new' | 'removed' | 'changed';

/** A difference between the requests of newer files and of our contracts. */
export interface Difference {
	kind: Kind;
	/** E.g. `POST /v2/search`. */
	endpoint: string;
	/** In the notation of `Endpoint.fields`; unset for a whole endpoint. */
	field?: string;
	/** What the newer file says about a new field, or how an existing one changed. */
	detail: string;
	/** The controls that fill the field or, if none does, the forms that send to the endpoint. */
	attention: string[];
}

interface Comparison {
	differences: Difference[];
	/** Our endpoints of API versions that the newer files don't cover. */
	notCompared: string[];
	/** Number of endpoints in both. */
	compared: number;
}

type Endpoints = Map<string, Endpoint>;

/** Cached, because filling in all controls takes a second. */
let ourControls: Map<string, EndpointControls> | undefined;

/** Compares the requests of newer OpenAPI files with those of our contracts; responses are ignored. */
export function compareContract(theirs: Endpoints): Comparison {
	const controls = (ourControls ??= controlsOfFields());
	const versions = versionsOf(theirs);
	const differences: Difference[] = [];
	for (const [key, { name, summary }] of theirs) {
		if (ourEndpoints.has(key)) continue;
		differences.push({ kind: 'new endpoint', endpoint: name, detail: summary, attention: [] });
	}
	const notCompared: string[] = [];
	let compared = 0;
	for (const [key, our] of ourEndpoints) {
		const their = theirs.get(key);
		if (their !== undefined) {
			compared++;
			differences.push(...fieldDifferences(our, their, controls.get(key)));
		} else if (versions.has(versionOf(key))) {
			const attention = [...(controls.get(key)?.forms ?? [])];
			differences.push({ kind: 'missing endpoint', endpoint: our.name, detail: '', attention });
		} else {
			notCompared.push(our.name);
		}
	}
	return { differences, notCompared, compared };
}

const versionsOf = (endpoints: Endpoints) => new Set([...endpoints.keys()].map(versionOf));

const versionOf = (key: string) => /^\S+ \/(v\d+)\//.exec(key)?.[1];

function fieldDifferences(
	our: Endpoint,
	their: Endpoint,
	found: EndpointControls | undefined,
): Difference[] {
	const attention = (field: string) => {
		const all = [...(found?.controls ?? [])];
		const own = all.filter(([filled]) => filled === field);
		// The controls that fill an object or a list are those of its content.
		const filling = own.length > 0 ? own : all.filter(([filled]) => isBelow(filled, field));
		const controls = new Set(filling.flatMap(([, names]) => [...names]));
		return [...(controls.size > 0 ? controls : (found?.forms ?? []))];
	};
	const differences: Difference[] = [];
	const differ = (kind: Kind, field: string, detail: string) =>
		differences.push({ kind, endpoint: our.name, field, detail, attention: attention(field) });
	for (const [field, { required, rules }] of their.fields) {
		const before = our.fields.get(field);
		if (before !== undefined) {
			const detail = changesOf(before, { required, rules });
			if (detail !== '') differ('changed', field, detail);
		} else if (!isBelowNew(field, our.fields)) {
			differ('new', field, described({ required, rules }));
		}
	}
	for (const field of our.fields.keys()) {
		if (their.fields.has(field) || isBelowNew(field, their.fields)) continue;
		differ('removed', field, '');
	}
	return differences;
}

/** Whether the field's parent is missing too, so that reporting the parent is enough. */
function isBelowNew(field: string, known: Map<string, unknown>): boolean {
	const parent = field.endsWith('[]') ? field.slice(0, -2) : field.replace(/\.?[^.]*$/, '');
	return parent !== '' && !known.has(parent) && parent !== field;
}

const isBelow = (field: string, holder: string) =>
	field.startsWith(holder) && /^[.[]/.test(field.slice(holder.length));

function described({ required, rules }: RequestField): string {
	return [
		...(required ? ['required'] : []),
		...Object.entries(rules).map(([rule, values]) =>
			rule === 'type' ? values.join(' or ').replace(/"/g, '') : `${rule} ${values.join(', ')}`,
		),
	].join(', ');
}

function changesOf(before: RequestField, after: RequestField): string {
	const changes: string[] = [];
	if (before.required !== after.required) {
		changes.push(after.required ? 'now required' : 'no longer required');
	}
	for (const rule of new Set([...Object.keys(before.rules), ...Object.keys(after.rules)])) {
		const [old = [], now = []] = [before.rules[rule], after.rules[rule]];
		const [added, gone] = [
			now.filter((v) => !old.includes(v)),
			old.filter((v) => !now.includes(v)),
		];
		if (added.length === 0 && gone.length === 0) continue;
		// A file without a type says nothing about it.
		if (rule === 'type' && (old.length === 0 || now.length === 0)) continue;
		changes.push(
			rule === 'enum' && old.length > 0 && now.length > 0
				? [
						...(added.length > 0 ? [`enum has new ${added.join(', ')}`] : []),
						...(gone.length > 0 ? [`enum has no ${gone.join(', ')} any more`] : []),
					].join(', ')
				: `${rule} ${old.join(', ') || 'none'} → ${now.join(', ') || 'none'}`,
		);
	}
	return changes.join('; ');
}

/** A difference as reported: once for all endpoints that have it. */
interface Told {
	line: string;
	endpoints: string[];
	attention: string[];
}

/** Maximum number of controls that are named for one difference. */
const MOST_CONTROLS = 3;

/** Returns a difference as a line, without the endpoint of a field. */
function lineOf({ kind, endpoint, field, detail }: Difference): string {
	const what = field?.replace(/^scrapeOptions\./, '') ?? endpoint;
	return `${kind}: ${what}${detail ? ` (${detail})` : ''}`;
}

/** Returns the differences by their lines; one that several endpoints share, e.g. in scrape options, is told once. */
function toldOf(differences: Difference[]): Told[] {
	const told = new Map<string, Told>();
	for (const difference of differences) {
		const { endpoint, field, attention } = difference;
		const line = lineOf(difference);
		const entry = told.get(line) ?? { line, endpoints: [], attention: [] };
		told.set(line, entry);
		if (field !== undefined) entry.endpoints.push(endpoint);
		entry.attention.push(...attention);
	}
	return [...told.values()];
}

/** Returns the differences as readable text, `known` of which are accepted and left out. */
function report(told: Told[], known: number, { notCompared, compared }: Comparison): string {
	const out = [`${compared} endpoints compared.`];
	if (notCompared.length > 0) {
		out.push(`Not compared, as no file has any of their version: ${notCompared.join(', ')}.`);
	}
	for (const { line, endpoints, attention } of told) {
		out.push('', line, ...(endpoints.length > 0 ? [`  in ${endpoints.join(', ')}`] : []));
		const advice = line.startsWith('new:') ? 'could get a control in' : 'look at';
		out.push(...attention.slice(0, MOST_CONTROLS).map((control) => `  ${advice} ${control}`));
		const more = attention.length - MOST_CONTROLS;
		if (more > 0) out.push(`  and ${more} more`);
	}
	const count = told.length === 0 ? 'No difference' : `Differences: ${told.length}`;
	const besides = known > 0 ? `, besides ${known} that are accepted` : '';
	return [...out, '', `${count}${besides}${told.length === 0 ? '.' : ''}`].join('\n');
}

/** Differences that were looked at and need no change, one per line; `--accept` rewrites this file. */
const ACCEPTED = join(__dirname, '../api/accepted-differences.txt');

/** Returns a line of that file as one for each endpoint. */
function perEndpoint(accepted: string): string[] {
	const [line, endpoints] = accepted.split(/ in (?=[A-Z]+ \/)/);
	return endpoints?.split(', ').map((endpoint) => `${line} in ${endpoint}`) ?? [line];
}

const files = new Map<string, Schema>();

/** Reads files from disk; throws for a `$ref` to anywhere else. */
const readFromDisk: ReadFile = (id) => {
	const known = files.get(id);
	if (known !== undefined) return known;
	if (!id.startsWith('file:')) throw new Error(`The file refers to ${id}: save that beside it`);
	const file: unknown = load(readFileSync(fileURLToPath(id), 'utf8'));
	if (typeof file !== 'object' || file === null) throw new Error(`${id} is no YAML or JSON object`);
	files.set(id, file as Schema);
	return file as Schema;
};

/** Returns the endpoints in a file on disk. Throws if it isn't OpenAPI. */
function endpointsIn(path: string): Endpoints {
	const id = pathToFileURL(path).href;
	if (readFromDisk(id).paths === undefined) throw new Error(`${path} has no paths: not OpenAPI`);
	return endpointsOf(id, readFromDisk);
}

/** Whether an accepted difference concerns only API versions other than these. */
function isOfOthers(line: string, versions: Set<string | undefined>): boolean {
	const own = [...line.matchAll(/ \/(v\d+)\//g)].map(([, version]) => version);
	return own.length > 0 && own.every((version) => !versions.has(version));
}

/** Runs the command: prints the differences, or why a file can't be read, and returns the exit code. */
export function main(given: string[], acceptedIn = ACCEPTED): number {
	try {
		const paths = given.filter((one) => !one.startsWith('--'));
		if (paths.length === 0)
			throw new Error(
				'npm run contract:compare -- <openapi files> [--accept] names what differs from the contracts',
			);
		const theirs = new Map(paths.flatMap((path) => [...endpointsIn(path)]));
		const comparison = compareContract(theirs);
		const all = toldOf(comparison.differences);
		let accepted = existsSync(acceptedIn) ? readFileSync(acceptedIn, 'utf8').split('\n') : [];
		if (given.includes('--accept')) {
			const others = accepted.filter((line) => isOfOthers(line, versionsOf(theirs)));
			const own = all.map(({ line, endpoints }) => [line, endpoints.join(', ')]);
			accepted = [...own.map((parts) => parts.filter(Boolean).join(' in ')), ...others];
			writeFileSync(acceptedIn, accepted.map((line) => `${line}\n`).join(''));
		}
		const known = new Set(accepted.flatMap(perEndpoint));
		const fresh = comparison.differences.filter((one) => {
			const line = lineOf(one);
			return !known.has(one.field === undefined ? line : `${line} in ${one.endpoint}`);
		});
		const told = toldOf(fresh);
		process.stdout.write(`${report(told, all.length - told.length, comparison)}\n`);
		return fresh.length === 0 ? 0 : 1;
	} catch (error) {
		process.stderr.write(`${(error as Error).message}\n`);
		return 2;
	}
}

if (require.main === module) process.exitCode = main(process.argv.slice(2));
