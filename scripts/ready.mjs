#!/usr/bin/env node
/**
 * Runs before those commands in package.json that start another program: rejects an old Node, and installs what is
 * missing.
 */
import { ensureDependencies } from './lib/dependencies.mjs';
import { endGroupsWithThis } from './lib/groups.mjs';
import { checkNode } from './lib/machine.mjs';
import { sayWhy } from './lib/say.mjs';

try {
	checkNode();
	endGroupsWithThis();
	await ensureDependencies();
} catch (error) {
	sayWhy(error);
	process.exitCode = 1;
}
