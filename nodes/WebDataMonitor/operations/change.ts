import { changeOptions, goal, newSchedule, withTimezone } from '../../shared/fields/monitor';
import { monitorShape } from '../../shared/fields/monitorShapes';
import { monitorWebhook } from '../../shared/fields/webhook';
import { invalid } from '../../shared/form/checks';
import { choiceField } from '../../shared/form/controls';
import type { Operation } from '../../shared/run/operation';
import { dataOf } from '../../shared/run/results/response';
import { monitor, monitorName } from './fields';

const status = choiceField('status', 'Status', {
	default: 'keep',
	description: 'Whether the service checks on schedule',
	choices: [
		['keep', 'Keep'],
		['active', 'Active', 'Resume a paused monitor'],
		['paused', 'Paused', 'No checks, and no costs, until it is resumed'],
	],
});

export const change: Operation = {
	name: 'Change Monitor',
	description: 'Pause or resume a monitor, or change its goal or schedule',
	method: 'PATCH',
	path: '/v2/monitor/{monitorId}',
	fields: [monitor, status, goal, newSchedule],
	options: [{ ...monitorName, required: undefined }, ...changeOptions, monitorWebhook],
	results: monitorShape,
	check: ({ body, place }) => {
		withTimezone(body, place);
		if (Object.keys(body).length > 0) return;
		const remedy = 'Choose a Status, or fill in Goal, New Schedule or an option.';
		throw invalid({ ...place, labels: ['Change Monitor'] }, 'changes nothing', remedy);
	},
	split: dataOf,
};
