/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { Container } from '@n8n/di';
import { Logger } from '@n8n/backend-common';

/** How many times as fast the clock of random runs goes, along with n8n's `sleep`, which each test mocks itself. */
const FASTER = 400;

/** Makes the clock go faster and keeps n8n's log, until jest restores all mocks. Returns the messages of the log. */
export function runFaster(): string[] {
	const logged: string[] = [];
	const realNow = performance.now.bind(performance);
	jest.spyOn(performance, 'now').mockImplementation(() => realNow() * FASTER);
	const logger = Container.get(Logger);
	for (const level of ['debug', 'info', 'warn', 'error'] as const) {
		jest.spyOn(logger, level).mockImplementation((...[message]) => void logged.push(message));
	}
	return logged;
}
