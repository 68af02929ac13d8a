import type {
	IDataObject,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
	JsonObject,
} from 'n8n-workflow';
import { NodeApiError, NodeConnectionTypes, NodeOperationError } from 'n8n-workflow';

import { crawlService } from './crawlService';
import { failureOf } from './failure';
import { reportToItems } from './items';
import { pollOnce } from './poll';
import { preview } from './preview';
import { CREDENTIAL_TYPE, wait } from '../shared/transport';
import { readSettings } from './settings';

/** Where the state is kept in the node's static data; assigned whole, as n8n notices nothing deeper. */
const STATE_KEY = 'crawlWatch';

/** How long (ms) a poll may take where n8n doesn't say: durable mode gives one up after 45 s. */
const DEFAULT_BUDGET_MS = 40_000;

/** The crawls being looked up, by static data: polls that overlap in one process share it. */
const claimsOf = new WeakMap<IDataObject, Set<string>>();

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
		credentials: [{ name: CREDENTIAL_TYPE, required: true }],
		properties: [
			{
				displayName: 'Watch',
				name: 'watch',
				type: 'options',
				default: 'any',
				options: [
					{
						name: 'Any Crawl of the Team',
						value: 'any',
						description: 'Every crawl that the team behind the API key runs',
					},
					{
						name: 'Specific Crawls',
						value: 'specific',
						description: 'Crawls that you name; one that has already ended fires at once',
					},
				],
			},
			{
				displayName: 'URL Pattern',
				name: 'urlPattern',
				type: 'string',
				typeOptions: { rows: 2 },
				default: '',
				placeholder: 'e.g. https://docs.example.com/*',
				description:
					'Only crawls started with a matching URL. A text without * may be any part of the URL; with *, which stands for any characters, the whole URL must fit. Several: one per line. Empty: every crawl.',
				displayOptions: { show: { watch: ['any'] } },
			},
			{
				displayName: 'Crawls',
				name: 'crawls',
				type: 'string',
				typeOptions: { rows: 3 },
				required: true,
				default: '',
				placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
				description:
					'The ID or the status URL of each crawl, one per line, or an expression that gives an array',
				displayOptions: { show: { watch: ['specific'] } },
			},
			{
				displayName: 'Events',
				name: 'events',
				type: 'multiOptions',
				required: true,
				default: ['completed', 'failed'],
				description: 'The ends of a crawl that start the workflow',
				options: [
					{ name: 'Completed', value: 'completed', description: 'The crawl has finished' },
					{ name: 'Failed', value: 'failed', description: 'The crawl has failed' },
					{
						name: 'Other End State',
						value: 'other',
						description: 'The crawl has ended in another way, such as cancelled',
					},
				],
			},
			{
				displayName: 'Output',
				name: 'output',
				type: 'options',
				default: 'status',
				options: [
					{
						name: 'Status Only',
						value: 'status',
						description: 'One item per crawl: status, page counts, credits and dates',
					},
					{
						name: 'Pages',
						value: 'pages',
						description: 'One item per page of the crawl, with the status in its field "crawl"',
					},
				],
			},
			{
				displayName: 'Return All',
				name: 'returnAll',
				type: 'boolean',
				default: true,
				description: 'Whether to return all results or only up to a given limit',
				displayOptions: { show: { output: ['pages'] } },
			},
			{
				displayName: 'Limit',
				name: 'limit',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 50,
				description: 'Max number of results to return',
				hint: 'Counted for each crawl',
				displayOptions: { show: { output: ['pages'], returnAll: [false] } },
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: [
					{
						displayName: 'One Crawl per Execution',
						name: 'oneCrawlPerExecution',
						type: 'boolean',
						default: false,
						description:
							'Whether each execution gets the items of one crawl only. Of crawls that end between two polls, one is then emitted at each of the next polls; otherwise they share an execution.',
					},
				],
			},
		],
	};

	/** One poll; the first one of a published workflow sets the baseline. Throws with a `failure`. */
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		try {
			const settings = readSettings(this);
			const withPages = this.getNodeParameter('output') === 'pages';
			const limited = withPages && this.getNodeParameter('returnAll') === false;
			const limit = limited ? (this.getNodeParameter('limit') as number) : undefined;
			const task = {
				service: crawlService(this, limit),
				settings,
				withPages,
				budgetMs: budgetOf(this),
				now: Date.now,
			};
			if (this.getMode() === 'manual') return [await preview(task)];

			const options = this.getNodeParameter('options', {}) as IDataObject;
			const staticData = this.getWorkflowStaticData('node');
			let claims = claimsOf.get(staticData);
			if (!claims) claimsOf.set(staticData, (claims = new Set()));
			const reports = await pollOnce({
				...task,
				...(options.oneCrawlPerExecution === true && { maxReports: 1 }),
				store: {
					read: () => staticData[STATE_KEY],
					write: (state) => (staticData[STATE_KEY] = state as IDataObject),
				},
				claims,
				wait,
				log: this.logger,
			});
			if (reports.length === 0) return null;
			return [reports.flatMap((report) => reportToItems(report, withPages))];
		} catch (error) {
			const failure = failureOf(error);
			if (error instanceof NodeOperationError) throw Object.assign(error, { failure });
			const apiError = new NodeApiError(this.getNode(), error as JsonObject);
			throw Object.assign(apiError, { failure });
		}
	}
}

/** How long (ms) this poll may take; older versions of n8n don't say. */
function budgetOf(context: IPollFunctions): number {
	const { getPollBudgetMs } = context as { getPollBudgetMs?: () => number };
	return getPollBudgetMs ? 0.9 * getPollBudgetMs.call(context) : DEFAULT_BUDGET_MS;
}
