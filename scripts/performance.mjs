#!/usr/bin/env node
/**
 * Runs the tests of what the code costs, which a busy machine disturbs and everyday work rarely needs:
 *   npm run test:performance                      all of them
 *   npm run test:performance -- <jest's options>  jest with these
 */
import { runSuite } from './lib/suite.mjs';

await runSuite('performance');
