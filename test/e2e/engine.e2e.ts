/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** Flows on Engine 2.0, n8n's next way to run workflows. It needs PostgreSQL. */
import { after, before, describe } from 'node:test';

import { freePort } from '../../scripts/lib/machine.mjs';
import { runsCoreFlows } from './support/coreFlows';
import { Lab } from './support/lab';
import { type Server, startPostgres } from './support/servers';

let postgres: Server;
let lab: Lab;

before(async () => {
	postgres = await startPostgres();
	lab = await Lab.open({
		service: { crawlMs: 300, jobMs: 300 },
		env: {
			N8N_ENABLED_MODULES: 'engine-v2',
			N8N_ENGINE_DATABASE_URL: `postgres://n8n@127.0.0.1:${postgres.port}/n8n`,
			N8N_ENGINE_HOST: '127.0.0.1',
			N8N_ENGINE_PORT: `${await freePort()}`,
			N8N_ENGINE_CONTROL_PLANE_PORT: `${await freePort()}`,
		},
	});
});

after(async () => {
	await lab?.close();
	await postgres?.stop();
});

describe('Engine 2.0 runs', () => {
	// Only Engine 2.0 has such IDs.
	runsCoreFlows(() => lab, 'v2', /^[0-9a-f]+-/);
});
