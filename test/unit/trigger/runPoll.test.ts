/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports */
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { CallSettings } from '../../../nodes/shared/client/types';
import {
	type Poll,
	type Within,
	credentialIdOf,
	runPoll,
} from '../../../nodes/shared/trigger/runPoll';

const item = { json: {} };

interface Setup {
	mode?: string;
	activation?: string;
	budgetMs?: number;
	credential?: IDataObject;
}

type Work = (poll: Poll) => Promise<Array<typeof item>>;

let workflows = 0;

function setup({ mode = 'trigger', activation = 'init', budgetMs, credential }: Setup = {}) {
	const workflow = ++workflows;
	const staticData: IDataObject = {};
	const node = { id: 'trigger', name: 'Trigger', credentials: {} };
	const getCredentials = async () => ({
		baseUrl: 'https://poll.example',
		apiKey: 'key',
		...credential,
	});
	const logger = { info: jest.fn() };
	const context = {
		getNode: () => node,
		getWorkflow: () => ({ id: `workflow-${workflow}` }),
		getMode: () => mode,
		getActivationMode: () => activation,
		getWorkflowStaticData: (of: string) => {
			if (mode === 'manual') throw new Error('A test asked for static data');
			return of === 'node' ? staticData : undefined;
		},
		getCredentials,
		logger,
		...(budgetMs !== undefined && { getPollBudgetMs: () => budgetMs }),
	} as unknown as IPollFunctions;
	const runIn = async (of: IPollFunctions, work: Work, scope = 'a') => {
		const unexpected = async () => await Promise.reject(new Error('not asked for'));
		const asked = async ({ poll }: { poll: Poll }) => await work(poll);
		return await runPoll<{ settings: { scope: string }; poll: Poll }>(of, {
			stateKey: 'state',
			task: (poll) => ({ settings: { scope }, poll }),
			test: mode === 'manual' ? asked : unexpected,
			poll: mode === 'manual' ? unexpected : asked,
		});
	};
	return {
		staticData,
		run: async (work: Work, scope?: string) => await runIn(context, work, scope),
		/**
		 * Returns a copy of the current static data, and a poll of the same node with it, as durable mode creates for each
		 * poll.
		 */
		copied: () => {
			const copy = structuredClone(staticData);
			const other = { ...context, getWorkflowStaticData: () => copy } as IPollFunctions;
			return {
				copy,
				run: async (work: Work, scope?: string) => await runIn(other, work, scope),
			};
		},
		logger,
	};
}

