import type { INodeType } from 'n8n-workflow';

import { startService, type LocalService } from '../../mock-service';
import { allNodes } from '../../scripts/lib/nodes';
import type { About } from '../../nodes/shared/client/types';
import { remedyOf } from '../../nodes/shared/client/errors/advice';
import * as describeError from '../../nodes/shared/client/errors/describe';
import { pageErrors } from '../../nodes/shared/client/errors/pageErrors';
import { problems, rejections } from '../../nodes/shared/client/errors/texts';
import type { Field } from '../../nodes/shared/form/field';
import { allLabels } from '../../nodes/shared/form/labels';
import { fieldsOf, operationsOf, requiredParameters } from '../contract/controls';
import { runNode } from '../support/engine';

const { serviceErrorOf } = describeError;
const nodes = allNodes().filter((node) => operationsOf(node).length > 0);

/** Labels that are also ordinary words at the beginning of a sentence, or names of things in an error. */
const WORDS = ['Actions', 'Headers', 'Location', 'Proxy', 'Formats', 'Lockdown', 'Limit', 'Limits'];
const ORDINARY = (label: string) => /^[A-Z][a-z]+$/.test(label) && !WORDS.includes(label);

const everyLabel = new Set(
	nodes.flatMap((node) => operationsOf(node).flatMap((value) => [...labelsOf(node, value)])),
);

function labelsOf(node: INodeType, operation: string): Set<string> {
	return allLabels(fieldsOf(node, operation) as Field[]);
}

const texts = [...Object.values(rejections), ...Object.values(problems), ...pageErrors];

/** Returns a text without the labels of a form, which may be part of others. */
const withoutOwn = (text: string, own: Set<string>) =>
	[...own]
		.filter((label) => / /.test(label))
		.reduce((rest, label) => rest.replaceAll(label, 'it'), text);

/** Whether a text names a field: an ordinary word counts only within a sentence. */
function names(text: string, label: string): boolean {
	const before = /^\w+$/.test(label) ? /[\w,:;)→] $/ : /(^|\W)$/;
	return text
		.split(label)
		.slice(0, -1)
		.some((_, index, parts) => {
			const rest = text.slice(parts.slice(0, index + 1).join(label).length + label.length);
			return before.test(parts.slice(0, index + 1).join(label)) && !/^\w/.test(rest);
		});
}

let service: LocalService;
beforeAll(async () => (service = await startService({ jobMs: 1, crawlMs: 0 })));
afterAll(async () => await service.close());
afterEach(() => jest.restoreAllMocks());

/** Returns what the client knows of an operation's call when it fails. */
async function aboutOf(node: INodeType, operation: string): Promise<About> {
	const spy = jest.spyOn(describeError, 'serviceErrorOf');
	service.clearFaults();
	service.fail({ status: 400, body: { success: false } });
	await runNode({
		nodeType: node,
		parameters: { ...requiredParameters(node, operation), options: { maxWait: 0 } },
		credentials: { baseUrl: service.url, apiKey: service.apiKey },
	});
	const [[, about]] = spy.mock.calls;
	spy.mockRestore();
	return about;
}

const cases = nodes.flatMap((node) =>
	operationsOf(node).map(
		(operation) => [`${node.constructor.name} ${operation}`, node, operation] as const,
	),
);

it.each(cases)(
	'advice of %s names fields of its own form only, and no bill of what is free',
	async (_name, node, operation) => {
		const own = labelsOf(node, operation);
		const others = [...everyLabel].filter((label) => !own.has(label) && !ORDINARY(label));
		const about = await aboutOf(node, operation);
		const advice = texts.map((words) => remedyOf(words, about));
		for (const said of [...advice, about.remedy ?? '']) {
			const text = said
				.replace(/[“"].*?[”"]/g, '')
				// Fields of the credential (Base URL), of n8n, and of the node that scraped the page.
				.replace(/Settings → [^.,:]*|Base URL|[^.]* where the page is scraped\./g, '');
			const named = others.filter((label) => names(withoutOwn(text, own), label));
			expect([text, named]).toEqual([text, []]);
		}
		const body = { code: 'SCRAPE_PROMPT_INJECTION_DETECTED' };
		const { description } = serviceErrorOf(
			{ kind: 'rejected', status: 403, body, excerpt: '' },
			{ ...about, remedy: undefined },
		);
		expect(/ bills /.test(description)).toBe(about.method === 'POST');
	},
);
