import { monitorShape } from '../../shared/fields/monitorShapes';
import type { Operation } from '../../shared/run/operation';
import { dataOf } from '../../shared/run/results/response';
import { monitor } from './fields';

export const get: Operation = {
	name: 'Get Monitor',
	description: 'Get what a monitor watches, its next and last check, and what it may cost a month',
	method: 'GET',
	path: '/v2/monitor/{monitorId}',
	fields: [monitor],
	results: monitorShape,
	split: dataOf,
};
