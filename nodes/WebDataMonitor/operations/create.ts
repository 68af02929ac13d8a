import { finishMonitor, monitorFields, monitorOptions } from '../../shared/fields/monitor';
import { monitorShape } from '../../shared/fields/monitorShapes';
import { monitorWebhook } from '../../shared/fields/webhook';
import type { Operation } from '../../shared/run/operation';
import { dataOf } from '../../shared/run/results/response';
import { monitorName } from './fields';

/** Creates a monitor, which costs nothing until its first check (api/beyond.openapi.yaml). */
export const create: Operation = {
	name: 'Create Monitor',
	description:
		'Watch pages, a site or a search on a schedule; the Web Data Monitor Trigger creates its own',
	method: 'POST',
	path: '/v2/monitor',
	fields: [monitorName, ...monitorFields()],
	options: [...monitorOptions, monitorWebhook],
	results: monitorShape,
	check: (form) => finishMonitor(form, form.place),
	split: dataOf,
};
