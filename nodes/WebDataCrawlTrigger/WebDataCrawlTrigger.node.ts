import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { type Poll, runPoll } from '../shared/trigger/runPoll';
import { crawlService } from './crawlService';
import { fields } from './fields';
import { reportToItems } from './items';
import { type PollTask, pollOnce } from './poll';
import { preview } from './preview';
import { readSettings } from './settings';

/** Starts a workflow when a crawl ends. */
export class WebDataCrawlTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Crawl Trigger',
		name: 'webDataCrawlTrigger',
		icon: {
			light: 'file:../../icons/webDataCrawl.svg',
			dark: 'file:../../icons/webDataCrawl.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["watch"] === "any" ? "any crawl ends" : "specific crawls end" }}',
		// n8n's node panel shows it for Web Data Crawl, too: it makes one entry of a node and its trigger.
		description: 'Crawl whole sites and get their pages, or start the workflow when a crawl ends',
		defaults: { name: 'Web Data Crawl Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'webDataServiceApi', required: true }],
		// A copy, as n8n puts Poll Times into the list.
		properties: [...fields],
	};

	/** One poll; the first one of a published workflow sets the baseline. Throws with a `failure`. */
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await runPoll(this, {
			stateKey: 'crawlWatch',
			task: taskOf,
			test: async (task) => await preview(task),
			poll: async (task) => {
				const reports = await pollOnce(task);
				return reports.flatMap((report) => reportToItems(report, task.withPages));
			},
		});
	}
}

function taskOf(poll: Poll): PollTask {
	const { pages, ...task } = readSettings(poll.context);
	return { ...poll.tools, ...task, service: crawlService(poll, pages) };
}
