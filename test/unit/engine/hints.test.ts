import { Workflow, type IDataObject } from 'n8n-workflow';

import { WebDataScrape } from '../../../nodes/WebDataScrape/WebDataScrape.node';
import { WebDataSearch } from '../../../nodes/WebDataSearch/WebDataSearch.node';
import { engine, itemsOf, nodeOf } from '../../support/engine';

/** The hints that the editor shows above these items, as it decides. */
function shown(nodeType: WebDataScrape | WebDataSearch, operation: string, items: IDataObject[]) {
	const credentials = { baseUrl: '', apiKey: '' };
	const node = nodeOf({ nodeType, parameters: { operation }, credentials });
	const { nodeTypes } = engine(nodeType, credentials);
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const { hints = [] } = nodeType.description;
	const output = itemsOf(...items);
	return hints
		.filter(({ displayCondition }) => {
			try {
				const { expression } = workflow;
				return expression.getParameterValue(
					displayCondition!,
					null,
					0,
					0,
					node.name,
					output,
					'manual',
					{},
				);
			} catch (error) {
				// The editor leaves out a hint that can't be decided.
				expect((error as Error).message).toBe('No execution data available');
				return false;
			}
		})
		.map(({ message }) => message);
}

const page = { url: 'https://a.example', markdown: '# A' };

it.each<[string, IDataObject[], RegExp]>([
	['batchGetPages', [], /^Still running, 0 pages yet/],
	['batchGetPages', [page, { ...page, batchWarning: 'Cut' }], /has a warning/],
	['batchStartAndWait', [page, { ...page, pageError: 'Gone' }], /pageError says why/],
	['scrape', [{ ...page, cacheState: 'hit' }], /come from the cache/],
])('%s of %j says more', (operation, items, words) => {
	expect(shown(new WebDataScrape(), operation, items)).toEqual([expect.stringMatching(words)]);
});

it('says that a search has found nothing', () => {
	expect(shown(new WebDataSearch(), 'search', [])).toEqual([expect.stringMatching(/^No results/)]);
});

it.each([
	['batchGetPages', [page]],
	['batchCancel', []],
	['scrape', [{ ...page, cacheState: 'miss', warning: null }]],
	['scrape', []],
])('%s of %j says nothing more', (operation, items) => {
	expect(shown(new WebDataScrape(), operation, items)).toEqual([]);
});
