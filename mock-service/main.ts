/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { commandLineOf, help } from './commandLine';
import { startService } from './index';

/**
 * Runs the local service as a process, and prints what a client of it needs. Ends on SIGTERM and SIGINT, and when the npm
 * that runs it ends. docs/maintainers/local-service.md explains the options.
 */
async function main(): Promise<void> {
	const parent = process.ppid;
	const { options, isHelp } = commandLineOf(process.argv.slice(2));
	if (isHelp) {
		process.stdout.write(help());
		return;
	}
	const { url, apiKey, close } = await startService(options);
	process.stdout.write(
		`The local service runs. Stop it with Ctrl+C.\n\n  Base URL  ${url}\n  API key   ${apiKey}\n\n`,
	);
	const stop = () => void close().then(() => process.exit(0));
	process.on('SIGTERM', stop);
	process.on('SIGINT', stop);
	// When npm is killed, it does not end what it runs.
	if (process.env.npm_lifecycle_event)
		setInterval(() => process.ppid !== parent && stop(), 1_000).unref();
}

main().catch(({ code, port, message }: Error & { code?: string; port?: number }) => {
	const isInUse = code === 'EADDRINUSE';
	const why = isInUse ? `Port ${port} is in use: choose another with --port` : message;
	process.stderr.write(`${why}\n`);
	process.exit(1);
});
