'use strict';

const base = require('../jest.config.js');

/** Takes a package from the newest n8n (`runtime/latest`) instead of the one that is installed for development. */
const latest = (name) => [`^${name}(/.*)?$`, `<rootDir>/.cache/n8n-latest/node_modules/${name}$1`];

/** The integration tests in the engine of the newest n8n: `npm run test:latest`. */
module.exports = {
	...base,
	rootDir: '..',
	testMatch: ['<rootDir>/test/integration/**/*.test.ts'],
	moduleNameMapper: Object.fromEntries(['n8n-core', 'n8n-workflow', '@n8n/di'].map(latest)),
};
