import { endpointOf } from './contract';
import { wholeFiles } from './files';
import { endpointsOf, filledFields, keyOf, type Endpoint, type ReadFile } from './requestFields';

const ourFile: ReadFile = (id) => {
	const file = wholeFiles.get(id);
	if (file === undefined) throw new Error(`The contracts refer to ${id}, which is none of them`);
	return file;
};

/** The endpoints of both our contracts. */
export const ourEndpoints = new Map(
	[...wholeFiles.keys()].flatMap((id) => [...endpointsOf(id, ourFile)]),
);

function endpoint(operationId: string): Endpoint {
	const { method, path } = endpointOf(operationId);
	return ourEndpoints.get(keyOf(`${method} ${path}`))!;
}

/**
 * Returns every field that a request of the operation may have, including containers, in the notation of
 * `Endpoint.fields`.
 */
export function requestProperties(operationId: string): string[] {
	return [...endpoint(operationId).fields.keys()].filter((field) => !field.endsWith('[]'));
}

/** Returns the fields in an actual request, with their values, including those that the contract doesn't know. */
export function propertiesIn(
	operationId: string,
	body?: unknown,
	query?: Record<string, unknown>,
): Map<string, string> {
	return filledFields(endpoint(operationId), body, query);
}
