import { jobLocator } from '../../shared/fields/jobLocator';
import { textField } from '../../shared/form/controls';

export const monitor = jobLocator('monitorId', 'Monitor', {
	what: 'monitor',
	listed: 'saved',
	hint: 'The list also has those of triggers, which belong to their workflows',
	searchListMethod: 'searchMonitors',
});

export const monitorName = textField('name', 'Name', {
	description: 'What the monitor is called',
	required: true,
	placeholder: 'e.g. Prices of Acme',
	wire: { maxLength: 256 },
});
