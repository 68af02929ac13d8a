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
	...'\\"\'`,;|./?#%&@:([{<-=_$',
	...[' ', '\t', '\n', '\u200b', '0', 'a', '😀', '\ud800', '\0'],
];

/** The parts of texts: addresses, entries of lists, escapes, and the words that patterns look for. */
const WORDS = [
	...[
		'https://a.example/b ',
		'https://a.example,',
		'https://https://',
		'www.',
		'/scrape/',
		'xn--a.',
	],
	...['a.', 'a.a/', '//:', '//a:b@', 'a, ', "'a' ", "'a'  ", '[0],', '{"a":', '["a",', 'null,'],
	...['%25', '%2F', '%E4', '\\u0061', '\\u00', '\\"', '\\n', '&amp;', '{{ $', '```\n', '\r\n'],
	...[
		'internal ',
		'unexpected error ',
		' Reason: ECONNRESET',
		':error:',
		'0:error:0:a:b:',
		'site:',
	],
	...[
		'… (shortened, 1',
		'data:a;base64,',
		'Bearer ',
		'fc-0',
		'/v1',
		'"undefined',
		'[object Object]',
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
	// Alternating with the next character.
	...CHARACTERS.map((one, index) => text(one + CHARACTERS[(index + 1) % CHARACTERS.length])),
	...[...'/.?,\\%@ a'].map((repeat) => text(repeat, 'https://a.example/', '!')),
	...[...'\'", ./'].map((repeat) => text(repeat, "['", "']")),
	...['["', '{"a":"', "['", '(', '<', '```\n', '"', '429 '].map((begin) => text('a', begin)),
	...['["', "['", '"', '429 '].map((begin) => text('\\', begin)),
	...["'a' ", "'a'  ", "'a','b' "].map((repeat) => text(repeat, '[')),
	text('\\'.repeat(1_000) + 'n'),
	text(`${'\\'.repeat(1_023)}"`, '"', '"'),
	text('[', '', ']'),
	text('{"a":[', '', ']}'),
];

/** Returns a text of about `length` characters. */
export function hostileText({ begin, repeat, end }: HostileText, length: number): string {
	const count = Math.max(1, Math.round((length - begin.length - end.length) / repeat.length));
	const made = begin + repeat.repeat(count) + end;
	// V8 joins the parts when a character is read, which should not count as the time of what is tested.
	made.charCodeAt(length / 2);
	return made;
}
