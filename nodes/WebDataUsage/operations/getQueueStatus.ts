import type { Operation } from '../../shared/run/operation';

export const getQueueStatus: Operation = {
	name: 'Get Queue Status',
	description: "See how many of your team's jobs are running and waiting",
	method: 'GET',
	path: '/v2/team/queue-status',
	fields: [],
};
