'use strict';

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	testMatch: ['<rootDir>/test/**/*.test.ts'],
	// Copies of the project: those that mutation testing works in, and packed ones.
	modulePathIgnorePatterns: ['<rootDir>/.stryker-tmp/', '<rootDir>/.cache/'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
	transform: { '^.+\\.ts$': 'ts-jest' },
	testTimeout: 30_000,
	// By default jest leaves one core unused: on a machine of two, the tests would take twice as long.
	maxWorkers: '100%',
	// Request timeouts that outlive an aborted request would keep a finished run waiting for minutes.
	forceExit: true,
};
