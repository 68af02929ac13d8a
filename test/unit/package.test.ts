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

	it('has no dependency but the n8n it runs in, and nothing that runs at installation', () => {
		expect(manifest).not.toHaveProperty('dependencies');
		expect(manifest).not.toHaveProperty('optionalDependencies');
		expect(manifest).not.toHaveProperty('bundleDependencies');
		expect(manifest).not.toHaveProperty('overrides');
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		const scripts = Object.keys(manifest.scripts as object);
		expect(scripts.filter((name) => /install|prepare|prepublish/.test(name))).toEqual([]);
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

	it('says of itself what n8n asks for', () => {
		expect(manifest.name).toBe('n8n-nodes-web-data-service');
		expect(manifest.keywords).toContain('n8n-community-node-package');
		expect(manifest.n8n).toMatchObject({ n8nNodesApiVersion: 1, strict: true });
		expect(manifest).toMatchObject({
			license: 'MIT',
			author: { name: expect.any(String), email: expect.any(String) },
			homepage: expect.stringMatching(/^https:/),
			repository: { type: 'git' },
		});
	});

	it('registers every node and credential once', () => {
		const named = (end: string) => BUILT.filter((path) => path.endsWith(end)).sort();
		expect([...manifest.n8n.nodes].sort()).toEqual(named('.node.js'));
		expect([...manifest.n8n.credentials].sort()).toEqual(named('.credentials.js'));
	});

	it('imports nothing but n8n-workflow and its own files', () => {
		const isForeign = (from: string) => from !== 'n8n-workflow' && !from.startsWith('.');
		const foreign = BUILT.filter((path) => path.endsWith('.js')).flatMap((path) =>
			[...readFileSync(join(ROOT, path), 'utf8').matchAll(/\brequire\(["']([^"']+)["']\)/g)]
				.map(([, from]) => from)
				.filter(isForeign)
				.map((from) => `${path}: ${from}`),
		);
		expect(foreign).toEqual([]);
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
		const { displayName, codex, iconUrl, credentials, usableAsTool } = description(
			`webData${name}`,
		);
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
		for (const url of Object.values(iconUrl as { light: string; dark: string })) {
			const path = url.replace(`icons/${manifest.name}/`, '');
			expect(packed).toContain(path);
			expect(readFileSync(join(ROOT, path), 'utf8')).toContain('<svg');
		}
		expect(credentials).toMatchObject([{ name: 'webDataServiceApi', required: true }]);
		expect(usableAsTool).toBe(TRIGGERS.includes(name) ? undefined : true);
		const file = `nodes/WebData${name}/WebData${name}.node.json`;
		const { node: codexName } = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as INode & {
			node: string;
		};
		expect(codexName).toBe(`${manifest.name}.webData${name}`);
	});

	it('has the credential with its icon, for all nodes', () => {
		const { type } = loader.credentialTypes.webDataServiceApi;
		expect([...(type.supportedNodes ?? [])].sort()).toEqual(Object.keys(loader.nodeTypes).sort());
		for (const url of Object.values(type.iconUrl as { light: string; dark: string })) {
			expect(packed).toContain(url.replace(`icons/${manifest.name}/`, ''));
		}
	});
});

describe('the credential', () => {
	const credential = new WebDataServiceApi();

	it('hides the key and sends it as a bearer token', async () => {
		const key = credential.properties.find(({ name }) => name === 'apiKey');
		expect(key).toMatchObject({ required: true, typeOptions: { password: true } });
		const options = { url: 'https://api.example.com', headers: { accept: 'text/plain' } };
		expect(await credential.authenticate({ apiKey: 'k' }, options)).toEqual({
			url: 'https://api.example.com',
			headers: { accept: 'text/plain', Authorization: 'Bearer k' },
		});
	});

	it.each([' k', 'k\n', 'Bearer k', ' bearer  k '])(
		'sends a key pasted as %j bare',
		async (apiKey) => {
			const { headers } = await credential.authenticate(
				{ apiKey },
				{ url: 'https://api.example.com' },
			);
			expect(headers).toEqual({ Authorization: 'Bearer k' });
		},
	);

	it('ignores SSL issues of the service only if it says so', async () => {
		const options = { url: 'https://api.example.com' };
		const sent = async (ignoreSslIssues: unknown) =>
			await credential.authenticate({ apiKey: 'k', ignoreSslIssues } as never, options);
		expect(await sent(true)).toHaveProperty('skipSslCertificateValidation', true);
		for (const no of [false, undefined, 'false', '']) {
			expect(await sent(no)).not.toHaveProperty('skipSslCertificateValidation');
		}
	});
});
