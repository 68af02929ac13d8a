import { textField } from '../../shared/form/controls';
import type { Operation } from '../../shared/run/operation';
import { checkResult, dataOf } from '../../shared/run/results/response';
import { site } from './startFields';

const prompt = textField('prompt', 'Prompt', {
	typeOptions: { rows: 2 },
	required: true,
	placeholder: 'e.g. Only the blog posts of this year',
	description: 'What to crawl, in your own words',
	wire: { maxLength: 10_000 },
});

/** Returns the settings that the service derives from a prompt; nothing is crawled (api/beyond.openapi.yaml). */
export const previewSettings: Operation = {
	name: 'Preview Crawl Settings',
	description: 'Preview the crawl settings that the service derives from a prompt',
	method: 'POST',
	path: '/v2/crawl/params-preview',
	fields: [site, prompt],
	resultsKey: 'data',
	split: (response) => {
		checkResult('settings', response);
		return dataOf(response);
	},
};
