/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { commandLineOf, help, why } from './commandLine';
import { startService, type LocalService } from './index';

/**
 * Runs the local service as a process: prints its URL on one line or, with --say, everything a user needs to know. Ends
 * on SIGTERM and SIGINT, and when the npm that runs it ends. docs/maintainers/local-service.md explains the options.
 */
async function main(): Promise<void> {
	const parent = process.ppid;
	const { options, isHelp, isSaid } = commandLineOf(process.argv.slice(2));
	if (isHelp) {
		process.stdout.write(help());
		return;
	}
	const service = await startService(options);
	process.stdout.write(isSaid ? said(service) : `${service.url}\n`);
	const stop = () => void service.close().then(() => process.exit(0));
	process.on('SIGTERM', stop);
	process.on('SIGINT', stop);
	// When npm is killed, it does not end what it runs.
	if (process.env.npm_lifecycle_event)
		setInterval(() => process.ppid !== parent && stop(), 1_000).unref();
}

function said({ url, apiKey }: LocalService): string {
	return `The local service runs. Stop it with Ctrl+C.\n\n  Base URL  ${url}\n  API key   ${apiKey}\n\n`;
}

main().catch((error: Error) => {
	process.stderr.write(`${why(error)}\n`);
	process.exit(1);
});
