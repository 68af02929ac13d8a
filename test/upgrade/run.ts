import type { IBinaryData, IDataObject, INodeExecutionData, INodeType } from 'n8n-workflow';

import { type RunResult, runNode } from '../support/engine';
import { ADDRESS, type FrozenItem, type Result, type SavedNode, hashOf } from './frozen';

/** Runs a node as the case says, against the service at `url`. */
export async function runCase(
	nodeType: INodeType,
	{ parameters, typeVersion, onError, input }: SavedNode,
	{ url, apiKey }: { url: string; apiKey: string },
): Promise<Result> {
	const run = await runNode({
		nodeType,
		parameters,
		typeVersion,
		onError,
		items: input?.map((json) => ({ json })),
		credentials: { baseUrl: url, apiKey },
	});
	return resultOf(run, url);
}

function resultOf({ error, output }: RunResult, url: string): Result {
	if (error) return { failed: { httpCode: (error.httpCode as string | undefined) ?? null } };
	return { output: output.map((items) => items.map((item) => frozenItem(item, url))) };
}

/**
 * Returns an item as it is frozen. Of an item on the error branch, only what a workflow can rely on, because the texts
 * may change.
 */
export function frozenItem(item: INodeExecutionData, url: string): FrozenItem {
	const { json, pairedItem, binary, error } = item;
	const lasting = error === undefined ? json : { keys: Object.keys(json).sort() };
	return {
		json: JSON.parse(JSON.stringify(lasting).replaceAll(url, ADDRESS)) as IDataObject,
		...(pairedItem === undefined ? {} : { pairedItem }),
		...(binary === undefined
			? {}
			: {
					binary: Object.fromEntries(
						Object.entries(binary).map(([name, file]) => [name, frozenFile(file)]),
					),
				}),
	};
}

const frozenFile = ({ data, fileName, mimeType, fileExtension }: IBinaryData): IDataObject => ({
	fileName,
	mimeType,
	fileExtension,
	content: hashOf(Buffer.from(data, 'base64')).slice(0, 16),
});
