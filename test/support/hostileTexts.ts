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
	...'\\"\'`,;|./?#%&@:([{<>}])-=_*$!^+~',
	...[' ', '\t', '\n', '\r\n', '\u200b', '0', 'a', 'é', '😀', '\ud800', '\0'],
];

/** What parts of texts are made of: addresses, escapes, entities, and the words that patterns look for. */
const WORDS = [
	...[
		'https://a.example/b ',
		'https://a.example,',
		'http://',
		'https://https://',
		'www.',
		'/scrape/',
	],
	...['a.', 'a.a/', '//:', '//a:b@', 'a, ', "'a' ", "'a'  ", '"a" ', '[0],', '{"a":', '["a",'],
	...['%25', '%2F', '%41', '%E4', '\\u0061', '\\u00', '\\"', '\\n', '&amp;', '&#0', '=\\"a\\" '],
	...[
		'internal ',
		'unexpected error ',
		' Reason: ECONNRESET',
		'resets at ',
		'retry after 1',
		':error:',
	],
	...[
		'0:error:0:a:b:',
		'site:',
		'-site: ',
		'"undefined',
		'null,',
		'{{ $',
		'[object Object]',
		'```',
	],
	...[
		'```\n',
		'… (shortened, 1',
		'data:a;base64,',
		'Bearer ',
		'fc-0',
		'key=',
		'xn--a.',
		'/v1',
		'1. ',
		'- ',
	],
];

const text = (repeat: string, begin = '', end = ''): HostileText => ({
	name: JSON.stringify([begin, repeat, end].filter((part) => part !== '').join(' … ')),
	begin,
	repeat,
	end,
});

export const HOSTILE_TEXTS: HostileText[] = [
	...[...CHARACTERS, ...WORDS].map((repeat) => text(repeat)),
	// In turns with a letter, with a blank and with the next character.
	...CHARACTERS.flatMap((one, index) =>
		['a', ' ', CHARACTERS[(index + 1) % CHARACTERS.length]].map((other) => text(one + other)),
	),
	...CHARACTERS.map((repeat) => text(repeat, 'https://a.example/', '!')),
	...[...'\'", ./'].map((repeat) => text(repeat, "['", "']")),
	...['a', '\\', ' ', ','].flatMap((repeat) =>
		['["', '{"a":"', "['", '(', '<', '```\n', '"', '429 '].map((begin) => text(repeat, begin)),
	),
	...["'a' ", "'a'  ", "'a','b' "].map((repeat) => text(repeat, '[')),
	text('\\'.repeat(1_000) + 'n'),
	text(`${'\\'.repeat(1_023)}"`, '"', '"'),
	text('[', '', ']'),
	text('{"a":[', '', ']}'),
];

/** Returns a text of about so many characters. */
export function hostileText({ begin, repeat, end }: HostileText, length: number): string {
	const count = Math.max(1, Math.round((length - begin.length - end.length) / repeat.length));
	const made = begin + repeat.repeat(count) + end;
	// V8 puts the parts together when a character is read, which should not count as the time of what is tested.
	made.charCodeAt(length / 2);
	return made;
}
