/** What people, sheets, chats, feeds and models write for the address of a page, and what becomes of it. */
import { linkEntries, noUrl, url, urlEntries, urls } from '../../../nodes/shared/form/urls';
import { errorOf, place } from '../../support/form';

const at = { ...place, labels: ['Options', 'Field'] };
const X = 'https://a.example/x';
const B = 'https://b.example';
const BEGIN = 'Begin it with https://, e.g. https://example.com.';
const ALONE = 'Enter the URL alone.';
const HOST = 'Check its host name and port, and enter the URL alone.';

describe('one address', () => {
	it.each<[what: string, entered: unknown, sent: string]>([
		['a URL', X, X],
		['capitals', 'HTTP://EXAMPLE.COM', 'HTTP://EXAMPLE.COM'],
		['a glob', 'https://*.example.com/*', 'https://*.example.com/*'],
		['a port', 'http://intranet:8080', 'http://intranet:8080'],
		['an IPv6 address', 'https://[::1]/x', 'https://[::1]/x'],
		['a host that ends with a dot', 'https://a_b.example.', 'https://a_b.example.'],
		['an international host', 'https://münchen.example', 'https://münchen.example'],
		['a user', 'https://john.doe:a,b@example.com/x,y', 'https://john.doe:a,b@example.com/x,y'],
		[
			'separators in its path',
			'https://example.com:8080/a,b;c=d/@48.1,11.5,12z',
			'https://example.com:8080/a,b;c=d/@48.1,11.5,12z',
		],
		[
			'a URL in its path',
			'https://web.example/2020/https://example.com/',
			'https://web.example/2020/https://example.com/',
		],
		['URLs in its query', `${X}?from=https://c.example,${B}`, `${X}?from=https://c.example,${B}`],
		['brackets in its path', 'https://w.example/A_(b)', 'https://w.example/A_(b)'],
		['a place in a page', `${X}?b#c`, `${X}?b#c`],
		['words such as undefined', 'https://undefined.example/null', 'https://undefined.example/null'],
		['an expression that doubles the scheme', `https://${X}`, X],
		['blanks around', ` ${X}\n`, X],
		['blanks without width', `\u200b\ufeff ${X}\u2060 \u200d`, X],
		['marks that nobody sees', `\u202a${X}\u2069`, X],
		// Without a scheme.
		['a domain', 'example.com', 'https://example.com'],
		['a domain with a path', 'www.example.com:8080/a?b#c', 'https://www.example.com:8080/a?b#c'],
		['an international domain', 'münchen.example/blog/*/a', 'https://münchen.example/blog/*/a'],
		['a domain and a comma', 'example.com/a,b', 'https://example.com/a,b'],
		['a domain and a user', 'example.com/@user', 'https://example.com/@user'],
		['a URL in the query of a domain', `a.example?u=${B}`, `https://a.example?u=${B}`],
		['a link without a scheme', '//a.example/x', X],
		// What browsers encode.
		['a space', 'https://example.com/my file.pdf', 'https://example.com/my%20file.pdf'],
		['a space and a comma', 'https://a.example/Smith, J.pdf', 'https://a.example/Smith,%20J.pdf'],
		['a space and brackets', 'https://a.example/a (1).pdf', 'https://a.example/a%20(1).pdf'],
		['letters beyond ASCII', 'https://a.example/über?q=ä', 'https://a.example/%C3%BCber?q=%C3%A4'],
		['an emoji', 'https://😀.example/😀', 'https://😀.example/%F0%9F%98%80'],
		['quotes and braces', 'https://a.example/"{x}', 'https://a.example/%22%7Bx%7D'],
		['quotes in its query', `${X}?q="x y"`, `${X}?q=%22x%20y%22`],
		['single quotes in its query', `${X}?q='x'`, `${X}?q=%27x%27`],
		['quotes and a comma in its query', `${X}?q="x",y`, `${X}?q=%22x%22,y`],
		['quotes around quotes', `"${X}?q="x""`, `${X}?q=%22x%22`],
		['words to search for', `${X}?q=best tea in town`, `${X}?q=best%20tea%20in%20town`],
		['encoded ones', 'https://a.example/my%20file', 'https://a.example/my%20file'],
		// Chats, mails and code.
		['Slack', `<${X}|Site>`, X],
		['Slack without a label', `<${X}>`, X],
		['Slack with an escape', '<https://a.example/x?b=1&amp;c=2|S>', 'https://a.example/x?b=1&c=2'],
		['Markdown', `[Site](${X})`, X],
		['Markdown with a title', `[Site](${X} "The site")`, X],
		['Markdown with brackets', '[A](https://w.example/A_(b))', 'https://w.example/A_(b)'],
		['an image of Markdown', `![Site](${X})`, X],
		['HTML', `<a href="${X}" target="_blank">Site</a>`, X],
		['a sitemap', `<loc>${X}</loc>`, X],
		['JSON that was escaped', 'https:\\/\\/a.example\\/x', X],
		['backticks', `\`${X}\``, X],
		['a code fence', `\`\`\`\n${X}\n\`\`\``, X],
		['code', `"${X}",`, X],
		['single quotes', `'${X}'`, X],
		['typographic quotes', `„${X}“`, X],
		['French quotes', `« ${X} »`, X],
		['a bracket', `(${X})`, X],
		['a name in front', `URL: ${X}`, X],
		[
			'Outlook',
			'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2Fx&data=05%7C01&reserved=0',
			X,
		],
		[
			'Outlook in HTML',
			'<a href="https://nam02.safelinks.protection.outlook.com/ap/x-59584e83/?url=https%3A%2F%2Fa.example%2Fx%3Fb%3D1%26c%3D2&amp;data=05">S</a>',
			`${X}?b=1&c=2`,
		],
		['Proofpoint 1', `https://urldefense.proofpoint.com/v1/url?u=${X}&k=abc%3D`, X],
		[
			'Proofpoint 2',
			'https://urldefense.proofpoint.com/v2/url?u=https-3A__a.example_my-2Dpage-3Fb-3D1&d=DwMFaQ&c=abc&e=',
			'https://a.example/my-page?b=1',
		],
		['Proofpoint 3', `https://urldefense.com/v3/__${X}__;!!AbC-1!xyz_9$`, X],
		['Proofpoint 3 of agencies', `https://urldefense.us/v3/__${X}__;!!AbC-1!xyz_9$`, X],
		['Proofpoint 3 in brackets', `<https://urldefense.com/v3/__${X}__;!!AbC!xyz$ >`, X],
		[
			'Proofpoint 3 with replaced characters',
			`https://urldefense.com/v3/__https:/a.example/*top**Bend*__;${Buffer.from('#-++!').toString('base64url')}!!AbC!xyz$`,
			'https://a.example/#top-++end!',
		],
		[
			'Proofpoint in Outlook',
			`https://x.safelinks.protection.outlook.com/?url=${encodeURIComponent(`https://urldefense.com/v3/__${X}__;!!a!b$`)}&data=1`,
			X,
		],
		['Google', `https://www.google.com/url?q=${X}%3Fb&sa=D&usg=abc`, `${X}?b`],
		[
			'a link of Outlook without an address',
			'https://x.safelinks.protection.outlook.com/?data=1',
			'https://x.safelinks.protection.outlook.com/?data=1',
		],
		...[...'。，、！？；：」』）】》،؛؟।'].map((end): [string, string, string] => [
			`${end} at its end`,
			`${X}${end}`,
			X,
		]),
		['corner brackets', `「${X}」。`, X],
		['wide brackets', `（${X}）`, X],
		['double angle brackets', `《${X}》`, X],
		['a title in front', `《标题》${X}`, X],
		['lenticular brackets', `【${X}】`, X],
		['a name and a wide colon', `网址：${X}`, X],
		['a domain and a wide stop', 'a.example/x。', X],
		['a host and a wide comma', 'https://a.example，', 'https://a.example'],
		[
			'wide marks in its path',
			'https://a.example/你好，a',
			'https://a.example/%E4%BD%A0%E5%A5%BD%EF%BC%8Ca',
		],
		['a backslash in its path', 'https://a.example/x\\y\\z', 'https://a.example/x/y/z'],
		['a backslash behind its host', 'https://a.example\\x', X],
		['a backslash in its query', `${X}?a=b\\c`, `${X}?a=b\\c`],
		['braces in its query', `${X}?a={b}^\`|c`, `${X}?a={b}^\`|c`],
		['a quote in its query', `${X}?a='b'c`, `${X}?a=%27b%27c`],
		['dots in its path', 'https://a.example/b/../x', X],
		['escapes of Markdown', 'https://a.example/x\\_y\\-z?a\\=b', 'https://a.example/x_y-z?a=b'],
		...['&amp;', '&AMP;', '&#38;', '&#038;', '&#x26;', '&#X0026;'].map(
			(entity): [string, string, string] => [entity, `${X}?a=1${entity}b=2`, `${X}?a=1&b=2`],
		),
		...[
			'<br/>',
			'<br />',
			'&nbsp;',
			'&quot;',
			'\\n',
			'【4†source】',
			', <@U123>',
			', <#C1|general>',
			', <mailto:a@b.example|a@b.example>',
		].map((end): [string, string, string] => [`${end} at its end`, `${X}${end}`, X]),
		['a scheme that was doubled without its colon', 'http://https//a.example/x', X],
		['a bullet', `- ${X}`, X],
		['a number', `1. ${X}`, X],
		['a box', `- [ ] ${X}`, X],
		['a full stop', `${X}.`, X],
		...['Apple_Inc.', 'Yahoo!_Inc.', 'J._R.', 'Acme-Ltd.', 'Washington,_D.C.', 'A,B.C'].map(
			(end): [string, string, string] => [
				end,
				`https://w.example/${end}`,
				`https://w.example/${end}`,
			],
		),
		[
			'a title with a stop',
			'https://w.example/君の名は。',
			'https://w.example/%E5%90%9B%E3%81%AE%E5%90%8D%E3%81%AF%E3%80%82',
		],
		['a comma', `${X},`, X],
		['a brace at its end', `${X}},`, X],
		['breaks of lines in code at its end', `${X}\\n\\n`, X],
		['a quote', `${X}"`, X],
		['attributes of HTML', `"${X}" target="_blank"`, X],
		['a table with a header', `name,url\nAnna,${X}`, X],
		...[').', '].', '”.', "'.", '".', ').,', '));', ']]', '>.', '».'].map(
			(end): [string, string, string] => [`${end} at its end`, X + end, X],
		),
		['brackets inside of brackets', '(https://w.example/A_(b))', 'https://w.example/A_(b)'],
		[
			'brackets inside of brackets and a stop',
			'(https://w.example/A_(b)).',
			'https://w.example/A_(b)',
		],
		['an archive of all pages', 'https://a.example/*/b/*', 'https://a.example/*/b/*'],
		['what breaks a long line', 'https://a.ex\u00adample/\u200bx', X],
		['three dots in its path', 'https://a.example/x...y', 'https://a.example/x...y'],
		['bold Markdown', `**${X}**`, X],
		['bold Markdown and a stop', `**${X}**.`, X],
		['HTML without quotes', `<a href=${X}>Site</a>`, X],
		['HTML in single quotes', `<a class='b' href='${X}'>Site</a>`, X],
		['a formula', `=HYPERLINK("${X}","Site")`, X],
		['a formula of another language', `=LINK("${X}";"Site")`, X],
		['turned quotes', `»${X}«`, X],
		['CDATA', `<![CDATA[${X}]]>`, X],
		['mail with a name', `"Site" <${X}>`, X],
		['a title in quotes', `“The Site” ${X}`, X],
		['a wiki', `[${X} Site]`, X],
		['a wiki with a long title', `[${X} The whole site]`, X],
		['a doubled scheme behind www', `https://www.${X}`, X],
		['a doubled scheme behind www alone', `www.${X}`, X],
		['a doubled scheme without its first colon', `https//${X}`, X],
		['a scheme three times', `https://https://${X}`, X],
		['dots in what is searched', `${X}?q=wait...`, `${X}?q=wait...`],
		...[
			'https://a.example/:w:/r/x',
			'https://a.example/a:b/c',
			'https://a.example/x...y',
			'https://a.example/x%2E%2E%2E',
			'https://a.example/a[1]',
			'https://a.example/?filter={}',
			'https://w.example/Sagittarius_A*',
			'https://a.example/?range=[1-10]',
			'https://a.example/?t=12:30',
			'https://a.example/50%25s',
			'https://a.example/%d0%b0',
			'https://a.example/?price=[10-20]',
		].map((one): [string, string, string] => ['what looks like a gap', one, one]),
		[
			'an ID in braces',
			'https://a.example/{ab12cd34-0000-4000-8000-000000000001}',
			'https://a.example/%7Bab12cd34-0000-4000-8000-000000000001%7D',
		],
		[
			'a query in braces',
			'https://a.example/graphql?query={posts}',
			'https://a.example/graphql?query={posts}',
		],
		// Lookups, sheets and models.
		['a lookup', [X], X],
		['a lookup as text', `["${X}"]`, X],
		['a list of Python', `['${X}']`, X],
		['an object', { url: X }, X],
		['an object as text', `{"url": "${X}"}`, X],
		['an object with a list', { urls: [X] }, X],
		['a column in capitals', { URL: X }, X],
		['a column of two words', { 'Website URL': X }, X],
		['a cell with a link', { text: 'Site', hyperlink: X }, X],
		['an object whose first name has nothing', { url: null, link: X }, X],
		['an object whose first name is empty', { url: '', link: X }, X],
		['an item', { json: { url: X }, pairedItem: { item: 0 } }, X],
		['items', [{ json: { url: X } }], X],
		['a link of a feed', { link: { href: X } }, X],
		['fenced JSON', `\`\`\`json\n{"urls": ["${X}"]}\n\`\`\``, X],
		['a list with an empty entry', ['', X], X],
	])('with %s is sent: %j', (_, entered, sent) => {
		expect(url(entered, at)).toBe(sent);
		expect(urls(entered, at)).toEqual([sent]);
		// The next time, it is the same.
		expect(url(sent, at)).toBe(sent);
	});

	it.each([[''], ['  \n'], [[]], [['']]])('is none in %j', (entered) => {
		expect(url(entered, at)).toBeUndefined();
		expect(urls(entered, at)).toBeUndefined();
	});

	it.each<[entered: unknown, quote: string, problem: string, remedy: string]>([
		['info@a.example', 'info@a.example', 'which is an email address', 'Enter that of a web page.'],
		['<info@a.example>', 'info@a.example', 'which is an email address', 'Enter that of'],
		['mailto:info@a.example', 'mailto:info@a.example', 'which is an email address', ''],
		['#top', '#top', 'which is a place in a page', BEGIN],
		['/docs', '/docs', 'which is a path without its site', BEGIN],
		['../docs', '../docs', 'which is a path without its site', BEGIN],
		['[A](/docs)', '/docs', 'which is a path without its site', BEGIN],
		['ftp://a.example', 'ftp://a.example', 'which is not the URL of a web page', BEGIN],
		['javascript:void(0)', 'javascript:void(0)', 'which is not the URL of a web page', BEGIN],
		['tel:0123456', 'tel:0123456', 'which is not the URL of a web page', BEGIN],
		[`see ${X}`, `see ${X}`, 'which is text with a URL in it', ALONE],
		...[
			...['{{ $json.id }}', '${id}', '{id}', '{user_id2}/a', 'item-{id}.html', ':id', ':slug/edit'],
			...['[1-10]', '[01-99]/b', '%s', '?q=%s', '?q=%s&r=1', '%d', '?page=[1-10]', '?a=1&id={id}'],
			...['?p=:page', '<id>/a', '[slug]', '[...slug]/a', '{}', '{0}', 'a/{1..9}', '%{id}', '#{id}'],
			...['%3Cid%3E', '?q={searchTerms}', '?a=1&q={q}#b'],
			...['%7Bid%7D', '%7B%7Bid%7D%7D', '?page={}'],
		].map((part): [string, string, string, string] => [
			`${X}/${part}`,
			`${X}/${part}`,
			'which has a part that was not filled in',
			'Turn the field into an expression, or fill it in.',
		]),
		[`${X} - the page`, `${X} - the page`, 'which has text behind the URL', ALONE],
		...[
			`${X} – abgerufen am 3.4.2024`,
			`${X} # the page`,
			`${X} // the page`,
			`${X} [en]`,
			`${X} ✅`,
		].map((told): [string, string, string, string] => [told, told, 'which has text behind', ALONE]),
		[`[[${X}][Site]]`, `${X}][Site`, 'which has text behind the URL', ALONE],
		[`${X} (the page)`, `${X} (the page)`, 'which has text behind the URL', ALONE],
		[`${X}（説明）`, `${X}（説明`, 'which has text behind the URL', ALONE],
		[`${X}。谢谢`, `${X}。谢谢`, 'which has text behind the URL', ALONE],
		...[
			`${X}…`,
			`${X}...`,
			'a.example/x…',
			'https://a.example/…/x',
			'https://a.example/.../x',
			`${X}[...]`,
			'a.example/y/long-na...',
		].map((cut): [string, string, string, string] => [
			cut,
			cut,
			'which is cut short',
			'Copy the whole URL.',
		]),
		...[
			`${X},Anna,3`,
			`${X},3,Anna`,
			`${X},Anna Smith`,
			`${X} "Title`,
			`${X},anna@b.example`,
			`${X};Anna;3`,
			`${X}|Anna`,
			`${X}\tAnna`,
		].map((row): [string, string, string, string] => [row, row, 'which has text behind', ALONE]),
		['https://a.example,Anna,3', 'https://a.example,Anna,3', 'which is not a URL', HOST],
		...['readme.md', 'guide.md', 'logo.ai', 'main.py', 'archive.zip'].map(
			(file): [string, string, string, string] => [file, file, 'which is not a URL', BEGIN],
		),
		['https://exa mple.com', 'https://exa mple.com', 'which has a space in its host name', ALONE],
		[`<${B}>, please`, 'https://b.example , please', 'which has text behind the URL', ALONE],
		[`${B} (Example Domain)`, `${B} (Example Domain)`, 'which has text behind the URL', ALONE],
		[`${B}/x\t12.50 EUR`, `${B}/x\t12.50 EUR`, 'which has text behind the URL', ALONE],
		['https://a.example/\0', 'https://a.example/\0', 'which has an invisible character', 'Copy it'],
		['https://a.example/\ud800', 'https://a.example/\ud800', 'which has an invisible', 'Copy it'],
		['https://example.com:99999', 'https://example.com:99999', 'which is not a URL', HOST],
		['https://a..example', 'https://a..example', 'which is not a URL', HOST],
		['https://!$&.example', 'https://!$&.example', 'which is not a URL', HOST],
		['https://undefined', 'https://undefined', 'which is not a URL', HOST],
		['https://N/A', 'https://N/A', 'which is not a URL', HOST],
		['http://none', 'http://none', 'which is not a URL', HOST],
		['https://www.', 'https://www.', 'which is not a URL', HOST],
		['"A";"https://b.example"', 'A";"https://b.example', 'which is text with a URL in it', ALONE],
		['https://null/', 'https://null/', 'which is not a URL', HOST],
		['https://', 'https://', 'which is not a URL', BEGIN],
		['https:///b.example', 'https:///b.example', 'which is not a URL', BEGIN],
		['https:\\\\b.example', 'https:\\\\b.example', 'which is not a URL', BEGIN],
		['localhost:8080/x', 'localhost:8080/x', 'which is not a URL', BEGIN],
		['intranet/x', 'intranet/x', 'which is not a URL', BEGIN],
		['about.html', 'about.html', 'which is not a URL', BEGIN],
		['index.php?id=3', 'index.php?id=3', 'which is not a URL', BEGIN],
		['192.168.1.5', '192.168.1.5', 'which is not a URL', BEGIN],
		['e.g.', 'e.g.', 'which is not a URL', BEGIN],
		[
			'Smith',
			'Smith',
			'which is not a URL',
			'For words, use Web Data Search. A URL is like https://example.com.',
		],
		...[
			'example.com pricing',
			'site:example.com jobs',
			'who is the CEO of example.com?',
			'price of a phone, 64 GB, at shop.example',
		].map((words): [string, string, string, string] => [
			words,
			words,
			'which is not a URL',
			'For words, use Web Data Search',
		]),
		['C:\\a\\b.pdf', 'C:\\a\\b.pdf', 'which is the name of a file', 'Read PDF or Office File'],
		['file:///tmp/b.pdf', 'file:///tmp/b.pdf', 'which is the name of a file', 'Read PDF or Office'],
		[`${X}/{page}`, `${X}/{page}`, 'which has a part that was not filled in', 'fill it in'],
		[5, '5', 'which is not a URL', BEGIN],
		[{ a: 1 }, '{"a":1}', 'which is not a URL', BEGIN],
	])('is named for what it is: %j', (entered, quote, problem, remedy) => {
		const one = errorOf(() => url(entered, at));
		expect(one.message).toContain(`Field is "${quote}", ${problem}`);
		expect(one.description).toContain(remedy);
		const inList = errorOf(() => urls([X, entered], at));
		expect(inList.message).toContain(`Field has "${quote}" (number 2), ${problem}`);
		expect(urlEntries([entered, X], at)).toEqual([
			{ url: quote, reason: expect.stringMatching(/^This (is|has) .*, so it was not sent$/) },
			{ url: X },
		]);
	});

	it.each([
		'https://a.example/*',
		'a.example/blog/**',
		'a.example/.*',
		'a.example/b/(.*)',
		'a.example/b/*/',
	])('is not all pages below it: %s', (entered) => {
		const { message, description } = errorOf(() => url(entered, at));
		expect(message).toMatch(/^Field is ".*", which has an asterisk at its end$/);
		expect(description).toContain('For all pages below a URL, use Web Data Crawl');
		expect(errorOf(() => urls([X, entered], at)).message).toMatch(
			/^Field has ".*" \(number 2\), which has an asterisk at its end$/,
		);
		expect(urlEntries([entered, X], at)).toEqual([
			{ url: expect.any(String), reason: expect.stringContaining('an asterisk at its end') },
			{ url: X },
		]);
		expect(urls(entered, at, true)).toEqual([expect.stringMatching(/\*\)?\/?$/)]);
		expect(urlEntries(entered, at, true)).toEqual([{ url: expect.stringMatching(/\*\)?\/?$/) }]);
	});

	it('with marks like those of a table may be encoded', () => {
		const { description } = errorOf(() => url(`${X};Anna;3`, at));
		expect(description).toContain(
			'A comma that belongs to it is %2C, a semicolon is %3B, a bar %7C.',
		);
		expect(url(`${X}%3BAnna%3B3`, at)).toBe(`${X}%3BAnna%3B3`);
	});

	it.each(['', ' ', null, undefined, NaN, true, {}])('leaves the others of a list: %j', (entry) => {
		expect(urlEntries([entry, X], at)).toEqual([
			{ url: expect.any(String), reason: 'This is not a URL, so it was not sent' },
			{ url: X },
		]);
	});
});

