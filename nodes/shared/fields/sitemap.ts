import { choiceField } from '../form/controls';
import type { Field } from '../form/field';

/** Creates a dropdown for how to use the site's sitemap; `pages` describes which pages each choice includes. */
export const sitemapField = (pages: Record<'include' | 'only' | 'skip', string>): Field =>
	choiceField('sitemap', 'Sitemap', {
		default: 'include',
		description: "How to use the site's sitemap",
		choices: [
			['include', 'Include', pages.include],
			['only', 'Only', pages.only],
			['skip', 'Skip', pages.skip],
		],
	});
