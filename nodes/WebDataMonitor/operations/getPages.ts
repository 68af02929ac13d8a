import { monitorPageShape, withPrevious } from '../../shared/fields/monitorShapes';
import { limitField, returnAllField } from '../../shared/fields/options';
import { choiceField, textField } from '../../shared/form/controls';
import { checkedId } from '../../shared/form/ids';
import { listedBy } from '../../shared/jobs/monitors';
import type { Operation } from '../../shared/run/operation';
import { monitor } from './fields';

const checkId = textField('checkId', 'Check ID', {
	required: true,
	placeholder: 'e.g. 5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c',
	description: 'The check, by the ID that Get Checks of Monitor and Run Monitor Now return',
	wire: { in: 'path', value: checkedId },
});

const status = choiceField('pageStatus', 'Page Status', {
	description: 'Only pages with this status',
	default: '',
	choices: [
		['', 'Any'],
		['changed', 'Changed'],
		['new', 'New'],
		['removed', 'Removed'],
		['error', 'Failed'],
		['same', 'Unchanged'],
	],
	wire: { in: 'query', as: 'status', open: true },
});

export const getPages: Operation = {
	name: 'Get Pages of Check',
	description: 'Get what a check found on each page, with the changes and whether they matter',
	method: 'GET',
	path: '/v2/monitor/{monitorId}/checks/{checkId}',
	fields: [monitor, checkId, status, returnAllField, limitField],
	results: monitorPageShape,
	execute: async (task) => await listedBy(task, 'data.pages', withPrevious),
};
