import { join } from 'node:path';
import { LOGS, ROOT } from './paths.mjs';
import { startProgram, WITH_PARENT } from './programs.mjs';

const API_KEY = 'local-demo-key';

/**
 * Starts the stand-in for the service as a separate program.
 * @param {{ port: number; crawlMs: number; growMs: number; monitorMs: number }} options how long a crawl takes, how
 * often there is something new, and how often monitors check
 * @returns {Promise<{ baseUrl: string; apiKey: string }>} what the credential needs
 */
export async function startLocalService({ port, crawlMs, growMs, monitorMs }) {
	const program = startProgram(
		'The local Web Data Service',
		process.execPath,
		[
			...[...WITH_PARENT, '--import', 'tsx', join(ROOT, 'mock-service', 'main.ts')],
			...['--port', `${port}`, '--api-key', API_KEY],
			...['--crawl-ms', `${crawlMs}`, '--grow-ms', `${growMs}`, '--monitor-ms', `${monitorMs}`],
		],
		{ cwd: ROOT, log: join(LOGS, 'service.log') },
	);
	const [baseUrl] = await program.says(/http:\/\/127\.0\.0\.1:\d+\S*/, 60_000);
	return { baseUrl, apiKey: API_KEY };
}