describe('several addresses', () => {
	it.each<[what: string, entered: unknown]>([
		['lines', `${X}\n${B}`],
		['lines of Windows in code', `${X}\\r\\n${B}`],
		['lines of Windows', `${X}\r\n\r\n${B}`],
		['a comma', `${X},${B}`],
		['a comma and a blank', `${X}, ${B}`],
		['a semicolon', `${X};${B}`],
		['a bar', `${X} | ${B}`],
		['a blank', `${X} ${B}`],
		['and', `${X} and ${B}`],
		['an ampersand', `${X} & ${B}`],
		['nothing between', `${X}${B}`],
		...[...'。，、！？；：،؛؟।'].map((mark): [string, string] => [mark, `${X}${mark}${B}`]),
		['a wide comma and a blank', `${X}， ${B}`],
		['corner brackets', `「${X}」、「${B}」`],
		['wide brackets', `（${X}）（${B}）`],
		['a wide comma between domains', 'a.example/x，b.example'],
		['an Arabic comma between domains', 'a.example/x، b.example'],
		['text without blanks in a list', [`${X}${B}`]],
		['a dash', `${X} - ${B}`],
		['quotes', `"${X}", "${B}"`],
		['quotes without a blank', `"${X}","${B}"`],
		['single quotes', `'${X}' '${B}'`],
		['angle brackets', `<${X}>, <${B}>`],
		['labels of Slack', `<${X}|A> <${B}|B>`],
		['Markdown', `[A](${X}), [B](${B})`],
		['HTML', `<a href="${X}">A</a> and <a href='${B}'>B</a>`],
		['a sitemap', `<url><loc>${X}</loc></url>\n<url><loc>${B}</loc></url>`],
		['bullets', `- ${X}\n• ${B}`],
		['numbers', `1. ${X}\n2) ${B}`],
		['high numbers', `1000. ${X}\n12345) ${B}`],
		['commas at the ends of lines', `${X},\n${B},`],
		['names', `Shop: ${X}\nBlog: ${B}`],
		['a name like that of a column', `Website: ${X};\nLink: ${B}`],
		['domains', 'a.example/x, b.example'],
		['a word between domains', 'a.example/x and b.example'],
		['a word before a domain', `${X} oder b.example`],
		['a list', [X, B]],
		['a list as text', `["${X}", "${B}"]`],
		['a list of Python', `['${X}','${B}',]`],
		['fenced JSON', `\`\`\`json\n["${X}", "${B}"]\n\`\`\``],
		['an object', { urls: [X, B] }],
		['an object as text', `{"links": ["${X}", "${B}"]}`],
		['objects', [{ url: X }, { url: B }]],
		['an object in each line', `{"url": "${X}"}\n{"url": "${B}"}`],
		['turned quotes', `»${X}«, »${B}«`],
		['formulas', `=HYPERLINK("${X}";"A")\n=HYPERLINK("${B}";"B")`],
		['one entry of a list', [`${X}, ${B}`]],
		['lists in a list', [[X], [B]]],
		...[',', ';', '\t', '|'].map((mark): [string, string] => [
			`a table with ${JSON.stringify(mark)}`,
			[
				['Name', '"Website URL"', 'n'],
				['Anna', X, 3],
				['Bob', `"${B}"`, 4],
			]
				.map((row) => row.join(mark))
				.join('\n'),
		]),
	])('with %s are sent as several: %j', (_, entered) => {
		expect(urls(entered, at)).toEqual([X, B]);
		expect(urlEntries(entered, at)).toEqual([{ url: X }, { url: B }]);
		const { message, description } = errorOf(() => url(entered, at));
		expect(message).toMatch(/^Field is ".*", which is more than one URL$/s);
		expect(description).toContain('Enter one URL; other URLs need items of their own.');
	});

	it.each([
		[`${X}?b=1,${B}`, [`${X}?b=1`, B]],
		[`${X}?b=1;${X}?b=2|${B}`, [`${X}?b=1`, `${X}?b=2`, B]],
		[`${X}?q="a","${B}"`, [`${X}?q=%22a%22`, B]],
		[`https://a.example/你好。${B}`, ['https://a.example/%E4%BD%A0%E5%A5%BD', B]],
		[`${X}#b,${B}/?c=1,d`, [`${X}#b`, `${B}/?c=1,d`]],
		[`${X}?u=${B},${B}/c`, [`${X}?u=${B},${B}/c`]],
	])('are told from a query: %s', (entered, found) => {
		expect(urls(entered, at)).toEqual(found);
	});

	it.each([`${X}, none, ${B}`, `${X}, none`, `n/a, ${X}`])(
		'are not lost beside a word for none: %s',
		(entered) => {
			const found = urlEntries(entered, at)!;
			expect(found.some(({ url: one }) => one === X)).toBe(true);
			expect(found.filter(({ reason }) => reason !== undefined)).toEqual([
				{ url: expect.stringMatching(/^(none|n\/a)$/), reason: expect.any(String) },
			]);
			expect(errorOf(() => urls(entered, at)).message).toMatch(/"(none|n\/a)" \(number \d\)/);
		},
	);

	it('keep a word in a path', () => {
		const path = 'https://a.example/salt and pepper';
		expect(urls(path, at)).toEqual([path.replaceAll(' ', '%20')]);
	});

	it('are none alone in a list of which each has a title', () => {
		const entered = `${X} (A)\n${B} (B)`;
		const error = noUrl(
			urlEntries(entered, at)!.map((one) => one.url),
			at,
		);
		expect(error.message).toBe(`Field has no URL alone, only "${X} (A), ${B} (B)"`);
		expect(noUrl(['info@a.example', '#a'], at).message).toContain('has no URL of a web page');
		expect(noUrl(['info@a.example'], at).message).toBe(
			'Field is "info@a.example", which is an email address, not a URL',
		);
		expect(
			errorOf(() => {
				throw noUrl([`${B}/*`], at);
			}).description,
		).toContain('For all pages below a URL');
	});

	it('are domains of which only the first has its scheme', () => {
		for (const entered of [
			'https://a.example，b.example',
			'https://a.example,b.example',
			'https://a.example; b.example',
		]) {
			expect(urls(entered, at)).toEqual(['https://a.example', B]);
		}
	});

	it('have to be some where they are typed, other than in a list', () => {
		expect(() => linkEntries(`${X}\n/docs`, at)).toThrow('which is a path without its site');
		expect(linkEntries(`["${X}", "/docs"]`, at)).toEqual([
			{ url: X },
			{ url: '/docs', reason: 'This is a path without its site, not a URL, so it was not sent' },
		]);
		expect(linkEntries([], at)).toBeUndefined();
	});
});

it('quotes at most 80 characters of an address', () => {
	const long = `localhost/${'x'.repeat(200)}`;
	const quote = `"${long.slice(0, 79)}…"`;
	expect(errorOf(() => url(long, at)).message).toContain(`is ${quote}, `);
	expect(errorOf(() => urls(long, at)).message).toContain(`has ${quote} `);
});
