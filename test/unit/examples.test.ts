/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../examples');

interface Example {
	nodes: Array<{
		name: string;
		type: string;
		onError?: string;
		position: [number, number];
		parameters: { width?: number; height?: number };
	}>;
	connections: Record<string, Record<string, Array<Array<{ node: string; type: string }>>>>;
}

interface Box {
	name: string;
	x: number;
	y: number;
	width: number;
	height: number;
}

/** Returns the space of each node on n8n's canvas: a node with attachments is wide, an attached one is a circle. */
function boxesOf({ nodes, connections }: Example): Box[] {
	const attached = Object.entries(connections).flatMap(([from, outputs]) =>
		Object.entries(outputs)
			.filter(([type]) => type.startsWith('ai_'))
			.flatMap(([, targets]) => targets.flat().map(({ node }) => ({ from, to: node }))),
	);
	return nodes.map(({ name, position: [x, y], parameters }) => {
		const isWide = attached.some(({ to }) => to === name);
		const isAttached = attached.some(({ from }) => from === name);
		const [wide, side] = isAttached ? [240, 80] : [224, 96];
		// The name is below the node; in a wide one, so are its attachments' names.
		const size = { width: isWide ? wide : side, height: side + 50 };
		return { name, x, y, ...size, ...parameters };
	});
}

const overlap = (one: Box, other: Box) =>
	one.x < other.x + other.width &&
	other.x < one.x + one.width &&
	one.y < other.y + other.height &&
	other.y < one.y + one.height;

const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'));
const exampleIn = (file: string) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Example;

it.each(files)('nodes of an example do not overlap on the canvas: %s', (file) => {
	const boxes = boxesOf(exampleIn(file));
	const pairs = boxes.flatMap((one, index) =>
		boxes.slice(index + 1).map((other) => [one, other] as const),
	);
	const overlapping = pairs.filter(([one, other]) => overlap(one, other));
	expect(overlapping.map((pair) => pair.map(({ name }) => name).join(' / '))).toEqual([]);
});

it('tools of examples continue on errors: else one would end an execution in n8n 1.123', () => {
	const nodes = files.flatMap((file) => exampleIn(file).nodes);
	const tools = nodes.filter(({ type }) => type.endsWith('Tool'));
	expect(tools.length).toBeGreaterThan(0);
	for (const { onError } of tools) expect(onError).toBe('continueRegularOutput');
});
