/* eslint-disable @n8n/community-nodes/no-hardcoded-secrets, @n8n/community-nodes/require-node-api-error, @typescript-eslint/no-unused-vars */
/**
 * What workflows saved with an earlier release send and receive, replayed against today's code. `npm run
 * upgrade:freeze` adds the cases of the current version.
 */
import type { INodeType } from 'n8n-workflow';

import { nodes } from '../contract/nodes';
import { PolledTrigger } from '../support/polledTrigger';
import {
	type ActionCase,
	type GivenResponse,
	type Result,
	type SentRequest,
	Shared,
	type TriggerCase,
	frozenCases,
	frozenNodes,
	releases,
} from './frozen';
import { startService } from '../../mock-service';
import { Recorder } from './record';
import { TRIGGERS, frozenItems } from './recordTrigger';
import { runCase } from './run';
import { serve } from './wire';

const API_KEY = 'test-key-0123456789';

const HOW = `
A workflow saved with an earlier release sends or gets something else now ("-" then, "+" now).
If that is not meant, mend it. If it is, give the node a new version and keep the old way for
the old one: see "Changing what saved workflows do" in CONTRIBUTING.md.
`;

interface Replay extends Result {
	sent: SentRequest[];
}

const sorted = (requests: SentRequest[]): SentRequest[] =>
	requests
		.map(({ method, path, body }) => ({ method, path, ...(body === undefined ? {} : { body }) }))
		.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** Runs a frozen case; the service responds as it did then to the same request, otherwise to the same path. */
async function replay(nodeType: INodeType, frozen: ActionCase, shared: Shared): Promise<Replay> {
	const open = [...frozen.exchanges];
	const sent: SentRequest[] = [];
	const key = ({ method, path, body }: SentRequest) => JSON.stringify([method, path, body]);
	const wire = await serve((request) => {
		sent.push(request);
		const same = open.findIndex((exchange) => key(exchange) === key(request));
		const near = open.findIndex(
			({ method, path }) =>
				method === request.method && path.split('?')[0] === request.path.split('?')[0],
		);
		const [exchange] = open.splice(same >= 0 ? same : near, same < 0 && near < 0 ? 0 : 1);
		if (exchange !== undefined) return shared.get<GivenResponse>(exchange.response);
		return { status: 400, contentType: 'application/json', content: '{"error":"not frozen"}' };
	});
	try {
		const result = await runCase(nodeType, frozen, { url: wire.url, apiKey: API_KEY });
		return { sent: sorted(sent), ...result };
	} finally {
		await wire.close();
	}
}

/** Returns what the poll of a frozen trigger emits. */
async function replayTrigger(name: string, frozen: TriggerCase, shared: Shared) {
	const wire = await serve(({ path }) => {
		const known = frozen.responses[path];
		if (known !== undefined) return shared.get<GivenResponse>(known);
		return { status: 404, contentType: 'application/json', content: '{"error":"not found"}' };
	});
	// The clock goes on from then, because requests wait for their slot.
	const begun = performance.now();
	const now = () => frozen.now + Math.round(performance.now() - begun);
	const clock = jest.spyOn(Date, 'now').mockImplementation(now);
	try {
		const { parameters, state, typeVersion } = frozen;
		const service = { url: wire.url, apiKey: API_KEY };
		const trigger = new PolledTrigger(
			service,
			parameters,
			structuredClone(state),
			typeVersion,
			TRIGGERS[name].make(),
		);
		return frozenItems(await trigger.poll(), wire.url);
	} finally {
		clock.mockRestore();
		await wire.close();
	}
}

/**
 * Returns items with only those parts of errors that flows act on; the texts are for people and may improve, and errors
 * may contain more.
 */
function withComparableErrors(items: unknown): unknown {
	return JSON.parse(JSON.stringify(items), (key, value) => {
		if (key !== 'json' || typeof value?.error !== 'object' || value.error === null) return value;
		const { httpStatus, code, serviceError, data } = value.error;
		const { message: _, ...fields } = value;
		return { ...fields, error: { httpStatus, code, serviceError, data } };
	});
}

interface Check {
	name: string;
	now: unknown;
	then: unknown;
}

