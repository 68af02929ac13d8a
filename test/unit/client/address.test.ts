import type { INode } from 'n8n-workflow';

import { crawlField } from '../../../nodes/WebDataCrawl/operations/crawlField';
import { scrapeIdField } from '../../../nodes/WebDataScrape/operations/scrapeIdField';
import { jobIdField } from '../../../nodes/shared/fields/jobLocator';
import type { Field } from '../../../nodes/shared/form/field';
import { checkedId } from '../../../nodes/shared/form/ids';
import { serviceRoot } from '../../../nodes/shared/client/account';
import { composed, errorOf } from '../../support/form';

const node = { name: 'Web Data Crawl', type: 'webDataCrawl', parameters: {} } as unknown as INode;

describe('serviceRoot', () => {
	it.each([
		['https://api.example.com', 'https://api.example.com'],
		['\u202ahttps://api.example.com\u202c\u200b', 'https://api.example.com'],
		[' https://api.example.com// ', 'https://api.example.com'],
		['https://api.example.com/v2/', 'https://api.example.com'],
		['https://api.example.com/scraper///v2//', 'https://api.example.com/scraper'],
		['https://api.example.com/v3', 'https://api.example.com/v3'],
		['https://api.example.com/v1/scraper', 'https://api.example.com/v1/scraper'],
		['http://127.0.0.1:3002/x', 'http://127.0.0.1:3002/x'],
		['HTTPS://API.example.com', 'https://api.example.com'],
		['https://api.example.com/v2#', 'https://api.example.com'],
	])('%s', (entered, root) => {
		expect(serviceRoot(entered, node)).toBe(root);
	});

	it.each([
		['api.example.com', 'https://api.example.com'],
		['api.example.com:8443/scraper/v2/', 'https://api.example.com:8443/scraper'],
		['[2001:db8::1]', 'https://[2001:db8::1]'],
		['localhost.example.com', 'https://localhost.example.com'],
		['172.32.0.1', 'https://172.32.0.1'],
		['localhost', 'http://localhost'],
		['127.0.0.1:3002', 'http://127.0.0.1:3002'],
		['172.17.0.1:3002', 'http://172.17.0.1:3002'],
		['[::1]:3002', 'http://[::1]:3002'],
		['firecrawl:3002/v1', 'http://firecrawl:3002'],
	])('adds the scheme that %s lacks, http:// for a local host alone', (entered, root) => {
		expect(serviceRoot(entered, node)).toBe(root);
	});

	it.each([
		['', 'is empty'],
		[7, 'is empty'],
		['fc-0123456789', 'has to start with https:// or http://'],
		['ftp://x.example', 'has to start with https:// or http://'],
		['https://', 'is not a valid address'],
		['https://a?b', 'contains a “?” or “#”'],
		['https://a#b', 'contains a “?” or “#”'],
		['https://u:p@a', 'contains a user name or password'],
		['localhost:80@a.example', 'contains a user name or password'],
	])('rejects %s', (entered, problem) => {
		const error = errorOf(() => serviceRoot(entered, node));
		expect(error.message).toBe(`The Base URL of the credential ${problem}`);
		expect(error.description).toContain('like this: https://api.example.com');
		expect(error.level).toBe('warning');
	});

	it.each([
		'fc-0123456789abcdef',
		'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjMifQ.AbC_dEf-123',
		`sk.${'a1'.repeat(32)}`,
	])('neither looks up nor quotes what may be the key in the wrong field: %s', (key) => {
		const { message, description } = errorOf(() => serviceRoot(key, node));
		expect(message).toMatch(/has to start with https/);
		expect(description).toBe('Enter it in the credential like this: https://api.example.com');
	});
});

describe('checkedId', () => {
	const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
	const at = { node, labels: ['Job ID'] };
	const atItem = { ...at, itemIndex: 4 };

	it.each([
		[UUID, UUID],
		[' abc ', 'abc'],
		[17, '17'],
		['…', '…'],
		['\u200babc\u200b', 'abc'],
		['run_7:2', 'run_7:2'],
		['a'.repeat(200), 'a'.repeat(200)],
		...[`job-${UUID}`, `team:${UUID}`, `${UUID}_2`].map((id): [string, string] => [id, id]),
	])('%s', (id, checked) => {
		expect(checkedId(id, at)).toBe(checked);
	});

	it('is that of a crawl also in the address of its status, and nowhere else', () => {
		const pathOf = (field: Field<string>, entered: unknown) =>
			composed([field], { [field.name]: entered as string }).path[field.name];
		const crawl = `https://api.example/v2/crawl/${UUID}`;
		for (const entered of [crawl, { mode: 'id', value: `${crawl}?skip=1` }])
			expect(pathOf(crawlField, entered)).toBe(UUID);
		for (const field of [crawlField, scrapeIdField, jobIdField('batch')])
			expect(() => pathOf(field, `https://api.example/v2/scrape/${UUID}`)).toThrow('is not an ID');
	});

	it.each([
		'',
		undefined,
		null,
		{},
		'.',
		'..',
		'a/b',
		'a\\b',
		'a%2Fb',
		'a?b',
		'a#b',
		'a\nb',
		'a\u0000b',
		'a'.repeat(201),
		...['id: abc', 'abc, def', true, NaN, ['abc']],
		...[`https://a.example/pages/${UUID}`, `${UUID}, ${UUID.replace('0', '1')}`],
	])('rejects %j', (id) => {
		expect(() => checkedId(id, atItem)).toThrow(/^Job ID is (empty|"[^]*", which is not an ID)$/);
	});

	it('says which item was left out, if there is one, what the ID is, and what to do', () => {
		for (const id of [' ', 'a/bbb']) {
			const { message, description, context, level } = errorOf(() => checkedId(id, atItem));
			expect(message).toContain(id.trim());
			expect(description).toContain('Nothing was sent for item 5 (index 4) (field: Job ID).');
			expect([context.itemIndex, level]).toEqual([4, 'warning']);
			const ofNone = errorOf(() => checkedId(id, at)).description;
			expect(ofNone).toMatch(/ Nothing was sent \(field: Job ID\)\.$/);
		}
	});
});
