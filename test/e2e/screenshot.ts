/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/**
 * Pictures of a node's form in the real editor:
 *   npx tsx test/e2e/screenshot.ts <node type> '<parameters as JSON>' <name> [<height>] [<next node type> …]
 * writes artifacts/<name>.png. Build and pack first: `npm start -- --once`.
 */
import { chain, ours } from './support/flow';
import { Editor } from './support/browser';
import { Lab } from './support/lab';

async function main(args: string[]): Promise<void> {
	const lab = await Lab.open();
	try {
		while (args.length >= 3) {
			const [type, parameters, name, height = '1400'] = args.splice(0, 4);
			const node = ours(type, JSON.parse(parameters));
			const workflow = await lab.save(chain([node]));
			const editor = await Editor.open(lab, { width: 1600, height: Number(height) });
			try {
				await editor.openForm(workflow, node.id);
				await editor.page.waitForTimeout(1500);
			} finally {
				process.stdout.write(`${await editor.screenshot(name)}\n`);
				await editor.close();
			}
		}
	} finally {
		await lab.close();
	}
}

main(process.argv.slice(2)).catch((error: Error) => {
	process.stderr.write(`${error.stack}\n`);
	process.exitCode = 1;
});
