/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { Container } from '@n8n/di';
import { Logger } from '@n8n/backend-common';

import { replaceSleep } from './n8nSleep';

/** How many times as fast the clock and n8n's own pauses go in random runs. */
const FASTER = 400;

/** Makes the clock go faster and keeps n8n's log, until jest restores all mocks. Returns the messages of the log. */
export function runFaster(): string[] {
	const logged: string[] = [];
	const realNow = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => realNow() * FASTER);
	replaceSleep(async (ms, sleep) => await sleep(ms / FASTER));
	const logger = Container.get(Logger);
	for (const level of ['debug', 'info', 'warn', 'error'] as const) {
		jest.spyOn(logger, level).mockImplementation((...[message]) => void logged.push(message));
	}
	return logged;
}
