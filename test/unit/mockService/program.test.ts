/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
/** The stand-in as a program: its options, what it says, and its end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { commandLineOf } from '../../../mock-service/commandLine';

const main = join(__dirname, '../../../mock-service/main.ts');

it('says its address and key to a person and that a port is in use, and ends on SIGTERM', async () => {
	const args = ['--import', 'tsx', main, '--port'];
	const first = spawn(process.execPath, [...args, '0', '--api-key', 'a-key']);
	const [said] = (await once(first.stdout, 'data')) as [Buffer];
	const [, url, port] = /Base URL {2}(\S+:(\d+))\n {2}API key {3}a-key\n/.exec(said.toString())!;
	const state = await (await fetch(`${url}/_service/state`)).json();
	expect(state).toMatchObject({ requests: 0, violations: [] });
	const second = spawn(process.execPath, [...args, port]);
	const failed = once(second, 'exit');
	const [complaint] = (await once(second.stderr, 'data')) as [Buffer];
	expect(complaint.toString()).toContain(`Port ${port} is in use: choose another with --port`);
	expect(await failed).toEqual([1, null]);
	const ended = once(first, 'exit');
	first.kill('SIGTERM');
	expect(await ended).toEqual([0, null]);
});

it('ends with the npm that runs it, which passes no signal on', async () => {
	const script = `const { spawn } = require('node:child_process');
		const { pid } = spawn(process.execPath, ['--import', 'tsx', process.argv[1]], { stdio: 'inherit' });
		console.log('pid ' + pid);`;
	const npm = spawn(process.execPath, ['-e', script, main], {
		env: { ...process.env, npm_lifecycle_event: 'service' },
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	let said = '';
	npm.stdout.on('data', (text: Buffer) => (said += text.toString()));
	while (!said.includes('http://')) await wait(50);
	const pid = Number(/pid (\d+)/.exec(said)![1]);
	npm.kill('SIGTERM');
	// Its output also ends when the service has ended.
	const isOver = await Promise.race([
		once(npm.stdout, 'end').then(() => true),
		wait(10_000, undefined, { ref: false }),
	]);
	if (!isOver) process.kill(pid);
	expect(isOver).toBe(true);
});

it.each([
	['--port 3999 --api-key k', { port: 3999, apiKey: 'k' }],
	['--rate-limit 5/60/date', { rateLimit: { requests: 5, perMs: 60, retryAfter: 'date' } }],
	['--false-end --no-activity', { falseEnd: true, activity: false }],
	['--base-path /a', { basePath: '/a' }],
])('reads %s', (line, options) => {
	expect(commandLineOf(line.split(' ')).options).toEqual(options);
});

it.each([
	['--prot 1', "Unknown option '--prot'"],
	['--port abc', '--port is abc, but has to be a whole number'],
	['--rate-limit 50', '--rate-limit is 50, but has to be written like 50/1000 or 50/1000/date'],
])('says what is wrong with %s', (line, complaint) => {
	expect(() => commandLineOf(line.split(' '))).toThrow(complaint);
});
