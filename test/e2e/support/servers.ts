/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../../scripts/lib/machine.mjs';
import { startProgram } from '../../../scripts/lib/programs.mjs';

const START_MS = 30_000;
const POSTGRES_HOME = '/usr/lib/postgresql';

/** A program of the system on a port of 127.0.0.1. `stop()` ends it and removes its data. */
export interface Server {
	port: number;
	stop: () => Promise<void>;
}

function dataFolder(name: string): string {
	return mkdtempSync(join(tmpdir(), `${name}-e2e-`));
}

export async function startRedis(): Promise<Server> {
	const folder = dataFolder('redis');
	const port = await freePort();
	const flags = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder];
	const program = startProgram('Redis', 'redis-server', flags, { log: join(folder, 'redis.log') });
	await program.says(/Ready to accept connections/, START_MS);
	return {
		port,
		stop: async () => {
			await program.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** PostgreSQL with a database `n8n` of a user `n8n`; it refuses to run as root, so then its own user runs it. */
export async function startPostgres(): Promise<Server> {
	const [version] = existsSync(POSTGRES_HOME) ? readdirSync(POSTGRES_HOME).sort().reverse() : [];
	if (version === undefined)
		throw new Error(`No PostgreSQL in ${POSTGRES_HOME}: install postgresql`);
	const bin = (name: string) => join(POSTGRES_HOME, version, 'bin', name);
	const asUser = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];
	const folder = dataFolder('postgres');
	const data = join(folder, 'data');
	mkdirSync(data);
	if (asUser.length > 0) {
		chmodSync(folder, 0o755);
		execFileSync('chown', ['postgres', data]);
	}
	const run = (name: string, ...args: string[]) => {
		const [command, ...rest] = [...asUser, bin(name), ...args];
		execFileSync(command, rest, { stdio: 'pipe', cwd: data });
	};
	run('initdb', '-D', data, '-U', 'n8n', '-A', 'trust', '-E', 'UTF8', '--no-sync');
	const port = await freePort();
	const settings = [
		`port=${port}`,
		'listen_addresses=127.0.0.1',
		`unix_socket_directories=${data}`,
	];
	const [command, ...args] = [
		...asUser,
		bin('postgres'),
		...['-D', data],
		...[...settings, 'fsync=off'].flatMap((setting) => ['-c', setting]),
	];
	const program = startProgram('PostgreSQL', command, args, { log: join(folder, 'postgres.log') });
	await program.says(/ready to accept connections/, START_MS);
	run('createdb', '-h', '127.0.0.1', '-p', `${port}`, '-U', 'n8n', 'n8n');
	return {
		port,
		stop: async () => {
			await program.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}

/** Returns the variables of an n8n in queue mode, for the main process and its workers. */
export const queueMode = (redis: Server, postgres: Server): Record<string, string> => ({
	EXECUTIONS_MODE: 'queue',
	QUEUE_BULL_REDIS_HOST: '127.0.0.1',
	QUEUE_BULL_REDIS_PORT: String(redis.port),
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: '127.0.0.1',
	DB_POSTGRESDB_PORT: String(postgres.port),
	DB_POSTGRESDB_DATABASE: 'n8n',
	DB_POSTGRESDB_USER: 'n8n',
	N8N_ENCRYPTION_KEY: 'shared-by-main-and-workers',
});
