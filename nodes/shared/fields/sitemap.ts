import type { Field } from '../form/field';

/** What crawling and mapping do with the site's sitemap. */
export const sitemapField: Field = {
	displayName: 'Sitemap',
	name: 'sitemap',
	type: 'options',
	default: 'include',
	description: "What to do with the site's sitemap",
	options: [
		{ name: 'Include', value: 'include', description: 'Pages in the sitemap and linked pages' },
		{ name: 'Only', value: 'only', description: 'Only pages in the sitemap' },
		{ name: 'Skip', value: 'skip', description: 'Only linked pages' },
	],
};
