import { searchAndScrape } from '../../../nodes/WebDataSearch/operations/searchAndScrape';
import { formFieldsOf } from '../../../nodes/shared/engine/operationForm';
import { labelOf } from '../../../nodes/shared/form/labels';

const fields = formFieldsOf(searchAndScrape);

it.each([
	[['scrapeOptions', 'formats', 0, 'schema'], 'JSON Schema'],
	[['scrapeOptions', 'formats', 0, 'prompt'], 'JSON Prompt'],
	[['scrapeOptions', 'formats', 1, 'type'], 'Formats'],
	[['scrapeOptions', 'formats', 0, 'quality'], 'Screenshot Options → Quality'],
	[['scrapeOptions', 'timeout'], 'Scrape Options → Timeout (Ms)'],
	[['timeout'], 'Timeout (Ms)'],
	[['query'], 'Query'],
	[['nothing'], undefined],
])('the place %j is named %s', (trail, label) => {
	expect(labelOf(fields, trail, { typeVersion: 1.1 })).toBe(label);
});
