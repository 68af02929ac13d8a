import type { IDataObject } from 'n8n-workflow';

import { markedPage, pageFailure } from '../../../../nodes/shared/run/results/pageFailure';

const NO_CONTENT = 'The service returned no content for this page';
const errorOf = (page: IDataObject, body?: IDataObject) =>
	(markedPage(page, body).metadata as IDataObject).error;
const metadata = { statusCode: 200, sourceURL: 'https://a.example/x' };

describe('a page', () => {
	it.each<[name: string, page: IDataObject, error: string | undefined]>([
		['with text', { markdown: 'Hi', metadata }, undefined],
		['with status 404', { metadata: { statusCode: 404 } }, 'The page answered with status 404'],
		[
			'with status 404 and its text',
			{ markdown: '# Not here', metadata: { statusCode: 404 } },
			'The page answered with status 404',
		],
		[
			'with the status 503 as text',
			{ markdown: 'Later', metadata: { statusCode: '503' } },
			'The page answered with status 503',
		],
		[
			'whose error the service names',
			{ markdown: 'Later', metadata: { statusCode: 503, error: 'Busy' } },
			'Busy',
		],
		...['', ' ', '\u200b\ufeff', null].map((markdown): [string, IDataObject, string] => [
			`with the text ${JSON.stringify(markdown)}`,
			{ markdown, metadata },
			NO_CONTENT,
		]),
		...Object.entries({
			id: 'x',
			scrapeId: 's1',
			cacheState: 'hit',
			creditsUsed: 1,
			success: true,
			title: 'Title',
		}).map(([name, value]): [string, IDataObject, string] => [
			`without text, but with ${name}`,
			{ markdown: '', [name]: value, metadata },
			NO_CONTENT,
		]),
		...[{}, { a: null }, { a: '' }, { a: [] }, { a: { b: ' ' } }].map(
			(json): [string, IDataObject, string] => [
				`with the fields ${JSON.stringify(json)}`,
				{ json, metadata },
				NO_CONTENT,
			],
		),
		...[{ a: 0 }, { a: false }, { a: [1] }, { a: { b: 'x' } }].map(
			(json): [string, IDataObject, undefined] => [
				`with the fields ${JSON.stringify(json)}`,
				{ json, metadata },
				undefined,
			],
		),
		['without links', { links: [], metadata }, undefined],
		['with content in a format of its own', { markdown: '', tables: [1], metadata }, undefined],
	])('%s', (_name, page, error) => {
		expect(errorOf(page)).toBe(error);
		expect(markedPage(page)).toMatchObject({ ...page, metadata: page.metadata as IDataObject });
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