/** Fails with the first difference, the names of the other cases that differ, and how to proceed. */
function expectSame(checks: Check[]): void {
	const changed = checks.filter(({ now, then }) => {
		try {
			expect(withComparableErrors(now)).toEqual(withComparableErrors(then));
			return false;
		} catch {
			return true;
		}
	});
	if (changed.length === 0) return;
	const [{ name, now, then }, ...others] = changed;
	const more = others.slice(0, 5).map((other) => `\n- ${other.name}`);
	const rest = others.length > 5 ? `\n- and ${others.length - 5} others` : '';
	const intro = `${name}${others.length > 0 ? `\n\nAlso changed:${more.join('')}${rest}` : ''}`;
	try {
		expect(withComparableErrors(now)).toEqual(withComparableErrors(then));
	} catch (error) {
		const difference = (error as Error).message.split('\n').slice(2, 32).join('\n');
		throw new Error(`${intro}\n${HOW}\n${difference}`);
	}
}

const operationOf = ({ name }: ActionCase): string => name.split(',')[0];

/** Replays recorded cases of a node and compares what it sends and returns. */
async function checksOf(nodeType: INodeType, cases: ActionCase[], shared: Shared) {
	const checks: Check[] = [];
	for (const frozen of cases) {
		const { exchanges, output, failed } = frozen;
		const gave = output === undefined ? { failed } : { output: shared.get(output) };
		const now = await replay(nodeType, frozen, shared);
		checks.push({ name: frozen.name, now, then: { sent: sorted(exchanges), ...gave } });
	}
	return checks;
}

// Shows, even before the first release, that a replay notices a change.
it('a workflow replays as it was recorded, and one that sends or gets something else does not', async () => {
	const usage = nodes.find(({ description }) => description.name === 'webDataUsage')!;
	const service = await startService();
	const shared = new Shared('made up');
	const cases = await new Recorder(usage, service, shared).record();
	await service.close();
	expectSame(await checksOf(usage, cases, shared));
	const byKey = cases.findIndex(({ exchanges: [sent] }) => sent?.path.includes('byApiKey'));
	const sends = structuredClone(cases[byKey]);
	sends.exchanges[0].path = sends.exchanges[0].path.replace('byApiKey', 'byKey');
	const gets = { ...cases[byKey], output: shared.add([]) };
	for (const changed of [sends, gets]) {
		const checks = await checksOf(usage, [changed], shared);
		expect(() => expectSame(checks)).toThrow('A workflow saved with an earlier release');
	}
});

it.each(nodes)('all operations of $description.name can be recorded and replayed', async (node) => {
	const service = await startService({ jobMs: 1, crawlMs: 1 });
	const shared = new Shared('made up');
	const cases = await new Recorder(node, service, shared).recordLeast();
	await service.close();
	expectSame(await checksOf(node, cases, shared));
	for (const { name, exchanges } of cases)
		expect([name, exchanges.length > 0]).toEqual([name, true]);
});

for (const release of releases()) {
	describe(`workflows saved with ${release}`, () => replayRelease(release));
}

function replayRelease(release: string): void {
	const shared = new Shared(release);
	// A release that changed nothing about a node has no cases of it, which `each` would not accept.
	for (const name of frozenNodes(release)) {
		if (name in TRIGGERS) {
			it(name, async () => {
				const checks: Check[] = [];
				for (const frozen of frozenCases<TriggerCase>(release, name)) {
					const now = await replayTrigger(name, frozen, shared);
					checks.push({ name: frozen.name, now, then: frozen.emitted });
				}
				expectSame(checks);
			});
			continue;
		}
		const nodeType = nodes.find(({ description }) => description.name === name);
		const cases = frozenCases<ActionCase>(release, name);
		for (const operation of new Set(cases.map(operationOf))) {
			it(`${name} ${operation}`, async () => {
				if (nodeType === undefined) throw new Error(`The node ${name} is gone.\n${HOW}`);
				const ofOperation = cases.filter((one) => operationOf(one) === operation);
				expectSame(await checksOf(nodeType, ofOperation, shared));
			});
		}
	}
}
