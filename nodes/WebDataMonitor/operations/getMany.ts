import { limitField, returnAllField } from '../../shared/fields/options';
import { monitorShape } from '../../shared/fields/monitorShapes';
import { MONITORS, listedBy } from '../../shared/jobs/monitors';
import type { Operation } from '../../shared/run/operation';

export const getMany: Operation = {
	name: 'Get Many Monitors',
	description: "Get your team's monitors, with what each may cost a month",
	method: 'GET',
	path: MONITORS,
	fields: [returnAllField, limitField],
	results: monitorShape,
	execute: async (task) => await listedBy(task),
};
