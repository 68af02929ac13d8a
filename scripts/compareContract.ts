/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/**
 * Compares newer OpenAPI files of the service, e.g. one for each API version, with the contracts that the forms are
 * made for:
 *   npm run contract:compare -- <openapi files, YAML or JSON>
 * Prints how their requests differ, except for what is in api/accepted-differences.txt. Exits with 0 if they don't, with
 * 1 if they do, with 2 if a file can't be read. With --accept at the end, that file has all differences from then on.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { load } from 'js-yaml';

import type { Schema } from '../api/files';
import { ourEndpoints } from '../api/properties';
import { type Endpoint, type ReadFile, type RequestField, endpointsOf } from '../api/requestFields';

type Endpoints = Map<string, Endpoint>;

/**
 * Returns the differences between the requests of newer OpenAPI files and of our contracts, a line for each field of an
 * endpoint. Responses, and API versions that the newer files don't have, are ignored.
 */
export function differencesOf(theirs: Endpoints): string[] {
	const versions = new Set([...theirs.keys()].map(versionOf));
	const added = [...theirs].filter(([key]) => !ourEndpoints.has(key));
	return [
		...added.map(([, { name, summary }]) => `new endpoint: ${name}${bracketed(summary)}`),
		...[...ourEndpoints]
			.filter(([key]) => versions.has(versionOf(key)))
			.flatMap(([key, our]) => {
				const their = theirs.get(key);
				if (their === undefined) return [`missing endpoint: ${our.name}`];
				return fieldDifferences(our, their).map((line) => `${line} in ${our.name}`);
			}),
	];
}

const bracketed = (text: string) => (text === '' ? '' : ` (${text})`);

const versionOf = (key: string) => /^\S+ \/(v\d+)\//.exec(key)?.[1];

function fieldDifferences(our: Endpoint, their: Endpoint): string[] {
	const differences: string[] = [];
	for (const [field, rules] of their.fields) {
		const before = our.fields.get(field);
		const changes = before === undefined ? '' : changesOf(before, rules);
		if (changes !== '') differences.push(`changed: ${field} (${changes})`);
		if (before === undefined && !isBelowNew(field, our.fields))
			differences.push(`new: ${field}${bracketed(described(rules))}`);
	}
	const gone = [...our.fields.keys()].filter(
		(field) => !their.fields.has(field) && !isBelowNew(field, their.fields),
	);
	return [...differences, ...gone.map((field) => `removed: ${field}`)].map((line) =>
		line.replace(': scrapeOptions.', ': '),
	);
}

/** Whether the field's parent is missing too, so that reporting the parent is enough. */
function isBelowNew(field: string, known: Map<string, unknown>): boolean {
	const parent = field.endsWith('[]') ? field.slice(0, -2) : field.replace(/\.?[^.]*$/, '');
	return parent !== '' && !known.has(parent) && parent !== field;
}

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

/** Differences that were looked at and need no change, one per line. */
const ACCEPTED = join(__dirname, '../api/accepted-differences.txt');

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

/** Runs the command: prints the differences, or why a file can't be read, and returns the exit code. */
export function main(given: string[], accepted = ACCEPTED): number {
	try {
		const paths = given.filter((one) => one !== '--accept');
		if (paths.length === 0) throw new Error('npm run contract:compare -- <openapi files>');
		const all = differencesOf(new Map(paths.flatMap((path) => [...endpointsIn(path)])));
		if (given.includes('--accept'))
			writeFileSync(accepted, all.map((line) => `${line}\n`).join(''));
		const known = readFileSync(accepted, 'utf8').split('\n');
		const fresh = all.filter((line) => !known.includes(line));
		const besides = `${all.length - fresh.length} that are accepted`;
		process.stdout.write(
			[...fresh, '', `Differences: ${fresh.length}, besides ${besides}`, ''].join('\n'),
		);
		return fresh.length === 0 ? 0 : 1;
	} catch (error) {
		process.stderr.write(`${(error as Error).message}\n`);
		return 2;
	}
}

if (require.main === module) process.exitCode = main(process.argv.slice(2));
