/**
 * Loads nodes as n8n does and prints what that costs: node load.cjs <file of a node> …
 * The output is JSON: ms for all, and the bytes of each description. n8n-workflow is found through NODE_PATH.
 */
const { basename, join } = require('node:path');

// n8n loads it long before any node. The one beside this file is another one.
require(join(process.env.NODE_PATH, 'n8n-workflow'));
const start = performance.now();
const nodes = process.argv.slice(2).map((file) => {
	const name = basename(file, '.node.js');
	const node = new (require(file)[name])();
	return { name, node: node.nodeVersions?.[node.currentVersion] ?? node };
});
const ms = performance.now() - start;
const bytes = nodes.map(({ name, node }) => [name, JSON.stringify(node.description).length]);
process.stdout.write(JSON.stringify({ ms, bytes: Object.fromEntries(bytes) }));
