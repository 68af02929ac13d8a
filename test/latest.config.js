'use strict';

const base = require('../jest.config.js');

/** Maps a package to the newest n8n (`runtime/latest`) instead of the one installed for development. */
const latest = (name) => [`^${name}(/.*)?$`, `<rootDir>/.cache/n8n-latest/node_modules/${name}$1`];

/**
 * The integration tests in the engine of the newest n8n, except for those of random runs and of texts, for which any
 * engine will do: `npm run test:latest`.
 */
module.exports = {
	...base,
	rootDir: '..',
	testMatch: [
		'<rootDir>/test/integration/**/!(random*|firstCalls|realShapes|documented|advice|memory).test.ts',
	],
	moduleNameMapper: Object.fromEntries(
		['n8n-core', 'n8n-workflow', '@n8n/di', '@n8n/backend-common'].map(latest),
	),
};
