/**
 * Texts that a page, a service, a model or a sheet may send, and that patterns and loops may take long for: what they
 * begin with, what they repeat to any length, and what they end with.
 */
export interface HostileText {
	name: string;
	begin: string;
	repeat: string;
	end: string;
}

const CHARACTERS = [
	...'\\"\'`,;|./?#%&@:([{<-=_$)]}>*+!~^',
	...[' ', '\t', '\n', '\r', '\u2028', '\u200b', '\u202e', '\ufeff', '\0', '0', '9', 'a', 'A'],
	// Lower case and capitals of some are longer; the last two are halves of an emoji.
	...['é', 'ß', 'İ', '中', 'א', '\u0301', '😀', '\ud800', '\udc00'],
];

/** What addresses, lists, escapes, Markdown, HTML, dates and the words that patterns look for are made of. */
const WORDS = [
	...['https://a.example/b ', 'https://a.example/b\n', 'https://a.example,', 'https://a.example;'],
	...['https://a.example/b|', 'https://a.example\t', 'https://https://', 'http://[', 'www.'],
	...['/scrape/', 'xn--a.', 'a.', 'a.a/', 'a.example ', 'a.example\n', '//:', '//a:b@', '/a, '],
	...['/a\n'],
	...['a, ', "'a' ", "'a'  ", "'], ['", '"], ["', "',\n'", '",\n"', '[0],', '{"a":', '["a",'],
	...['null,'],
	...['{"a":{"a":', '[[', '{},', '0,', '1e9,', '-1 ', '%25', '%2F', '%E4', '%e2%80%8b', '%'],
	...['\\u0061'],
	...['\\u00', '\\u0000', '\\x61', '\\"', '\\n', '\\\\n', '&amp;', '&#x61;', '&a=b', 'utm_a=b&'],
	...['=b;'],
	...['<a>', '</a>', '<a href="', '<!--', '[a](', '](', '![', '- ', '1. ', '“a”', '**', '```\n'],
	...['\r\n'],
	...['{{ $', '{{ $\n', 'undefined\n', 'null\n', '"undefined', '[object Object]'],
	...['[object Object]\n'],
	...['internal ', 'unexpected error ', ' Reason: ECONNRESET', ':error:', '0:error:0:a:b:'],
	...['site:'],
	...['… (shortened, 1', 'data:a;base64,', 'application/', 'a/b;', 'filename="', 'Bearer '],
	...['fc-0', '/v1'],
	...['2026-01-01', '2026-01-01T10:00:00Z', 'retry after 1 s ', '1h', 'cd_min:1/1/1'],
	...['Updated a ago\n'],
	...['(a|b)*', '(?:a+)+', '[a-z]+', '.*', 'a*'],
];

/** Letters of many kinds: names of hosts with them take Node time in proportion to the square of their length. */
const LETTERS = Array.from({ length: 600 }, (_, n) => String.fromCharCode(0x4e00 + 7 * n)).join('');

const text = (repeat: string, begin = '', end = ''): HostileText => ({
	name: JSON.stringify([begin, repeat, end].filter((part) => part !== '').join(' … ')),
	begin,
	repeat,
	end,
});

export const HOSTILE_TEXTS: HostileText[] = [
	...[...CHARACTERS, ...WORDS].map((repeat) => text(repeat)),
	// In turns with the next character, and with a line end.
	...CHARACTERS.map((one, index) => text(one + CHARACTERS[(index + 1) % CHARACTERS.length])),
	...[...'\\"\',;-1<“ \u200b'].map((one) => text(`${one}\n`)),
	...[...'/.?,\\%@ a'].map((repeat) => text(repeat, 'https://a.example/', '!')),
	...[LETTERS, '\u0301\u0316', 'xn--a.'].map((repeat) => text(repeat, 'https://a')),
	text('zzzzzzza', 'https://xn--'),
	text(`https://${LETTERS.slice(0, 60)}.${LETTERS.slice(60, 120)}.example/\n`),
	...[...'\'", ./'].map((repeat) => text(repeat, "['", "']")),
	...['["', '{"a":"', "['", '(', '[a](', '<', '<!--', '```\n', '"', '429 ', 'https://'].map(
		(begin) => text('a', begin),
	),
	...['["', "['", '"', '429 '].map((begin) => text('\\', begin)),
	...["'a' ", "'a'  ", "'a','b' "].map((repeat) => text(repeat, '[')),
	text('\\'.repeat(1_000) + 'n'),
	text(`${'\\'.repeat(1_023)}"`, '"', '"'),
	text('[', '', ']'),
	text('{"a":[', '', ']}'),
	...['"a",', '"https://a.example/b",', '"http://[",', '"undefined",', '0,', '{},', '[],'].map(
		(repeat) => text(repeat, '[', '""]'),
	),
];

/** Returns a text of about `length` characters. */
export function hostileText({ begin, repeat, end }: HostileText, length: number): string {
	const count = Math.max(1, Math.round((length - begin.length - end.length) / repeat.length));
	const made = begin + repeat.repeat(count) + end;
	// V8 joins the parts when a character is read, which should not count as the time of what is tested.
	made.charCodeAt(length / 2);
	return made;
}
