'use strict';

const base = require('../jest.config.js');

/** What the code costs, apart from what it does: `npm run test:performance`. */
module.exports = {
	...base,
	rootDir: '..',
	testMatch: ['<rootDir>/test/performance/**/*.test.ts'],
	testPathIgnorePatterns: ['/node_modules/'],
};
