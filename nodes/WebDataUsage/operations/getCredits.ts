import { splitIntoItems } from '../../shared/fields/options';
import type { Operation } from '../../shared/run/operation';
import { dataOf } from '../../shared/run/results/response';

export const getCredits: Operation = {
	name: 'Get Remaining Credits',
	description: 'Get the credits that are left and the current billing period',
	method: 'GET',
	path: '/v2/team/credit-usage',
	fields: [],
	options: [splitIntoItems],
	resultsKey: 'data',
	split: dataOf,
};
