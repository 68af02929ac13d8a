/* eslint-disable @n8n/community-nodes/require-node-api-error */
/**
 * What workflows saved with an earlier release send and receive, replayed against today's code. `npm run
 * upgrade:freeze` adds the cases of the current version.
 */
import { ContractService } from '../support/contractService';
import { type Release, record, releaseOf, releases, replay } from './frozen';

const HOW = `
A workflow saved with an earlier release sends or gets something else now ("-" then, "+" now).
If that is not meant, mend it. If it is, give the node a new version and keep the old way for
the old one: see "Changing what saved workflows do" in CONTRIBUTING.md.
`;

const service = new ContractService();
beforeAll(async () => void (await service.start()));
afterAll(async () => await service.stop());

/** Fails with the first difference, and how to proceed. */
async function expectSame({ responses, frozen }: Release): Promise<void> {
	for (const one of frozen) {
		const now = await replay(service, one, responses);
		try {
			expect(now).toEqual(one);
		} catch (error) {
			throw new Error(`${one.type}: ${one.name}\n${HOW}\n${(error as Error).message}`);
		}
	}
}

// Shows, even before the first release, that a replay notices a change.
it('a workflow replays as it was recorded, and one that sends or gets something else does not', async () => {
	const release = await record(service, false);
	await expectSame(release);
	for (const { name, sent, gave } of release.frozen) {
		expect([name, sent]).not.toEqual([name, []]);
		expect([name, gave]).not.toEqual([name, undefined]);
	}
	const [one] = release.frozen;
	for (const changed of [
		{ ...one, sent: [] },
		{ ...one, gave: [] },
	]) {
		const changedRelease = { ...release, frozen: [changed] };
		await expect(expectSame(changedRelease)).rejects.toThrow('A workflow saved with an earlier');
	}
});

for (const release of releases())
	it(`workflows saved with ${release}`, async () => await expectSame(releaseOf(release)));
