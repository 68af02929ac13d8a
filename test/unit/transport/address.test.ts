import type { INode } from 'n8n-workflow';

import { pathSegment, serviceRoot } from '../../../nodes/shared/transport';

const node = { name: 'Web Data Crawl', type: 'webDataCrawl', parameters: {} } as unknown as INode;

describe('serviceRoot', () => {
	it.each([
		['https://api.example.com', 'https://api.example.com'],
		['https://api.example.com/', 'https://api.example.com'],
		[' https://api.example.com// ', 'https://api.example.com'],
		['https://api.example.com/v1', 'https://api.example.com'],
		['https://api.example.com/v2/', 'https://api.example.com'],
		['https://api.example.com/scraper/v2', 'https://api.example.com/scraper'],
		['https://api.example.com/scraper//', 'https://api.example.com/scraper'],
		['https://api.example.com/v3', 'https://api.example.com/v3'],
		['http://127.0.0.1:3002/x', 'http://127.0.0.1:3002/x'],
		['HTTPS://API.example.com', 'https://api.example.com'],
	])('%s', (entered, root) => {
		expect(serviceRoot(entered, node)).toBe(root);
	});

	it.each([
		'',
		undefined,
		7,
		'api.example.com',
		'ftp://x.example',
		'https://',
		'https://a?b',
		'https://a#b',
		'https://u:p@a',
	])('refuses %s', (entered) => {
		expect(() => serviceRoot(entered, node)).toThrow(/Base URL/);
	});
});

describe('pathSegment', () => {
	it.each([
		['0f8fad5b-d9cb-469f-a165-70867728950e', '0f8fad5b-d9cb-469f-a165-70867728950e'],
		[' abc ', 'abc'],
		[17, '17'],
		['a b&c', 'a%20b%26c'],
		['…', '%E2%80%A6'],
	])('%s', (id, segment) => {
		expect(pathSegment(id, 'Job ID', node)).toBe(segment);
	});

	it.each([
		'',
		' ',
		undefined,
		null,
		{},
		'.',
		'..',
		'../x',
		'a/b',
		'a\\b',
		'%2e%2e',
		'a?b',
		'a#b',
		'a\nb',
		'a\u007fb',
	])('refuses %j', (id) => {
		expect(() => pathSegment(id, 'Job ID', node, 4)).toThrow(/^Job ID is (empty|not an id)$/);
	});
});
