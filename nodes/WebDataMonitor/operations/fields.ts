import type { IDataObject } from 'n8n-workflow';

import { jobLocator } from '../../shared/fields/jobLocator';
import { textField } from '../../shared/form/controls';
import { isObject } from '../../shared/base/json';

export const monitor = jobLocator('monitorId', 'Monitor', {
	what: 'monitor',
	listed: 'saved',
	hint: 'The list also has those of triggers, which belong to their workflows',
	searchListMethod: 'searchMonitors',
});

export const monitorName = textField('name', 'Name', {
	required: true,
	placeholder: 'e.g. Prices of Acme',
	description: 'What the monitor is called',
	wire: { maxLength: 256 },
});

/** Returns the monitor or the check in a response. */
export const dataOf = (response: IDataObject): IDataObject[] => [
	isObject(response.data) ? response.data : response,
];
