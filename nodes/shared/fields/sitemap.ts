import type { Field } from '../form/field';

/** What crawling and mapping do with the site's sitemap. */
export const sitemapField: Field = {
	displayName: 'Sitemap',
	name: 'sitemap',
	type: 'options',
	default: 'include',
	description: "What to do with the site's sitemap",
	options: [
		{ name: 'Include', value: 'include', description: 'Its pages and those that are linked' },
		{ name: 'Only', value: 'only', description: 'Its pages alone' },
		{ name: 'Skip', value: 'skip', description: 'Linked pages alone' },
	],
};
