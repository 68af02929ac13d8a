import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { builderHint, iconOf, operationSubtitle } from '../shared/run/description';
import { operationsPart } from '../shared/run/properties';
import { testCredential } from '../shared/client/credentialTest';
import { getCredits } from './operations/getCredits';
import { getHistorical } from './operations/getHistorical';
import { getQueueStatus } from './operations/getQueueStatus';
import { listActivity } from './operations/listActivity';

const operations = { getHistorical, getCredits, getQueueStatus, listActivity };

export class WebDataUsage implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Usage',
		name: 'webDataUsage',
		icon: iconOf('webDataUsage'),
		group: ['input'],
		version: 1,
		subtitle: operationSubtitle(operations),
		description: 'See the credits your team has used and has left, and what is running',
		defaults: { name: 'Web Data Usage' },
		usableAsTool: true,
		...builderHint('Get the credits that are left or were used, and recent jobs. Costs nothing.', {
			'n8n-nodes-base.if': 'Stops a workflow when few credits are left',
		}),
		...operationsPart(operations),
	};

	methods = { credentialTest: { testCredential } };
}
