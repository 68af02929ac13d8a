'use strict';

const { availableParallelism } = require('node:os');

// n8n-core would print what nodes log between the results.
process.env.N8N_LOG_LEVEL = 'silent';

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/support/sharedRealm.ts',
	setupFiles: ['<rootDir>/test/support/sharedPackages.ts'],
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	// Copies of the project: those of mutation testing, and packed ones.
	modulePathIgnorePatterns: ['<rootDir>/.stryker-tmp/', '<rootDir>/.cache/'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(e2e|performance)/'],
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.check.json' }] },
	// Only tests that hang take longer, even on a busy machine.
	testTimeout: 120_000,
	// Tests wait for nearly half of their time, so two cores are busy with four workers. Jest's default is one.
	maxWorkers: availableParallelism() + 2,
	// Tests leave nothing open, but on a busy machine Node kept running after them although no timer or socket was left.
	forceExit: true,
};
