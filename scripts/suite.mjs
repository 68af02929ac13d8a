#!/usr/bin/env node
/**
 * Runs a suite of jest tests that everyday work rarely needs, test/<name>.config.js:
 *   npm run test:performance                      what the code costs; needs a quiet machine
 *   npm run test:random                           more random histories than npm test has
 *   npm run test:random -- <jest's options>       jest with these
 */
import { runSuite } from './lib/suite.mjs';

const [name, ...args] = process.argv.slice(2);
await runSuite(name, { args });
