'use strict';

const base = require('../jest.config.js');

// Four times as many histories as in everyday work, unless told otherwise.
process.env.MORE_SEEDS ??= '4';

/** Random histories, runs and responses: `npm run test:random`. */
module.exports = {
	...base,
	rootDir: '..',
	testMatch: [
		'<rootDir>/test/**/{model,histories,lineDiff,faults,newPages,anyValues,holes}.test.ts',
		'<rootDir>/test/integration/{batch,random*}.test.ts',
	],
};
