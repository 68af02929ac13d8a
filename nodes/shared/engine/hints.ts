import type { NodeHint } from 'n8n-workflow';

/** Without items, n8n's `$input` throws. */
const isEmpty = (operations: string) =>
	`${operations}.includes($parameter.operation) && (() => { try { return $input.all().length === 0; } catch { return true; } })()`;
const some = (condition: string) => `$input.all().some(({ json }) => ${condition})`;

/** Holds what the editor says above a result that is green and says little, and when. */
const HINTS: Array<[message: string, condition: string, type?: NodeHint['type']]> = [
	[
		'Still running, 0 pages yet. Run the node again later, or set Options → If Still Running to Wait Until It Ends.',
		isEmpty('["getPages", "batchGetPages"]'),
	],
	[
		'No results. Check the words and the options that leave results out, such as Published and Query Operators.',
		isEmpty('["search", "searchAndScrape"]'),
	],
	[
		'The service or this node has a warning: look at the fields of the items whose name ends in “warning”.',
		some('Object.keys(json).some((key) => /warning$/i.test(key) && json[key])'),
		'warning',
	],
	[
		'Some pages could not be read, and pageError says why. Options → Fail on Page Errors sends them to the error branch.',
		some('json.pageError'),
		'warning',
	],
	[
		'Some pages come from the cache; cachedAt says how old they are. For fresh ones, set Scrape Options → Max Age to 0.',
		some('json.cacheState === "hit"'),
	],
];

export const resultHints: NodeHint[] = HINTS.map(([message, condition, type = 'info']) => ({
	message,
	type,
	location: 'outputPane',
	whenToDisplay: 'afterExecution',
	displayCondition: `={{ Boolean(${condition}) }}`,
}));
