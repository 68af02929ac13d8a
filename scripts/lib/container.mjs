import { spawnSync } from 'node:child_process';
import { Problem } from './say.mjs';

const NAME = 'n8n-web-data-demo';

/**
 * Returns the n8n of a container image such as `docker.n8n.io/n8nio/n8n:next`, in place of one from npm. Removes what a
 * killed demo left running. Throws a Problem if Docker isn't there.
 * @returns {{ image: string; version: string }}
 */
export function containerRuntime(image) {
	const { status, error, stderr } = spawnSync('docker', ['version'], { encoding: 'utf8' });
	if (status !== 0) {
		const why = error ? error.message : stderr.trim();
		throw new Problem(`--image needs Docker, but \`docker version\` fails: ${why}`);
	}
	spawnSync('docker', ['rm', '--force', NAME]);
	return { image, version: /:([\w.-]+)$/.exec(image)?.[1] ?? 'latest' };
}

/**
 * Returns Docker's arguments for running one of n8n's commands: as this user, on this machine's network, in the same
 * user folder.
 */
export function dockerArguments({ image }, command, { userFolder, env }) {
	return [
		...['run', '--rm', '--name', NAME, '--network', 'host'],
		...['--user', `${process.getuid()}:${process.getgid()}`],
		...['--volume', `${userFolder}:${userFolder}`],
		...Object.entries({ ...env, HOME: userFolder }).flatMap(([name, value]) => [
			'--env',
			`${name}=${value}`,
		]),
		image,
		...command,
	];
}
