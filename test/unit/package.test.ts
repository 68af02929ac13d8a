/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';
import type { INode, INodeTypeDescription } from 'n8n-workflow';

import { WebDataServiceApi } from '../../credentials/WebDataServiceApi.credentials';

interface Manifest {
	name: string;
	n8n: { nodes: string[]; credentials: string[]; strict: boolean; n8nNodesApiVersion: number };
	[key: string]: unknown;
}

const ROOT = join(__dirname, '../..');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
const ACTIONS = ['Agent', 'Crawl', 'Extract', 'Monitor', 'Scrape', 'Search', 'Usage'];
const TRIGGERS = ['CrawlTrigger', 'MonitorTrigger', 'SearchTrigger', 'PageTrigger'];

/** Returns the files below a folder of the project, relative to the project; empty if there is no such folder. */
function filesIn(folder: string): string[] {
	if (!existsSync(join(ROOT, folder))) return [];
	return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
		.sort();
}

const isSource = (path: string) => /\.(ts|svg|json)$/.test(path);
const SOURCES = ['nodes', 'credentials', 'icons'].flatMap(filesIn).filter(isSource);
/** The build's output for each source. */
const BUILT = SOURCES.map((path) => join('dist', path.replace(/\.ts$/, '.js')));

function isOutdated(): boolean {
	const changedAt = (path: string) => statSync(join(ROOT, path)).mtimeMs;
	return SOURCES.some((source, index) => {
		const built = BUILT[index];
		// gulp keeps the time of what it copies, so only compiled files can be compared.
		if (!existsSync(join(ROOT, built))) return true;
		return source.endsWith('.ts') && changedAt(source) > changedAt(built);
	});
}

let packed: string[];
beforeAll(() => {
	if (isOutdated()) {
		execFileSync(process.execPath, [join(ROOT, 'node_modules/gulp/bin/gulp.js'), 'build'], {
			cwd: ROOT,
		});
	}
	const [{ files }] = JSON.parse(
		execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
			cwd: ROOT,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		}),
	) as Array<{ files: Array<{ path: string }> }>;
	packed = files.map(({ path }) => path).sort();
});

describe('the package', () => {
	it('ships what n8n needs and nothing else', () => {
		const texts = ['CHANGELOG.md', 'LICENSE', 'README.md'];
		expect(packed).toEqual([...BUILT, ...texts, 'package.json'].sort());
	});

	it('is built when it is packed, though .npmrc keeps scripts from running', () => {
		const folder = mkdtempSync(join(tmpdir(), 'package-'));
		const prepack = `node -e "fs.writeFileSync('built', '')"`;
		const scripts = { ...(manifest.scripts as object), prepack };
		writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, scripts }));
		copyFileSync(join(ROOT, '.npmrc'), join(folder, '.npmrc'));
		mkdirSync(join(folder, 'scripts'));
		writeFileSync(join(folder, 'scripts', 'ready.mjs'), '');
		try {
			execFileSync('npm', ['run', 'package'], { cwd: folder, stdio: 'ignore' });
			expect(existsSync(join(folder, 'built'))).toBe(true);
		} finally {
			rmSync(folder, { recursive: true });
		}
	});
});

describe('the package as n8n loads it', () => {
	const loader = new PackageDirectoryLoader(ROOT);
	beforeAll(async () => await loader.loadAll());
	const description = (name: string) =>
		loader.nodeTypes[name].type.description as INodeTypeDescription;

	it('has the actions and triggers that are named above, and one credential', () => {
		const names = [...ACTIONS, ...TRIGGERS].map((name) => `webData${name}`).sort();
		expect(Object.keys(loader.nodeTypes).sort()).toEqual(names);
		expect(Object.keys(loader.credentialTypes)).toEqual(['webDataServiceApi']);
	});

	it.each([...ACTIONS, ...TRIGGERS])('WebData%s: names, icons and search words', (name) => {
		const node = description(`webData${name}`);
		const { displayName, codex, credentials, iconUrl, usableAsTool } = node;
		const { light, dark } = iconUrl as { light: string; dark: string };
		const icons = [light, dark].map((url) => url.replace(`icons/${manifest.name}/`, ''));
		expect(packed).toEqual(expect.arrayContaining(icons));
		expect(displayName).toBe(`Web Data ${name.replace('Trigger', ' Trigger')}`);
		expect(codex?.categories?.length).toBeGreaterThan(0);
		const aliases = codex?.alias ?? [];
		expect(aliases.length).toBeGreaterThan(2);
		expect(new Set(aliases).size).toBe(aliases.length);
		// n8n finds the letters of longer ones in the words for other nodes.
		expect(aliases.filter((alias) => alias.length > 80)).toEqual([]);
		expect(Object.keys(codex?.resources ?? {})).toEqual(
			expect.arrayContaining(['credentialDocumentation', 'primaryDocumentation']),
		);
		expect(credentials).toMatchObject([{ name: 'webDataServiceApi', required: true }]);
		expect(usableAsTool).toBe(TRIGGERS.includes(name) ? undefined : true);
		const file = `nodes/WebData${name}/WebData${name}.node.json`;
		const { node: codexName } = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as INode & {
			node: string;
		};
		expect(codexName).toBe(`${manifest.name}.webData${name}`);
	});
});

it('the credential hides the key and sends it as a bearer token', async () => {
	const credential = new WebDataServiceApi();
	const key = credential.properties.find(({ name }) => name === 'apiKey');
	expect(key).toMatchObject({ required: true, typeOptions: { password: true } });
	const options = { url: 'https://api.example.com', headers: { accept: 'text/plain' } };
	expect(await credential.authenticate({ apiKey: 'k' }, options)).toEqual({
		url: 'https://api.example.com',
		headers: { accept: 'text/plain', Authorization: 'Bearer k' },
	});
});
