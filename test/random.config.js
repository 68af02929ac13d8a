'use strict';

const base = require('../jest.config.js');

// Sixteen times as many histories as in everyday work, unless told otherwise.
process.env.MORE_SEEDS ??= '16';

/** Random histories, runs and responses: `npm run test:random`. */
module.exports = {
	...base,
	rootDir: '..',
	testMatch: [
		'<rootDir>/test/**/{model,histories,lineDiff,faults,anyValues}.test.ts',
		'<rootDir>/test/unit/pageTrigger/newPages.test.ts',
		'<rootDir>/test/integration/{batch,random*}.test.ts',
	],
};
