#!/usr/bin/env node
/**
 * Runs before those commands in package.json that start another program: rejects an old Node, and installs what is
 * missing.
 */
import { main } from './lib/main.mjs';

await main();
