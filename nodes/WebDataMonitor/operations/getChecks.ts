import { checkShape } from '../../shared/fields/monitorShapes';
import { limitField, returnAllField } from '../../shared/fields/options';
import { choiceField } from '../../shared/form/controls';
import { listedBy } from '../../shared/jobs/monitors';
import type { Operation } from '../../shared/run/operation';
import { monitor } from './fields';

const status = choiceField('checkStatus', 'Check Status', {
	description: 'Only checks with this status',
	default: '',
	choices: [
		['', 'Any'],
		['completed', 'Completed'],
		['partial', 'Partial'],
		['failed', 'Failed'],
		['running', 'Running'],
		['queued', 'Queued'],
		['skipped_overlap', 'Skipped: Overlap', 'The one before it was still running'],
		['skipped_no_credits', 'Skipped: No Credits', 'Newer services only'],
	],
	wire: { in: 'query', as: 'status', open: true },
});

export const getChecks: Operation = {
	name: 'Get Checks of Monitor',
	description: 'Get when a monitor has checked, newest first, and how many pages had changed',
	method: 'GET',
	path: '/v2/monitor/{monitorId}/checks',
	fields: [monitor, status, returnAllField, limitField],
	results: checkShape,
	execute: async (task) => await listedBy(task),
};
