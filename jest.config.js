'use strict';

// n8n-core would write what nodes log between the results.
process.env.N8N_LOG_LEVEL = 'silent';

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	// Copies of the project: those that mutation testing works in, and packed ones.
	modulePathIgnorePatterns: ['<rootDir>/.stryker-tmp/', '<rootDir>/.cache/'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	transform: { '^.+\\.ts$': ['ts-jest', { tsconfig: 'tsconfig.check.json' }] },
	// Only what hangs takes longer, also on a busy machine.
	testTimeout: 120_000,
	// By default jest leaves one core unused: on a machine of two, the tests would take twice as long.
	maxWorkers: '100%',
	// Tests leave nothing open, but after a run on a busy machine Node went on though no timer or socket was left.
	forceExit: true,
};
