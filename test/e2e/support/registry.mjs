import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { run } from '../../../scripts/lib/command.mjs';

/**
 * Starts a package registry in memory, on 127.0.0.1: packages published there can be installed from there.
 * @returns {Promise<{ url: string; close: () => void }>}
 */
export async function startRegistry() {
	/** Path → what npm sent when publishing, with all versions merged, or a tarball. */
	const files = new Map();
	const publish = ({ _attachments, ...sent }) => {
		const before = files.get(sent.name);
		const merged = (key) => ({ ...before?.[key], ...sent[key] });
		files.set(sent.name, {
			...sent,
			versions: merged('versions'),
			'dist-tags': merged('dist-tags'),
		});
		for (const [file, { data }] of Object.entries(_attachments)) {
			files.set(`${sent.name}/-/${file}`, Buffer.from(data, 'base64'));
		}
		return { ok: true };
	};
	const server = createServer((request, response) => {
		void (async () => {
			const path = decodeURIComponent(request.url).slice(1);
			const found = request.method === 'PUT' ? publish(await json(request)) : files.get(path);
			response.writeHead(found ? 200 : 404);
			response.end(Buffer.isBuffer(found) ? found : JSON.stringify(found ?? {}));
		})();
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${server.address().port}`,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

/**
 * Returns environment variables that make n8n install from this registry; npm caches packages in `folder`. n8n asks its
 * npm for the public registry, because any other requires a license, so its npm is a script that replaces that.
 */
export function behind({ url }, folder) {
	const npm = join(folder, 'npm');
	const { PATH } = process.env;
	mkdirSync(folder, { recursive: true });
	writeFileSync(
		npm,
		`#!/bin/sh
PATH='${PATH}'
for arg; do
	shift
	case "$arg" in --registry=*) arg='--registry=${url}' ;; esac
	set -- "$@" "$arg"
done
exec npm "$@"
`,
	);
	chmodSync(npm, 0o755);
	return {
		PATH: `${folder}:${PATH}`,
		// What n8n itself would look up in the public registry fails, and it asks npm instead.
		HTTPS_PROXY: 'http://127.0.0.1:9',
		NO_PROXY: '127.0.0.1,localhost',
		npm_config_registry: url,
		npm_config_cache: join(folder, 'cache'),
	};
}

/** Publishes an archive, or a package's folder, unchanged. */
export const publish = async (made, { url }) =>
	await run(
		'npm',
		['publish', made, '--ignore-scripts', '--provenance=false', '--registry', url].concat([
			`--${url.replace('http:', '')}/:_authToken=rehearsal`,
		]),
		{ cwd: tmpdir() },
	);
