/** A conversation with the agent: a thread that goes on, and data that is bought once a person allows it. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { LocalService } from '../../mock-service';
import { WebDataAgent } from '../../nodes/WebDataAgent/WebDataAgent.node';
import { served } from '../support/served';

let service: LocalService;
const run = served({ jobMs: 1 }, (started) => (service = started));
const agent = new WebDataAgent();

async function ask(
	prompt: string,
	options: INodeParameters,
	more: INodeParameters = {},
): Promise<IDataObject> {
	const parameters = {
		operation: 'startAndWait',
		prompt,
		options: { includeRunDetails: true, ...options },
		...more,
	};
	const { output, error } = await run(agent, parameters);
	expect(error).toBeUndefined();
	expect(output[0]).toHaveLength(1);
	return output[0]![0].json;
}

const threadOf = ({ run: details }: IDataObject) => (details as IDataObject).threadId as string;

const approval = (decision: string, approvalId: unknown, more: INodeParameters = {}) =>
	({ answer: { decision, approvalId: String(approvalId), ...more } }) as INodeParameters;

it('asks a person, and goes on with the answer in the same thread', async () => {
	const question = await ask('Who sells the most tea?', { mode: 'chat' });
	expect(Object.keys(question)).toEqual(['message', 'suggestions', 'run']);
	expect(question.message).toMatch(/^For which year .*\?$/);
	const threadId = threadOf(question);
	const answer = await ask('This year', { mode: 'chat', threadId: `${threadId}\n` });
	expect(threadOf(answer)).toBe(threadId);
	expect(answer).toMatchObject({ message: expect.stringMatching(/^This year: /) });
	expect(service.requests.filter(({ method }) => method === 'POST').at(-1)?.body).toEqual({
		prompt: 'This year',
		maxCredits: 500,
		mode: 'chat',
		threadId,
	});
});

describe('asks before it buys data', () => {
	const asks = async () =>
		await ask('Find', {
			mode: 'chat',
			exchange: { requireApproval: true, maxCalls: 2, toolkits: 'companies' },
		});

	it.each([
		['approve', {}, { paidCalls: 2, creditsUsed: 10 }, 20],
		['some', { callIds: 'call-2' }, { paidCalls: 1, creditsUsed: 5 }, 15],
		['={{ "some" }}', { callIds: '={{ ["call-1"] }}' }, { paidCalls: 1, creditsUsed: 5 }, 15],
		['decline', {}, { paidCalls: 0, creditsUsed: 0 }, 10],
		// Which calls to approve doesn't matter once it is declined.
		['decline', { callIds: 'call-2' }, { paidCalls: 0, creditsUsed: 0 }, 10],
	])('and does as it is told: %s %j', async (decision, more, cost, credits) => {
		const question = await asks();
		expect(question).not.toHaveProperty('data');
		const threadId = threadOf(question);
		const { pendingApproval } = question;
		expect(pendingApproval).toMatchObject({ reason: expect.any(String), calls: [{}, {}] });
		const { id } = pendingApproval as IDataObject;
		const options = { threadId, approval: approval(decision, id, more) } as INodeParameters;
		const answer = await ask('Go on', options, { simplify: false });
		expect(answer).toMatchObject({ threadId, threadTurn: 2, data: {}, exchange: cost });
		expect(service.ledger.map((entry) => entry.credits)).toEqual([10, credits]);
	});

	it('until it is always allowed to, in this thread', async () => {
		const question = await asks();
		const { id } = question.pendingApproval as IDataObject;
		const thread = { threadId: threadOf(question) };
		await ask('Go on', { ...thread, approval: approval('Always Approve', id) });
		expect(await ask('More', thread)).not.toHaveProperty('pendingApproval');
	});
});

it.each<[string, INodeParameters, string]>([
	['a list', { threadId: '={{ ["t-1"] }}' }, 'Thread ID is "["t-1"]", which is not an ID'],
	['approval without an answer', { threadId: 't-1', approval: {} }, 'Approval Response is empty'],
])('rejects %s before anything is sent', async (_what, options, message) => {
	const { error } = await run(agent, { operation: 'start', prompt: 'More', options });
	expect(error?.message).toBe(message);
	expect(service.requests).toEqual([]);
});

it('says where to look when the thread is unknown or busy', async () => {
	const continued = async (threadId: string) => {
		const parameters = { operation: 'start', prompt: 'More', options: { threadId } };
		const { error } = await run(agent, parameters);
		return [error?.message, error?.description];
	};
	expect(await continued('5f3b2c1a-8d4e-4f6a-9b0c-1d2e3f4a5b6c')).toEqual([
		expect.stringMatching(/^The service does not know this thread/),
		expect.stringMatching(/^Check Thread ID in Options/),
	]);
	service.set({ jobMs: 60_000 });
	const { output } = await run(agent, { operation: 'start', prompt: 'Find' });
	const { threadId, threadTurn } = output[0]![0].json;
	expect(threadTurn).toBe(1);
	expect((await continued(String(threadId)))[0]).toMatch(/: This thread/);
});
