import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, writeJson } from './json-file.mjs';
import { PACKAGE_NAME, ROOT } from './paths.mjs';

const FOLDER = join(ROOT, 'examples');

/** Returns the workflows of `examples/`, as n8n exports them, each with its `file`. */
function examplesByFile() {
	return readdirSync(FOLDER)
		.filter((name) => name.endsWith('.json'))
		.sort()
		.map((file) => ({ file, ...JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) }));
}

/** Returns the workflows of `examples/`, as n8n exports them. */
export const examples = () => examplesByFile().map(({ file: _, ...workflow }) => workflow);

/** Whether a node of an example needs a key of another service. */
export const asksForKey = ({ type }) => /OpenAi$/.test(type);

/** Whether a node of an example can't run before something is chosen from a list. */
const hasOpenChoice = ({ parameters }) =>
	Object.values(parameters).some((value) => value?.__rl === true && value.value === '');

/**
 * Returns the workflows from the easiest to the hardest: first those that need no other service's key, then those that
 * run before anything is chosen, then those with fewer nodes.
 */
export function easiestFirst(workflows) {
	const steps = ({ nodes }) => nodes.filter(({ type }) => !type.endsWith('.stickyNote')).length;
	const keys = ({ nodes }) => nodes.filter(asksForKey).length;
	const choices = ({ nodes }) => nodes.filter(hasOpenChoice).length;
	return workflows.toSorted(
		(a, b) => keys(a) - keys(b) || choices(a) - choices(b) || steps(a) - steps(b),
	);
}

/** Returns the workflow with the credential filled in for each of the package's nodes. */
export function withCredential(workflow, { id, name, type }) {
	return {
		...workflow,
		nodes: workflow.nodes.map((node) =>
			node.type.startsWith(`${PACKAGE_NAME}.`)
				? { ...node, credentials: { [type]: { id, name } } }
				: node,
		),
	};
}

/**
 * Imports the examples under their fixed IDs, the last one first, because n8n shows the newest at the top. An existing
 * one is kept with the user's changes, unless the example itself has changed since. `recordFile` records what was
 * imported.
 */
export async function importExamples(client, workflows, credential, recordFile) {
	const record = readJson(recordFile) ?? {};
	for (const workflow of workflows.toReversed()) {
		const hash = createHash('sha256')
			.update(JSON.stringify([workflow, credential.id]))
			.digest('hex');
		const there = await client.getWorkflow(workflow.id);
		if (there && !there.isArchived && record[workflow.id] === hash) continue;
		await client.saveWorkflow(withCredential(workflow, credential));
		record[workflow.id] = hash;
	}
	writeJson(recordFile, record);
}

/** Where the files of the repository can be read without an account. */
const RAW = 'https://raw.githubusercontent.com/web-data-service/n8n-nodes-web-data-service/main';

/** Returns the table of the examples, with the address from which n8n can import each. */
function exampleTable() {
	const rows = easiestFirst(examplesByFile()).map(({ file, name, nodes }) => {
		const needs = nodes.some(asksForKey) ? 'an OpenAI key' : '';
		return `| [${name}](${file}) | ${needs} | \`${RAW}/examples/${file}\` |`;
	});
	return ['| Example | Needs | Import from URL |', '| --- | --- | --- |', ...rows].join('\n');
}

/** Returns the text of examples/README.md with its table renewed. */
export const examplesPage = (text) =>
	text.replace(
		/(<!-- prettier-ignore-start -->\n)[\s\S]*?(\n<!-- prettier-ignore-end -->)/,
		(_, begin, end) => `${begin}${exampleTable()}${end}`,
	);
