/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../examples');

interface Example {
	nodes: Array<{ type: string; onError?: string }>;
}

const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
const exampleIn = (file: string) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Example;

it('tools of examples continue on errors: else one would end an execution in n8n 1.123', () => {
	const nodes = files.flatMap((file) => exampleIn(file).nodes);
	const tools = nodes.filter(({ type }) => type.endsWith('Tool'));
	expect(tools.length).toBeGreaterThan(0);
	for (const { onError } of tools) expect(onError).toBe('continueRegularOutput');
});
