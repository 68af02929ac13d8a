import { goal, laterOptions, scheduleFields, withTimezone } from '../../shared/fields/monitor';
import { monitorShape } from '../../shared/fields/monitorShapes';
import { monitorWebhook } from '../../shared/fields/webhook';
import { invalid } from '../../shared/form/checks';
import { choiceField } from '../../shared/form/controls';
import { isNothing } from '../../shared/base/json';
import type { Operation } from '../../shared/run/operation';
import { dataOf, monitor, monitorName } from './fields';

const status = choiceField('status', 'Status', {
	default: 'keep',
	description: 'Whether the service checks on schedule',
	choices: [
		['keep', 'Keep'],
		['active', 'Active', 'Resume a paused monitor'],
		['paused', 'Paused', 'No checks and no costs until it is resumed'],
	],
	wire: { value: (chosen) => (chosen === 'keep' ? undefined : chosen) },
});

/** Changes what is filled in. */
export const change: Operation = {
	name: 'Change Monitor',
	value: 'change',
	action: 'Change monitor',
	description: 'Pause or resume a monitor, or change its goal or schedule',
	method: 'PATCH',
	path: '/v2/monitor/{monitorId}',
	fields: [monitor, status, goal, ...scheduleFields],
	options: [{ ...monitorName, required: undefined }, ...laterOptions, monitorWebhook],
	results: monitorShape,
	check: ({ body, place }) => {
		if (isNothing(body)) {
			const remedy = 'Choose a Status, or fill in what to change.';
			throw invalid({ ...place, labels: ['Change Monitor'] }, 'changes nothing', remedy);
		}
		withTimezone(body, place);
	},
	split: dataOf,
};
