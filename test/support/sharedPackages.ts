/* eslint-disable @n8n/community-nodes/no-restricted-globals */
declare global {
	/** Node's own `require`, set by the environment of tests. */
	var sharedRequire: NodeJS.Require;
}

/** The packages that the test files of a worker share: n8n's engine alone takes most of a second to load. */
const SHARED = [
	'n8n-core',
	'n8n-core/dist/execution-engine/ssh-clients-manager',
	'n8n-core/dist/nodes-loader/constants',
	'n8n-workflow',
	'@n8n/di',
	'@n8n/backend-common',
	'reflect-metadata',
	'fastify',
	'ajv',
	'ajv/dist/2020',
	'ajv-formats',
	'js-yaml',
	'zod4',
	'zod4/v3',
];

for (const name of SHARED) jest.mock(name, () => globalThis.sharedRequire(require.resolve(name)));

export {};
