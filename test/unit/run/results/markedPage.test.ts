import type { IDataObject } from 'n8n-workflow';

import { markedPage, pageFailure } from '../../../../nodes/shared/run/results/pageFailure';

const NO_CONTENT = 'The service returned no content for this page';
const errorOf = (page: IDataObject, body?: IDataObject) =>
	(markedPage(page, body).metadata as IDataObject).error;
const metadata = { statusCode: 200, sourceURL: 'https://a.example/x' };
const withFields = (...all: IDataObject[]) => all.map((json) => ({ json, metadata }));

describe('a page', () => {
	it.each<[error: string | undefined, pages: IDataObject[]]>([
		['The page answered with status 404', [{ metadata: { statusCode: 404 } }]],
		[
			'The page answered with status 503',
			[{ markdown: 'Later', metadata: { statusCode: 503 } }, { metadata: { statusCode: '503' } }],
		],
		['Busy', [{ markdown: 'Later', metadata: { statusCode: 503, error: 'Busy' } }]],
		[NO_CONTENT, ['', ' ', '\u200b\ufeff', null].map((markdown) => ({ markdown, metadata }))],
		[
			NO_CONTENT,
			['id', 'scrapeId', 'cacheState', 'creditsUsed', 'success', 'title'].map((name) => ({
				...{ markdown: '', [name]: 'x', metadata },
			})),
		],
		[NO_CONTENT, withFields({}, { a: null }, { a: '' }, { a: [] }, { a: { b: ' ' } })],
		[undefined, withFields({ a: 0 }, { a: false }, { a: [1] }, { a: { b: 'x' } })],
		[
			undefined,
			[
				{ markdown: 'Hi', metadata },
				{ links: [], metadata },
				{ markdown: '', tables: [1], metadata },
			],
		],
	])('has the error %j: %j', (error, pages) => {
		for (const page of pages) {
			expect([page, errorOf(page)]).toEqual([page, error]);
			expect(markedPage(page)).toMatchObject({ ...page, metadata: page.metadata as IDataObject });
		}
	});

	it('is named by its error, also if only the result of a search says which it is', () => {
		const page = { url: 'https://a.example/y', markdown: '', metadata: { statusCode: 200 } };
		expect(pageFailure(markedPage(page))?.details.description).toContain(
			'Page: https://a.example/y.',
		);
	});

	it('says its status once', () => {
		const error = pageFailure(markedPage({ metadata: { statusCode: 404 } }));
		expect(error?.message).toBe('The page answered with status 404');
		expect(error?.details.description).not.toContain('Reason');
	});
});
