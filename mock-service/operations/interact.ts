import { PRICES } from '../../nodes/shared/fields/prices';
import { failure, notFound, ok, type ServiceResponse } from '../response';
import { paid, type Context } from './context';

const BUSY =
	'Another session is writing to this profile, and only one may at a time. Open it with saveChanges: false, or try later.';

/**
 * Acts in a browser. Opening it bills the first minute; the first prompt bills the difference to the price of a prompt.
 */
export function interact(context: Context): ServiceResponse {
	const { state, id, body, fileUrl } = context;
	const { prompt, code = '' } = body as { prompt?: string; code?: string };
	const scrape = state.sessions.find(id);
	if (!scrape) return notFound('Job');
	const { browser = { openedAt: Date.now(), credits: 0 } } = scrape;
	if (scrape.browser && !state.sessions.isOpen(scrape)) {
		return failure(410, 'Browser session has been destroyed.');
	}
	if (!scrape.browser && state.sessions.isProfileBusy(scrape)) return failure(409, BUSY);
	const credits = Math.max(
		0,
		(prompt === undefined ? PRICES.codeMinute : PRICES.promptMinute) - browser.credits,
	);
	return paid(context, 'interact', credits, () => {
		scrape.browser = browser;
		browser.credits += credits;
		return ok({
			success: true,
			...(prompt === undefined ? ranCode(code, scrape.url) : followed(prompt, scrape.url)),
			liveViewUrl: fileUrl(`live-${id}`),
			interactiveLiveViewUrl: fileUrl(`live-${id}-interactive`),
			cdpUrl: `wss://browser.example/${id}`,
		});
	});
}

const followed = (prompt: string, url: string) => ({
	output: `Done at ${url}: ${prompt}`,
	result: `- document "${url}"`,
	stdout: `- document "${url}"`,
	stderr: '',
	exitCode: 0,
	killed: false,
});

/** Returns the result of code. The code fails if it contains `throw`, and never ends if it contains `forever`. */
function ranCode(code: string, url: string) {
	const thrown = /throw new Error\(['"](.*?)['"]\)/.exec(code)?.[1];
	const killed = code.includes('forever');
	if (thrown === undefined && !killed) {
		return { result: `At ${url}`, stdout: `At ${url}`, stderr: '', exitCode: 0, killed };
	}
	const stderr = thrown === undefined ? '' : `Error: ${thrown}\n    at <anonymous>:1:7`;
	return { stdout: 'Begun', stderr, exitCode: killed ? 137 : 1, killed, error: stderr || 'Killed' };
}

export function stopInteraction({ state, id }: Context): ServiceResponse {
	const scrape = state.sessions.find(id);
	if (!scrape?.browser || !state.sessions.isOpen(scrape)) {
		return failure(404, 'Browser session not found.');
	}
	const { openedAt, credits } = scrape.browser;
	state.sessions.close(scrape);
	return ok({
		success: true,
		sessionDurationMs: Date.now() - openedAt,
		creditsBilled: credits,
	});
}
