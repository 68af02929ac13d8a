import { MAX_DEPTH } from '../base/limits';
import { beginningOf } from '../base/text';
import { quoted } from './checks';

const CLOSING: Record<string, string> = { '{': '}', '[': ']' };

/** Longest part (characters) of a JSON text that is shown to say where its mistake is. */
const LONGEST_SHOWN = 30;

const SPACE = /[ \t\r\n]*/y;
const WORD = /[^\s,:{}[\]"]*/y;
const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const OTHER_QUOTE = /^['`‘’“”„«»]/;

/** Returns the position behind what a sticky pattern matches. */
function behind(pattern: RegExp, text: string, at: number): number {
	pattern.lastIndex = at;
	pattern.exec(text);
	return pattern.lastIndex;
}

/** Returns the position behind a string in quotes, or what is wrong with the string. */
function behindString(text: string, start: number): number | string {
	for (let at = start + 1; at < text.length; at++) {
		if (text[at] === '"') return at + 1;
		if (text[at] === '\\') {
			if (!/^(?:["\\/bfnrt]|u[\da-f]{4})/i.test(text.slice(at + 1, at + 6))) {
				return 'a backslash must be written twice in';
			}
			at++;
		} else if (text[at] < ' ') {
			return 'there is a line break or tab, or a quote is missing, in';
		}
	}
	return 'the closing quote is missing in';
}

/** Returns the first mistake of a text that isn't JSON, its position and, if it is a word, that of the word's end. */
function firstMistake(text: string): [what: string, at: number, end?: number] {
	const open: string[] = [];
	let wants: 'value' | 'name' | 'colon' | 'comma' | 'end' = 'value';
	let before = '';
	for (let at = behind(SPACE, text, 0); ; at = behind(SPACE, text, at)) {
		const sign = text[at];
		const closing = CLOSING[open.at(-1) ?? ''];
		if (sign === undefined) {
			return [closing ? `${closing} is missing at the end` : 'it has nothing in it', at];
		}
		if (wants === 'end') return ['it goes on after its end with', at];
		if (sign === closing && wants !== 'colon') {
			if (before === ',') return ['there is a comma too many before', at];
			if (before === ':') return ['a value is missing before', at];
			open.pop();
			wants = open.length > 0 ? 'comma' : 'end';
			at++;
		} else if (wants === 'comma' || wants === 'colon') {
			if (sign !== (wants === 'comma' ? ',' : ':')) return [`a ${wants} is missing before`, at];
			wants = wants === 'comma' && open.at(-1) === '{' ? 'name' : 'value';
			at++;
		} else if (sign === '"') {
			const end = behindString(text, at);
			if (typeof end === 'string') return [end, at];
			wants = wants === 'name' ? 'colon' : open.length > 0 ? 'comma' : 'end';
			at = end;
		} else if (wants === 'value' && CLOSING[sign]) {
			if (open.length === MAX_DEPTH) return ['there are too many open brackets before', at];
			open.push(sign);
			wants = sign === '{' ? 'name' : 'value';
			at++;
		} else {
			const end = behind(WORD, text, at);
			if (OTHER_QUOTE.test(sign)) return ['quotes must be ", unlike in', at];
			if (end === at) return [`a ${wants} is missing before`, at];
			if (wants === 'name' || !LITERAL.test(text.slice(at, end))) {
				return ['quotes are missing around', at, end];
			}
			wants = open.length > 0 ? 'comma' : 'end';
			at = end;
		}
		before = sign;
	}
}

/** Returns what is wrong with a text that isn't JSON, and where. */
export function jsonMistake(text: string): string {
	const [what, at, end = at + 2 * LONGEST_SHOWN] = firstMistake(text);
	const [rest] = text.slice(at, end).split('\n', 1);
	const line = text.slice(0, at).split('\n').length;
	const place = text.trim().includes('\n') ? `in line ${line}, ` : '';
	// JSON has quotes of its own.
	const shown = quoted(beginningOf(rest.trim(), LONGEST_SHOWN)).slice(1, -1);
	return `${place}${what} ${shown}`.trimEnd();
}
