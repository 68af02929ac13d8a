import { withId } from '../../shared/jobs/job';
import type { Operation } from '../../shared/run/operation';
import { monitor } from './fields';

export const deleteMonitor: Operation = {
	name: 'Delete Monitor',
	description: 'Delete a monitor, so that it neither checks nor costs anything any more',
	method: 'DELETE',
	path: '/v2/monitor/{monitorId}',
	fields: [monitor],
	split: (response, { value }) => [withId(value(monitor), response)],
};
