import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './command.mjs';

/** Creates a certificate for no particular host; its users are told not to check it. */
function selfSigned() {
	const folder = mkdtempSync(join(tmpdir(), 'registry-'));
	const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name));
	execFileSync(
		'openssl',
		'req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=rehearsal'
			.split(' ')
			.concat(['-keyout', key, '-out', cert]),
		{ stdio: 'ignore' },
	);
	const files = { key: readFileSync(key), cert: readFileSync(cert) };
	rmSync(folder, { recursive: true, force: true });
	return files;
}

async function bodyOf(request) {
	const chunks = [];
	for await (const chunk of request) chunks.push(chunk);
	return JSON.parse(Buffer.concat(chunks).toString());
}

const listen = (server) =>
	new Promise((resolve) => {
		server.listen(0, '127.0.0.1', () => resolve(server.address().port));
	});

/**
 * Starts a package registry in memory, on 127.0.0.1: packages published there can be installed from there. n8n only
 * uses the public registry, because any other requires a license, so there is also a proxy behind which every HTTPS
 * host is this registry.
 * @returns {Promise<{ url: string; proxy: string; requests: string[]; close: () => void }>}
 */
export async function startRegistry() {
	/** Name → what npm sent when publishing, with all versions and tarballs merged. */
	const packages = new Map();
	const requests = [];

	const publish = async (name, request) => {
		const sent = await bodyOf(request);
		const before = packages.get(name) ?? { versions: {}, tarballs: {}, 'dist-tags': {} };
		packages.set(name, {
			versions: { ...before.versions, ...sent.versions },
			tarballs: { ...before.tarballs, ...sent._attachments },
			'dist-tags': { ...before['dist-tags'], ...sent['dist-tags'] },
		});
		return { ok: true };
	};

	const respond = async (request, response, root) => {
		const path = decodeURIComponent(new URL(request.url, root).pathname).slice(1);
		requests.push(`${request.method} ${root}/${path}`);
		const [name, version, file] = path.split('/');
		const known = packages.get(name);
		const reply = (status, body) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(body));
		};
		if (request.method === 'PUT') return reply(201, await publish(name, request));
		if (!known) return reply(404, { error: 'not found' });
		if (version === '-') {
			response.writeHead(200, { 'content-type': 'application/octet-stream' });
			return response.end(Buffer.from(known.tarballs[file].data, 'base64'));
		}
		if (version !== undefined) {
			const manifest = known.versions[version];
			return manifest ? reply(200, manifest) : reply(404, { error: 'no such version' });
		}
		const versions = Object.fromEntries(
			Object.entries(known.versions).map(([number, manifest]) => [
				number,
				{
					...manifest,
					dist: { ...manifest.dist, tarball: `${root}/${name}/-/${name}-${number}.tgz` },
				},
			]),
		);
		return reply(200, { name, 'dist-tags': known['dist-tags'], versions });
	};

	const plain = createHttpServer((request, response) => {
		void respond(request, response, `http://${request.headers.host}`);
	});
	const secure = createTlsServer(selfSigned(), (request, response) => {
		void respond(request, response, `https://${request.headers.host}`);
	});
	const [port, securePort] = await Promise.all([listen(plain), listen(secure)]);
	plain.on('connect', (_request, client) => {
		const upstream = connect(securePort, '127.0.0.1', () => {
			client.write('HTTP/1.1 200 OK\r\n\r\n');
			upstream.pipe(client).pipe(upstream);
		});
		upstream.on('error', () => client.destroy());
		client.on('error', () => upstream.destroy());
	});
	const url = `http://127.0.0.1:${port}`;
	return {
		url,
		proxy: url,
		requests,
		close() {
			for (const server of [plain, secure]) {
				server.closeAllConnections();
				server.close();
			}
		},
	};
}

/**
 * Returns environment variables that make n8n and its npm install from this registry; npm caches packages in `cache`.
 */
export const behind = ({ proxy }, cache) => ({
	HTTPS_PROXY: proxy,
	https_proxy: proxy,
	NO_PROXY: '127.0.0.1,localhost',
	no_proxy: '127.0.0.1,localhost',
	NODE_TLS_REJECT_UNAUTHORIZED: '0',
	npm_config_strict_ssl: 'false',
	npm_config_cache: cache,
});

/** Publishes an archive, or a package's folder, unchanged. */
export const publish = async (made, { url }) =>
	await run(
		'npm',
		['publish', made, '--ignore-scripts', '--provenance=false', '--registry', url].concat([
			`--${url.replace('http:', '')}/:_authToken=rehearsal`,
		]),
		{ cwd: tmpdir() },
	);
