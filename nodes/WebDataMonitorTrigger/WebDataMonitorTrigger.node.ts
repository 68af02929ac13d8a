import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	ITriggerFunctions,
	ITriggerResponse,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { SUBJECT, iconOf } from '../shared/run/description';
import { propertyOf } from '../shared/form/properties';
import { placeLists } from '../shared/fields/places';
import { testCredential } from '../shared/client/credentialTest';
import { messageOf } from '../shared/base/text';
import { fields } from './fields';
import { create, isThere, remove } from './hooks';
import { newsOf } from './news';
import { SECRET_HEADER, isSecret, monitorOf } from './service';

/** Ways in which n8n starts, during which reports may have been missed. */
const STARTS = ['init', 'leadershipChange'];

export class WebDataMonitorTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Monitor Trigger',
		name: 'webDataMonitorTrigger',
		icon: iconOf('webDataMonitor'),
		group: ['trigger'],
		version: 1,
		subtitle: `=monitor${SUBJECT}`,
		description:
			'Start the workflow when a page, a site or a search has changed in a way that matters',
		defaults: { name: 'Web Data Monitor Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'webDataServiceApi', required: true, testedBy: 'testCredential' }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				path: 'monitor',
				ndvHideUrl: true,
			},
		],
		properties: fields.map(propertyOf),
	};

	methods = { credentialTest: { testCredential }, loadOptions: placeLists };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await isThere(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await create(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await remove(this);
			},
		},
	};

	/**
	 * Starts the workflow with what is new. A report only says that there may be something: the service is asked. It
	 * responds by itself, because n8n 2.41 saves the memory only then if an execution starts.
	 */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const monitor = monitorOf(this);
		const given = this.getHeaderData()[SECRET_HEADER];
		const response = this.getResponseObject();
		if (monitor === undefined || !(await isSecret(given, monitor.secret))) {
			response.status(403).json({ message: 'This is not a report of the monitor' });
			return { noWebhookResponse: true };
		}
		const { items, failure } = await newsOf(this, monitor).catch((error: unknown) => ({
			items: [] as INodeExecutionData[],
			failure: error,
		}));
		if (failure === undefined) response.status(200).json({ message: 'Received' });
		else {
			this.logger.warn(`A report of monitor ${monitor.id} comes later: ${messageOf(failure)}`);
			response.status(503).json({ message: 'Try again later' });
		}
		return { noWebhookResponse: true, ...(items.length > 0 && { workflowData: [items] }) };
	}

	/** Starts the workflow with what was reported while n8n was down. */
	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		const monitor = monitorOf(this);
		if (monitor === undefined || !STARTS.includes(this.getActivationMode())) return {};
		try {
			const { items, failure } = await newsOf(this, monitor);
			if (items.length > 0) this.emit([items]);
			if (failure !== undefined) throw failure;
		} catch (error) {
			this.logger.warn(`Monitor ${monitor.id} is read at its next report: ${messageOf(error)}`);
		}
		return {};
	}

	/** Passes on what started the workflow; without it, n8n would start the trigger again in a test. */
	execute = async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [this.getInputData()];
	};
}
