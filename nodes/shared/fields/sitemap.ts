import { choiceField } from '../form/controls';
import type { Field } from '../form/field';

/** Chooses how an operation uses the site's sitemap; the choices say which pages it takes. */
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
