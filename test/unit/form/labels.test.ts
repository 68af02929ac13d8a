import { searchAndScrape } from '../../../nodes/WebDataSearch/operations/searchAndScrape';
import { formFieldsOf } from '../../../nodes/shared/run/properties';
import { labelOf } from '../../../nodes/shared/form/labels';

it.each([
	[['scrapeOptions', 'formats', 0, 'schema'], 'Schema'],
	[['scrapeOptions', 'formats', 0, 'schema', 'required', 1], 'Schema'],
	[['scrapeOptions', 'formats', 1, 'type'], 'Formats, entry 2'],
	[['scrapeOptions', 'formats', 0, 'quality'], 'Screenshot Options → Quality'],
	[['scrapeOptions', 'formats', 1, 'viewport', 'width'], 'Screenshot Options → Viewport → Width'],
	[['scrapeOptions', 'actions', 2, 'selector'], 'Browser → Actions → Selector, entry 3'],
	[['scrapeOptions', 'includeTags', 1], 'Page Content → Include Tags, entry 2'],
	[['scrapeOptions', 'redactPII', 'mode'], 'Page Content → Redaction Options → Mode'],
	[['sources', 1, 'type'], 'Sources, entry 2'],
	[['sources', 0, 'tbs'], 'Web: Published'],
	[['scrapeOptions', 'timeout'], 'Browser → Timeout (Seconds)'],
	[['timeout'], 'Timeout (Seconds)'],
	[['nothing'], undefined],
])('the place %j is named %s', (trail, label) => {
	expect(labelOf(formFieldsOf(searchAndScrape), trail)).toBe(label);
});
