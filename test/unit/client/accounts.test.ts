import { Accounts } from '../../../nodes/shared/client/account';
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

	it('are known by a digest, so that no key is kept', async () => {
		await accounts.of(URL, 'secret-key');
		const kept = (accounts as unknown as { known: Map<string, unknown> }).known;
		expect([...kept.keys()]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
	});

	it('are kept for ten minutes after their last call, and forgotten when another is asked for', async () => {
		const account = await accounts.of(URL, 'key');
		const call = { run: {}, group: 'GET', maxConcurrent: 1, maxWaitMs: 1_000 };
		const permit = (await account.limiter.acquire(call)) as Permit;
		now = 3_600_000;
		await accounts.of(URL, 'other');
		account.limiter.release(permit, { kind: 'accepted' });
		now += 600_000;
		await accounts.of(URL, 'other');
		expect(await accounts.of(URL, 'key')).toBe(account);
		now += 60_000;
		await accounts.of(URL, 'other');
		expect(await accounts.of(URL, 'key')).not.toBe(account);
	});
});
