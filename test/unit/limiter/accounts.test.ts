import { Accounts } from '../../../nodes/shared/limiter/accounts';
import type { Permit } from '../../../nodes/shared/limiter/types';

const URL = 'https://api.example.com';

describe('the accounts of an n8n process', () => {
	let now: number;
	let accounts: Accounts;

	beforeEach(() => {
		now = 0;
		jest.spyOn(performance, 'now').mockImplementation(() => now);
		accounts = new Accounts();
	});

	afterEach(() => {
		jest.restoreAllMocks();
	});

	it('have one limiter each, the same for all callers', async () => {
		const [a, b] = await Promise.all([
			accounts.limiterOf(URL, 'key'),
			accounts.limiterOf(URL, 'key'),
		]);
		expect(a).toBe(b);
		expect(await accounts.limiterOf(URL, 'other')).not.toBe(a);
		expect(await accounts.limiterOf(`${URL}/v2`, 'key')).not.toBe(a);
	});

	it('are known by a digest, so that no key is kept', async () => {
		await accounts.limiterOf(URL, 'secret-key');
		const kept = (accounts as unknown as { limiters: Map<string, unknown> }).limiters;
		expect([...kept.keys()]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
	});

	it('are kept for ten minutes after their last call, and forgotten when another is asked for', async () => {
		const limiter = await accounts.limiterOf(URL, 'key');
		const call = { run: {}, group: 'GET', maxConcurrent: 1, maxWaitMs: 1_000 };
		const permit = (await limiter.acquire(call)) as Permit;
		now = 3_600_000;
		await accounts.limiterOf(URL, 'other');
		limiter.release(permit, { kind: 'accepted' });
		now += 600_000;
		await accounts.limiterOf(URL, 'other');
		expect(await accounts.limiterOf(URL, 'key')).toBe(limiter);
		now += 1;
		await accounts.limiterOf(URL, 'other');
		expect(await accounts.limiterOf(URL, 'key')).not.toBe(limiter);
	});

	it('are kept while they are asked for', async () => {
		const limiter = await accounts.limiterOf(URL, 'key');
		now = 3_600_000;
		expect(await accounts.limiterOf(URL, 'key')).toBe(limiter);
	});
});
