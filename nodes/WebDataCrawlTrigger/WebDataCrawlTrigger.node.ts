import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { type Poll, credentialIdOf, readForm, runPoll } from '../shared/trigger/runPoll';
import { iconOf } from '../shared/run/description';
import { propertyOf } from '../shared/form/properties';
import { testCredential } from '../shared/client/credentialTest';
import * as form from './fields';
import { type PollTask, pollOnce, isFirstFailure } from './poll';
import { preview } from './preview';
import { requestsOf } from './requests';

/** Starts a workflow when a crawl ends. */
export class WebDataCrawlTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Crawl Trigger',
		name: 'webDataCrawlTrigger',
		icon: iconOf('webDataCrawl'),
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["watch"] === "any" ? "any crawl ends" : "specific crawls end" }}',
		// n8n's node panel also shows it for Web Data Crawl, as it merges a node and its trigger into one entry.
		description: 'Start the workflow when a crawl ends; Web Data Crawl crawls a site',
		defaults: { name: 'Web Data Crawl Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'webDataServiceApi', required: true, testedBy: 'testCredential' }],
		// A copy, because n8n adds Poll Times to the list.
		properties: [...form.fields.map(propertyOf)],
	};

	methods = { credentialTest: { testCredential } };

	/** Polls once; the first poll of a published workflow only records the crawls. Its errors have a `failure`. */
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await runPoll(this, {
			stateKey: 'crawlWatch',
			task: taskOf,
			test: preview,
			poll: pollOnce,
		});
	}
}

/** Reads the task from the form. Throws NodeOperationError naming the field. */
function taskOf(poll: Poll): PollTask {
	const filled = readForm(poll.context, form.fields);
	const { value } = filled;
	const isAny = value(form.watch) === 'any';
	return {
		...poll.tools,
		requests: requestsOf(poll, filled),
		settings: {
			scope: `${value(form.watch)}:${credentialIdOf(poll.context)}`,
			events: value(form.events),
			urlPatterns: isAny ? value(form.urlPattern) || [] : [],
			...(!isAny && { ids: value(form.crawls) }),
		},
		withPages: value(form.output) === 'pages',
		oneAtATime: value(form.oneCrawlPerExecution),
		isFirstFailure: (id) =>
			isFirstFailure(`${poll.context.getWorkflow().id} ${poll.context.getNode().id} ${id}`),
	};
}
