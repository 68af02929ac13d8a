import { agentWebhook, webhook } from '../../../nodes/shared/fields/webhook';
import { bodyOf, errorOf } from '../../support/form';

const WAITING = 'https://n8n.example/webhook-waiting/12?signature=ab';

describe('a webhook that resumes a Wait node', () => {
	it.each([
		['no Events', {}],
		['a report for each page', { events: ['completed', 'page'] }],
		['a report at the start', { events: ['started'] }],
	])('is rejected with %s, which would resume it too early', (_name, events) => {
		const { message } = errorOf(() => bodyOf(webhook, { url: WAITING, ...events }));
		expect(message).toBe('Events would resume the workflow before the job has ended');
	});

	it('reports how the job ended, and nothing else', () => {
		const ends = { url: WAITING, events: ['completed', 'failed'] };
		expect(bodyOf(webhook, ends)).toEqual({ webhook: ends });
		const more = { url: WAITING, events: ['completed', 'failed', 'cancelled'] };
		expect(bodyOf(agentWebhook, more)).toEqual({ webhook: more });
	});
});