describe('runPoll', () => {
	it.each([
		['forward', 3_600_000],
		['back', -3_600_000],
	])('keeps its times when the clock is set %s', async (_direction, byMs) => {
		await setup().run(async ({ tools, settings }) => {
			const finishBy = tools.now() + 20_000;
			const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + byMs);
			const { http } = settings({ finishBy });
			clock.mockRestore();
			expect(http?.timeout).toBeGreaterThan(15_000);
			expect(http?.timeout).toBeLessThanOrEqual(20_000);
			return [];
		});
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

	it.each(['init', 'activate', 'update', 'create', 'leadershipChange'] as const)(
		'takes 75 s at most where n8n may give a publication up after 84 s, whatever it remembers (%s)',
		async (activation) => {
			const { run, staticData } = setup({ activation, budgetMs: 300_000 });
			staticData.state = { version: 1, scope: 'a' };
			const budgets: number[] = [];
			const poll = async () =>
				await run(async ({ tools }) => {
					budgets.push(tools.budgetMs);
					return [];
				});
			await run(async () => await Promise.reject(new Error('too early'))).catch(() => undefined);
			await poll();
			await poll();
			expect(budgets).toEqual([73_800, 243_000]);
		},
	);

	it.each([
		['init', 'start'],
		['leadershipChange', 'start'],
		['activate', 'publication'],
		// Each poll of durable mode, which loses nothing.
		['update', undefined],
	])('says that n8n may have forgotten something: activated by %s', async (activation, begin) => {
		const { run } = setup({ activation });
		const begins: unknown[] = [];
		const work: Work = async ({ tools }) => {
			begins.push(tools.begin);
			return [];
		};
		const failed = async () => await Promise.reject(new Error('no'));
		await expect(run(failed)).rejects.toThrow();
		await run(work);
		await run(work);
		expect(begins).toEqual([begin, undefined]);
	});
});

describe('polls of one trigger at the same moment, each with a copy of the static data', () => {
	const emit =
		(scope: string): Work =>
		async ({ tools }) => {
			tools.store.write({ version: 1, scope });
			return [item];
		};

	it('go on with the copies that have what was emitted, or after ten seconds', async () => {
		jest.useFakeTimers();
		try {
			const { run, copied } = setup();
			const before = copied();
			await run(emit('once'));
			expect(await before.run(emit('twice'))).toBeNull();
			const after = copied();
			expect(await after.run(emit('more'))).not.toBeNull();
			jest.advanceTimersByTime(9_999);
			expect(await before.run(emit('twice'))).toBeNull();
			jest.advanceTimersByTime(1);
			expect(await before.run(emit('not saved'))).not.toBeNull();
		} finally {
			jest.useRealTimers();
		}
	});

	describe.each<[string, Work]>([
		['emitted nothing', async () => []],
		['failed', async () => await Promise.reject(new Error('no'))],
	])('after one that %s', (_what, work) => {
		it('go on at once', async () => {
			const { run, copied } = setup();
			const before = copied();
			await run(work).catch(() => undefined);
			expect(await before.run(emit('new'))).not.toBeNull();
		});

		it('still leave what was emitted before it to the poll that emitted it', async () => {
			const { run, copied } = setup();
			const before = copied();
			await run(emit('once'));
			await copied()
				.run(work)
				.catch(() => undefined);
			expect(await before.run(emit('twice'))).toBeNull();
		});
	});
});

describe('a request of a poll', () => {
	const NOW = 1_800_000_000_000;

	afterEach(() => {
		jest.restoreAllMocks();
	});

	async function settingsFor(within: Within, credential?: IDataObject): Promise<CallSettings> {
		let settings: CallSettings | undefined;
		jest.spyOn(Date, 'now').mockReturnValue(NOW);
		jest.spyOn(performance, 'now').mockReturnValue(1_000);
		await setup({ credential }).run(async (poll) => {
			settings = poll.settings(within);
			return [];
		});
		return settings!;
	}

	it.each([
		['what is left of the poll', 5_000, 30_000, 5_000, 5_000],
		['its own timeout, and ten seconds for a rate limit', 60_000, 30_000, 10_000, 30_000],
		['a second at least', -5_000, 30_000, 1_000, 1_000],
		['what is left of the poll, with none of its own', 60_000, undefined, 10_000, 60_000],
	])('takes no longer than %s', async (_name, leftMs, timeoutMs, maxWaitMs, timeout) => {
		const { hasField, ...settings } = await settingsFor({ finishBy: NOW + leftMs, timeoutMs });
		expect(settings).toEqual({ maxWaitMs, http: { timeout }, jobId: undefined, isPoll: true });
		expect(hasField?.('Timeout (Seconds)')).toBe(false);
		expect(settings).not.toHaveProperty('nameOf');
	});

	it.each([
		['as long as leaves ten seconds to answer in', 60_000, 50_000],
		['no less than others', 12_000, 10_000],
		['no longer than the poll', 5_000, 5_000],
	])('waits for a rate limit %s where it is patient', async (_name, leftMs, maxWaitMs) => {
		const settings = await settingsFor({ finishBy: NOW + leftMs, isPatient: true });
		expect(settings.maxWaitMs).toBe(maxWaitMs);
	});

	it('keeps to the domains of the credential', async () => {
		const credential = { allowedHttpRequestDomains: 'domains', allowedDomains: 'a.example' };
		const { http } = await settingsFor({ finishBy: NOW, timeoutMs: 1_000 }, credential);
		expect(http?.allowedDomains).toBe('a.example');
	});
});

describe('credentialIdOf', () => {
	it.each([
		[{ webDataServiceApi: { id: '7', name: 'Mine' } }, '7'],
		[{ other: { id: '8' } }, ''],
		[undefined, ''],
	])('of %j is "%s"', (credentials, id) => {
		const context = { getNode: () => ({ credentials }) } as unknown as IPollFunctions;
		expect(credentialIdOf(context)).toBe(id);
	});
});
