import type { IDataObject, INodeType } from 'n8n-workflow';

import { startService, type LocalService } from '../../mock-service';
import { allNodes } from '../../scripts/lib/nodes';
import { pageErrors } from '../../nodes/shared/client/errors/pageErrors';
import { rejections } from '../../nodes/shared/client/errors/texts';
import type { Field } from '../../nodes/shared/form/field';
import { allLabels } from '../../nodes/shared/form/labels';
import { fieldsOf, operationsOf, requiredParameters } from '../contract/controls';
import { runNode } from '../support/engine';
import type * as QuickTime from '../support/quickTime';

jest.mock('../../nodes/shared/base/time', () =>
	jest.requireActual<typeof QuickTime>('../support/quickTime').quickTime(),
);

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

/** A code that a pattern accepts. */
const codeOf = ({ source }: RegExp) =>
	source
		.replace(/\(\?![^)]*\)/, '')
		.replace(/\(([^|)]*)\|[^)]*\)/g, '$1')
		.replace(/[\^$]/g, '')
		.replace(/\\w\+/g, 'SOMETHING');

/** What a service may reject a call with: each status and code that has a text of its own. */
const REJECTIONS: Array<[status: number, body: IDataObject]> = [
	...Object.keys(rejections)
		.map((key): [number, IDataObject] => {
			const [status, code = ''] = key.replace(/xx/, '00').split(' ');
			return [Number(status), { error: 'No', ...(/^[A-Z_]{6,}$|_/.test(code) && { code }) }];
		})
		.filter(([status]) => status >= 400),
	[200, { success: false, error: 'No' }],
	[409, { error: 'Conflict' }],
	[403, { error: 'URL is blocked intentionally. We do not scrape it.' }],
	...pageErrors.map(([pattern]): [number, IDataObject] => [
		400,
		{ code: codeOf(pattern), error: 'No' },
	]),
	[400, { code: 'SCRAPE_DOCUMENT_ANTIBOT_ERROR', error: 'No' }],
	[400, { code: 'SCRAPE_DOCUMENT_PREFETCH_FAILED', error: 'No' }],
];

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
// Retries wait no longer than they must.
beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => jest.restoreAllMocks());

async function rejected(node: INodeType, operation: string, status: number, body: IDataObject) {
	service.clearFaults();
	service.fail({ status, body: { success: false, ...body } });
	const { error } = await runNode({
		nodeType: node,
		parameters: {
			...requiredParameters(node, operation),
			options: { maxWait: 0 },
		},
		credentials: { baseUrl: service.url, apiKey: service.apiKey },
	});
	return error;
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
		const told = new Set<string>();
		for (const [status, body] of REJECTIONS) {
			const error = await rejected(node, operation, status, body);
			if (error === undefined) continue;
			const text = `${error.description ?? ''}`
				.replace(/[“"].*?[”"]/g, '')
				// Fields of the credential (Base URL), of n8n, and of the node that scraped the page.
				.replace(/Settings → [^.,:]*|Base URL|[^.]* where the page is scraped\./g, '');
			const named = others.filter((label) => names(withoutOwn(text, own), label));
			const isFree = service.requests.at(-1)?.method !== 'POST';
			const isBilled = isFree && /\bbilled\b(?<!not billed)|\bbills\b/.test(text);
			if (named.length > 0 || isBilled)
				told.add(`${status} ${JSON.stringify(body)}: ${named.join(', ')} in “${text}”`);
		}
		expect([...told]).toEqual([]);
	},
);
