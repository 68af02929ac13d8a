/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { generatedDocs, pageOf } from '../../scripts/lib/generatedDocs';
import { actionNodes } from '../../scripts/lib/nodes';

const ROOT = join(__dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
/** Returns the actions that a page tells people to choose. */
const actionsIn = (file: string) =>
	[...read(file).matchAll(/action _([^_]+)_/g)].map(([, action]) => action);

it('the generated tables of README.md and docs/ are those of the forms (renew them: npm run docs)', () => {
	const stale = generatedDocs(read).filter(({ file, text }) => text !== read(file));
	expect(stale.map(({ file }) => `${file}: run npm run docs`)).toEqual([]);
});

it('a part that nothing makes is an error, not an empty table', () => {
	const page = '<!-- generated: nonsense -->\n<!-- end -->\n';
	expect(() => generatedDocs(() => page)).toThrow('nothing makes the part nonsense');
});

it('the actions that docs/ names are those that n8n lists', () => {
	const pages = readdirSync(join(ROOT, 'docs')).filter((file) => file.endsWith('.md'));
	const forms = JSON.stringify(actionNodes().map(({ description }) => description.properties));
	const named = pages.flatMap((file) => actionsIn(`docs/${file}`));
	expect(named.filter((action) => !forms.includes(`"action":"${action}"`))).toEqual([]);
});

it('the page of each node with actions says which one to begin with', () => {
	const pages = actionNodes().map(pageOf);
	const silent = pages.filter((file) => actionsIn(file).length === 0);
	expect(silent.map((file) => `${file}: write "choose the action _…_"`)).toEqual([]);
});

it('the pages that n8n links to are there, with the headings', () => {
	const files = readdirSync(join(ROOT, 'nodes'), { recursive: true, encoding: 'utf8' });
	const codex = files.filter((file) => file.endsWith('.node.json')).map((file) => `nodes/${file}`);
	const texts = [...codex, 'credentials/WebDataServiceApi.credentials.ts'].map(read).join();
	const links = texts.matchAll(
		/n8n-nodes-web-data-service(?:\/blob\/main\/([\w/-]+\.md))?(?:#([\w-]+))?['"]/g,
	);
	const headingsOf = (page: string) =>
		[...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
			heading
				.toLowerCase()
				.replace(/[^\w -]/g, '')
				.replace(/ /g, '-'),
		);
	const found = [...links].map(([, page = 'README.md', heading]) => [page, heading]);
	expect(found.length).toBeGreaterThan(2 * actionNodes().length);
	const broken = found.filter(
		([page, heading]) => heading !== undefined && !headingsOf(page).includes(heading),
	);
	expect(broken).toEqual([]);
});
