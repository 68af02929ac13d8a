import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020';

/** A breach of the contract. */
export interface Breach {
	code: string; // the keyword that is broken
	/** Path to the field, even if the field is missing or unknown. */
	path: Array<string | number>;
	message: string;
}

const listed = (values: unknown) => (values as unknown[]).map(String).join(', ');

function toBreach(error: ErrorObject, prefix: string[] = []): Breach {
	const path: Array<string | number> = [...prefix];
	for (const part of error.instancePath.split('/').slice(1)) {
		const name = part.replace(/~1/g, '/').replace(/~0/g, '~');
		path.push(/^\d+$/.test(name) ? Number(name) : name);
	}
	const params = error.params as Record<string, unknown>;
	const named = params.additionalProperty ?? params.missingProperty ?? params.tag;
	if (typeof named === 'string') path.push(named);
	let message = error.message ?? 'is invalid';
	if (error.keyword === 'additionalProperties') message = `Unrecognized key "${String(named)}"`;
	if (error.keyword === 'enum') message = `must be one of ${listed(params.allowedValues)}`;
	if (error.keyword === 'discriminator')
		message = `unknown type ${JSON.stringify(params.tagValue)}`;
	if (error.keyword === 'oneOf' || error.keyword === 'anyOf') {
		message = (error.parentSchema?.description as string | undefined) ?? message;
	}
	return { code: error.keyword, path, message };
}

/** Returns every breach that a compiled schema finds in a value; `prefix` is prepended to the paths. */
export function breachesOf(
	validate: ValidateFunction,
	value: unknown,
	prefix?: string[],
): Breach[] {
	if (validate(value)) return [];
	const errors = validate.errors ?? [];
	const alternatives = errors.filter((e) => e.keyword === 'oneOf' || e.keyword === 'anyOf');
	// What each alternative lacks is noise next to the fact that none matched, except for errors deeper inside, which are
	// more precise.
	const isNoise = (error: ErrorObject) =>
		error.keyword === 'if' ||
		(alternatives.includes(error)
			? errors.some((other) => other.instancePath.startsWith(`${error.instancePath}/`))
			: error.keyword !== 'additionalProperties' &&
				alternatives.some((other) => other.instancePath === error.instancePath));
	return errors.filter((error) => !isNoise(error)).map((error) => toBreach(error, prefix));
}
