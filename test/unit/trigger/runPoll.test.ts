import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { allowedDomainsOf } from '../../../nodes/shared/trigger/allowedDomains';
import { runPoll, type Poll, type PollWork } from '../../../nodes/shared/trigger/runPoll';

const item = { json: {} };

function setup({ mode = 'trigger', budgetMs }: { mode?: string; budgetMs?: number } = {}) {
	const staticData: IDataObject = {};
	const node = { name: 'Trigger', credentials: {} };
	const context = {
		getNode: () => node,
		getMode: () => mode,
		getWorkflowStaticData: () => staticData,
		logger: {},
		...(budgetMs !== undefined && { getPollBudgetMs: () => budgetMs }),
	} as unknown as IPollFunctions;
	const run = async (work: (poll: Poll) => Promise<Array<typeof item>>) => {
		const unexpected = async () => await Promise.reject(new Error('not asked for'));
		const both: PollWork = { stateKey: 'state', test: unexpected, poll: unexpected };
		return await runPoll(context, { ...both, [mode === 'manual' ? 'test' : 'poll']: work });
	};
	return { staticData, run };
}

describe('runPoll', () => {
	it('gives the items of a poll, and nothing for none', async () => {
		const { run } = setup();
		expect(await run(async () => [item])).toEqual([[item]]);
		expect(await run(async () => [])).toBeNull();
	});

	it('tests where n8n tests the node', async () => {
		expect(await setup({ mode: 'manual' }).run(async () => [item])).toEqual([[item]]);
	});

	it('ends a poll within the time n8n gives, and cancels its requests', async () => {
		const { run } = setup({ budgetMs: 1_000 });
		let signal: AbortSignal | undefined;
		const begun = Date.now();
		const polled = run(async ({ caller }) => {
			signal = caller.run.signal;
			return await new Promise(() => undefined);
		});
		await expect(polled).rejects.toMatchObject({
			message: expect.stringContaining('took longer'),
			failure: { cause: 'temporarily-unavailable' },
		});
		expect(Date.now() - begun).toBeLessThan(1_000);
		expect(signal?.aborted).toBe(true);
	});

	it('lets a poll that was ended change nothing', async () => {
		const { run, staticData } = setup({ budgetMs: 30 });
		let commit = () => {};
		await expect(
			run(async ({ tools: { store } }) => {
				store.write({ version: 1, scope: 'in time' });
				commit = () => store.write({ version: 1, scope: 'late' });
				return await new Promise(() => undefined);
			}),
		).rejects.toThrow();
		commit();
		expect(staticData.state).toEqual({ version: 1, scope: 'in time' });
	});

	it('leaves its work a tenth of the time to end by itself', async () => {
		await setup({ budgetMs: 45_000 }).run(async ({ tools }) => {
			expect(tools.budgetMs).toBeCloseTo(0.9 * 0.9 * 45_000);
			return [];
		});
		await setup().run(async ({ tools }) => {
			expect(tools.budgetMs).toBe(36_000);
			return [];
		});
	});

	it('shares claims between polls of one trigger, not with other triggers', async () => {
		const one = setup();
		const claim = async ({ tools }: Poll) => (tools.claims.take('a', tools) ? [item] : []);
		expect(await one.run(claim)).not.toBeNull();
		expect(await one.run(claim)).toBeNull();
		expect(await setup().run(claim)).not.toBeNull();
	});

	it.each([
		[new Error('odd'), NodeApiError, 'temporarily-unavailable'],
		[new NodeOperationError({} as never, 'wrong'), NodeOperationError, 'configuration-invalid'],
	])('declares why a poll failed with %s', async (error, kind, cause) => {
		const failed = await setup()
			.run(async () => await Promise.reject(error))
			.catch((thrown: unknown) => thrown);
		expect(failed).toBeInstanceOf(kind);
		expect(failed).toMatchObject({ failure: { cause } });
	});
});

describe('allowedDomainsOf', () => {
	const of = async (credential: IDataObject) =>
		await allowedDomainsOf({
			getCredentials: async () => credential,
			getNode: () => ({ name: 'Trigger' }),
		} as unknown as IPollFunctions);

	it('is any domain unless the credential names some', async () => {
		expect(await of({})).toBeUndefined();
		expect(await of({ allowedHttpRequestDomains: 'all', allowedDomains: 'a.com' })).toBeUndefined();
		// n8n lets the credential's own nodes pass there, too.
		expect(await of({ allowedHttpRequestDomains: 'none' })).toBeUndefined();
		expect(await of({ allowedHttpRequestDomains: 'domains', allowedDomains: ' a.com ' })).toBe(
			'a.com',
		);
	});

	it('fails where certain domains are allowed but none is named', async () => {
		await expect(of({ allowedHttpRequestDomains: 'domains' })).rejects.toThrow('allows no domain');
	});
});
