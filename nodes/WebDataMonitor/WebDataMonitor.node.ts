import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { builderHint, iconOf, operationSubtitle } from '../shared/run/description';
import { operationsPart } from '../shared/run/properties';
import { placeLists } from '../shared/fields/places';
import { searchMonitors } from '../shared/jobs/monitors';
import { testCredential } from '../shared/client/credentialTest';
import { change } from './operations/change';
import { create } from './operations/create';
import { deleteMonitor } from './operations/deleteMonitor';
import { get } from './operations/get';
import { getMany } from './operations/getMany';
import { getChecks } from './operations/getChecks';
import { getPages } from './operations/getPages';
import { run } from './operations/run';

const operations = { create, getMany, get, change, run, getChecks, getPages, deleteMonitor };

export class WebDataMonitor implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Monitor',
		name: 'webDataMonitor',
		icon: iconOf('webDataMonitor'),
		group: ['input'],
		version: 1,
		subtitle: operationSubtitle(operations),
		description: 'Have the service watch pages, sites and searches, and see what has changed',
		defaults: { name: 'Web Data Monitor' },
		usableAsTool: true,
		...builderHint(
			'Manage monitors that the service runs on its own schedule. To start a workflow when something changes, use Web Data Monitor Trigger, which needs no monitor made by this node.',
			{ webDataMonitorTrigger: 'Starts a workflow when a monitor finds a change' },
		),
		...operationsPart(operations),
	};

	methods = {
		credentialTest: { testCredential },
		loadOptions: placeLists,
		listSearch: { searchMonitors },
	};
}
