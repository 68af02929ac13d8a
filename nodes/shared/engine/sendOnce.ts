import type { IExecuteData } from 'n8n-workflow';

import type { Task } from '../operation';
import { callService } from '../transport';
import type { ServiceResponse } from '../transport';

const responses = new WeakMap<IExecuteData, Map<string, Promise<ServiceResponse>>>();

/**
 * Sends a paid call once per item and node run. n8n's Retry On Fail runs the whole node again with the same
 * execution data, and then the response from before is taken instead of being paid for twice. It can't be told
 * apart from a first run after n8n was restarted or when a person retries a whole execution.
 */
export async function sendOnce(task: Task): Promise<ServiceResponse> {
	const { context, call, settings, form } = task;
	if (!context.getNode().retryOnFail) return await callService(context, call, settings);

	const executeData = context.getExecuteData();
	const known = responses.get(executeData) ?? new Map<string, Promise<ServiceResponse>>();
	responses.set(executeData, known);
	const key = `${form.place.itemIndex} ${JSON.stringify(call)}`;
	const before = known.get(key);
	if (before !== undefined) return await before;
	const response = callService(context, call, settings);
	known.set(key, response);
	// Only responses are kept: the next try has to send what failed.
	response.catch(() => known.delete(key));
	return await response;
}
