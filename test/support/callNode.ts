/* eslint-disable @n8n/community-nodes/require-node-api-error */
import {
	NodeApiError,
	NodeConnectionTypes,
	type IDataObject,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import type { Caller } from '../../nodes/shared/client/account';
import { callService } from '../../nodes/shared/client/call';
import type { CallSettings, ServiceCall } from '../../nodes/shared/client/types';
import { nodeRunOf } from '../../nodes/shared/run/nodeRun';

export type ItemWork = (
	caller: Caller,
	call: ServiceCall,
	settings: CallSettings,
) => Promise<INodeExecutionData[]>;

const once: ItemWork = async (caller, call, settings) => {
	const { body } = await callService(caller, call, settings);
	return [{ json: body }];
};

/**
 * Returns the smallest declarative node on the request path: each item's JSON is its call. An item with `invalid` is
 * rejected while it is checked.
 */
export function callNode(settings: CallSettings = {}, work: ItemWork = once): INodeType {
	const description: INodeTypeDescription = {
		displayName: 'Call',
		name: 'call',
		group: ['transform'],
		version: 1,
		description: 'Calls the service with what the item says',
		defaults: { name: 'Call' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'webDataServiceApi', required: true }],
		requestDefaults: {},
		properties: [
			{
				displayName: 'Send',
				name: 'send',
				type: 'hidden',
				default: 'call',
				routing: {
					send: { paginate: true },
					operations: {
						async pagination(this: IExecutePaginationFunctions, { options }) {
							const http = { timeout: options.timeout, proxy: options.proxy };
							return await runCall(this, { http, ...settings }, work);
						},
					},
				},
			},
		],
	};
	return { description };
}

async function runCall(
	context: IExecutePaginationFunctions,
	settings: CallSettings,
	work: ItemWork,
): Promise<INodeExecutionData[]> {
	const itemIndex = context.getItemIndex();
	try {
		const run = nodeRunOf(context);
		const items = await run.perform(
			itemIndex,
			() => callOf(context),
			async (call) => ({ items: await work(await run.callerFor(context), call, settings) }),
		);
		return items.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
	} catch (error) {
		if (!context.continueOnFail()) throw error;
		const failure = error as NodeApiError;
		const json = { message: failure.message, httpStatus: failure.httpCode };
		return [{ json, error: failure, pairedItem: { item: itemIndex } }];
	}
}

function callOf(context: IExecutePaginationFunctions): ServiceCall {
	const json = context.getInputData().json as IDataObject;
	if (json.invalid) {
		throw new NodeApiError(context.getNode(), {}, { message: 'The item is invalid' });
	}
	return {
		method: (json.method ?? 'POST') as ServiceCall['method'],
		path: (json.path ?? '/v2/search') as string,
		...(json.query === undefined ? {} : { query: json.query as IDataObject }),
		...(json.method === undefined || json.method === 'POST'
			? { body: (json.body ?? { query: `item ${json.n}` }) as IDataObject }
			: {}),
	};
}
