import { checkShape } from '../../shared/fields/monitorShapes';
import { UNKNOWN_PRICE } from '../../shared/fields/prices';
import type { Operation } from '../../shared/run/operation';
import { dataOf } from '../../shared/run/results/response';
import { monitor } from './fields';

/** Starts a check; the response doesn't say yet what it costs. */
export const run: Operation = {
	name: 'Run Monitor Now',
	description: 'Start a check, at its usual price; Get Pages of Check has what it found',
	method: 'POST',
	path: '/v2/monitor/{monitorId}/run',
	fields: [monitor],
	results: checkShape,
	price: () => UNKNOWN_PRICE,
	split: dataOf,
};
