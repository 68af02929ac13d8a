/** What a service would reject, or bill for nothing, is rejected before it is sent. */
import type { IDataObject } from 'n8n-workflow';

import { formFieldsOf } from '../../../nodes/shared/run/properties';
import { compose } from '../../../nodes/shared/form/form';
import { type Field, childrenOf } from '../../../nodes/shared/form/field';
import type { Operation } from '../../../nodes/shared/run/operation';
import { start as agent } from '../../../nodes/WebDataAgent/operations/start';
import { scrape } from '../../../nodes/WebDataScrape/operations/scrape';
import { actionNodes, operationOf } from '../../../scripts/lib/nodes';
import { operationsOf } from '../../contract/controls';
import { composed, errorOf, node, place } from '../../support/form';

const URL = 'https://example.com';
const bodyOf = (operation: Operation, values: IDataObject) =>
	composed(formFieldsOf(operation), { url: URL, query: 'coffee', ...values }).body;
const messageOf = (operation: Operation, values: IDataObject) =>
	errorOf(() => bodyOf(operation, values)).message;

describe('an answer to an agent', () => {
	const approve = { decision: 'approve', approvalId: 'a' };
	const inThread = (answer: IDataObject, more: IDataObject = {}) => ({
		prompt: 'Go on',
		options: { threadId: 't', approval: { answer }, ...more },
	});

	it.each([
		[{ approval: { answer: approve } }, 'Approval Response needs Thread ID, which is missing'],
		[{ threadId: '' }, 'Thread ID is empty'],
		[{ threadId: '{{ $json.t }}' }, 'Thread ID is "{{ $json.t }}", which is not an ID'],
		[{ threadId: { threadId: 't' } }, 'Thread ID is "{"threadId":"t"}", which is not an ID'],
		[inThread({ ...approve, decision: '' }).options, 'Decision is empty'],
		[inThread({ ...approve, decision: 'maybe' }).options, /^Decision is "maybe", which is not one/],
		[inThread({ ...approve, approvalId: '' }).options, 'Approval ID is empty'],
		// Without a call, it would approve all.
		[inThread({ ...approve, decision: 'some', callIds: [] }).options, 'Calls is empty'],
		[inThread({ ...approve, decision: 'some' }).options, 'Calls is empty'],
		[{ exchange: { requireApproval: true } }, /^Ask First is on, but Mode is not Chat/],
		[
			{ mode: 'extract', exchange: { requireApproval: true } },
			/^Ask First is on, but Mode is not Chat/,
		],
		[
			{ threadId: 't', exchange: { requireApproval: true } },
			/^Ask First is on, but Mode is not Chat/,
		],
		[{ exchange: { maxCalls: 31 } }, 'Max Calls is 31, but must be from 1 to 30'],
	])('that can mean nothing is rejected: %j', (options, message) => {
		const parameters = { prompt: 'Go on', options };
		const at = { ...place, node: { ...node, parameters } as typeof node };
		const fields = formFieldsOf(agent);
		const read = (name: string) => (parameters as IDataObject)[name];
		expect(errorOf(() => compose(fields, read, at)).message).toMatch(message);
	});

	it('may decline while nothing may be bought, and keeps what else is set', () => {
		const decline = { ...approve, decision: 'Decline' };
		const exchange = { enabled: false };
		expect(bodyOf(agent, inThread(decline, { exchange })).exchange).toEqual({
			enabled: false,
			decline: { approvalId: 'a' },
		});
	});
});

describe('page actions', () => {
	const withActions = (...action: IDataObject[]) => ({
		options: { browserOptions: { actions: { action } } },
	});
	const wait = (ms: number) => ({ type: 'wait', seconds: ms / 1_000 });

	it('are at most 50', () => {
		const steps = Array<IDataObject>(50).fill({ type: 'scrape' });
		expect(() => bodyOf(scrape, withActions(...steps))).not.toThrow();
		expect(messageOf(scrape, withActions(...steps, { type: 'scrape' }))).toBe(
			'Actions has 51 actions, but at most 50 are allowed',
		);
	});

	it('wait at most 60 seconds in all, a second for each element', () => {
		const element = { type: 'waitForElement', selector: '#x' };
		expect(() => bodyOf(scrape, withActions(wait(59_000), element))).not.toThrow();
		expect(messageOf(scrape, withActions(wait(59_001), element))).toBe(
			'Actions waits 60.001 seconds in all, but at most 60 are allowed',
		);
	});
});

describe('formats', () => {
	it('have something to redact where personal data is redacted, which costs credits', () => {
		const contentOptions = { redactPII: true };
		expect(messageOf(scrape, { formats: ['html'], options: { contentOptions } })).toBe(
			'Formats has no format that can be redacted',
		);
		for (const format of ['markdown', 'summary', 'json', 'question', 'highlights']) {
			const more = { jsonPrompt: 'a', question: 'a', highlightsQuery: 'a' };
			expect(() =>
				bodyOf(scrape, { formats: [format], ...more, options: { contentOptions } }),
			).not.toThrow();
		}
	});

	it('say what change tracking compares in JSON mode', () => {
		const track = (changeTrackingOptions: IDataObject) => ({
			formats: ['markdown', 'changeTracking'],
			changeTrackingOptions,
		});
		expect(messageOf(scrape, track({ modes: ['json'] }))).toBe(
			'Formats has Change Tracking in JSON mode without a schema or a prompt',
		);
		expect(() => bodyOf(scrape, track({ modes: ['json'], prompt: 'prices' }))).not.toThrow();
		expect(() => bodyOf(scrape, track({ modes: ['git-diff'] }))).not.toThrow();
	});
});

const HARMLESS = [
	'allowExternalLinks allowSubdomains apiVersion blockAds blocks',
	'crawlEntireDomain description downloadFiles enableWebSearch from fullPage highlights',
	'ignoreRobotsTxt includePages maxConcurrency maxConcurrent',
	'maxResponseLength maxTextLength maxWait maxWaitMinutes mobile pageMarkers pages quality',
	'removeBase64Images replaceStyle showSources skipTlsVerification splitIntoItems',
	'tag timeout to waitFor',
].flatMap((row) => row.split(' '));

it('only fields that make no other call of it may be left out by an expression', () => {
	const names = new Set<string>();
	const look = (field: Field) => {
		if (field.wire?.mayBeEmpty) names.add(field.name);
		childrenOf(field).forEach(look);
	};
	for (const one of actionNodes()) {
		for (const value of operationsOf(one)) formFieldsOf(operationOf(one, value)).forEach(look);
	}
	expect([...names].sort()).toEqual(HARMLESS);
});
