/* eslint-disable @n8n/community-nodes/no-restricted-globals */
/**
 * Writes the frozen cases of this version of the package. Not part of the tests: `npm run upgrade:freeze`, a step of
 * every release, runs it.
 */
import { nodes } from '../contract/nodes';
import { version } from '../../package.json';
import { startService } from '../../mock-service';
import { type ActionCase, Shared, frozenCases, releases, saveCases } from './frozen';
import { Recorder } from './record';
import { TRIGGERS, recordTrigger } from './recordTrigger';

/** Returns what makes two cases the same workflow. */
const keyOf = ({ parameters, typeVersion, onError, input }: Partial<ActionCase>): string =>
	JSON.stringify([parameters, typeVersion, onError, input]);

/** Returns only the cases that no earlier release has frozen, since those are replayed anyway. */
function added<Case extends { name: string }>(node: string, cases: Case[]): Case[] {
	const known = new Set(
		releases()
			.flatMap((release) => frozenCases<Case>(release, node))
			.map((one) => `${one.name} ${keyOf(one)}`),
	);
	return cases.filter((one) => !known.has(`${one.name} ${keyOf(one)}`));
}

it('freezes what workflows saved with this version send and get', async () => {
	if (releases().includes(version)) {
		throw new Error(`${version} is frozen already, and cases of a release are never edited`);
	}
	const shared = new Shared(version);
	let texts = '';
	const save = (name: string, cases: Array<{ name: string }>) => {
		const fresh = added(name, cases);
		texts += saveCases(version, name, fresh);
		process.stdout.write(`${name}: ${fresh.length} cases\n`);
	};
	for (const node of nodes) {
		const service = await startService({ credits: 1_000_000_000, jobMs: 1, crawlMs: 1 });
		save(node.description.name, await new Recorder(node, service, shared).record());
		await service.close();
	}
	for (const name of Object.keys(TRIGGERS)) save(name, await recordTrigger(name, shared));
	shared.save(texts);
}, 900_000);
