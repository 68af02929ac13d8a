/**
 * What a page or a service sends, and what is entered in a form: the time to read it may grow only linearly with the
 * text, so that no text blocks n8n. Patterns are also checked by eslint (eslint.own.mjs), loops only here.
 */
import { allForms } from '../contract/entered';
import { cpuTime, slowness } from '../support/cpuTime';
import { READERS, type Reads } from '../support/hostileReaders';
import { HOSTILE_TEXTS, type HostileText, hostileText } from '../support/hostileTexts';
import { freshLimiters } from '../support/limiters';

/** Length of the longest text (characters), and most CPU time (ms) for it. */
const LONGEST = 1_000_000;
const MOST_MS = 400;

/** What takes less (ms) for a twentieth of that length keeps to it even where the time grows with the square of the length. */
const SHORT_MS = 0.5;

/** What a text of twice the length may take longer, and what isn't noticed (ms). */
const MOST_GROWTH = 3;
const UNNOTICED_MS = 100;

/** How many kinds of texts are tried in their whole length, besides those that take so many times as long for ten times the length. */
const MOST_TRIED = 3;
const MOST_TIMES = 30;

/** Lengths that come before: a function whose time explodes ends the test before anyone waits for long. */
const FIRST_LENGTHS = [16, 24, 36, 54, 80, 120, 250, 1_000, 5_000, 50_000];

async function timeOf(reads: Reads, text: string): Promise<number> {
	const spent = cpuTime();
	try {
		await reads(text);
	} catch {
		// A text may be rejected, which also takes time.
	}
	return spent();
}

/** Returns the least of a few times, because other work of this process may count into one of them. */
async function leastTimeOf(reads: Reads, text: string, isFine: (ms: number) => boolean) {
	let least = Infinity;
	for (let tries = 0; tries < 5 && !isFine(least); tries++) {
		const ms = await timeOf(reads, text);
		least = Math.min(least, isFine(ms) ? ms : ms / slowness());
	}
	return least;
}

interface Tried {
	kind: HostileText;
	/** Time for the longest of the first lengths, and for a tenth of it (ms). */
	ms: number;
	tenthMs: number;
}

/** Tries short texts of one kind; returns undefined as soon as one takes too long. */
async function tried(reads: Reads, kind: HostileText): Promise<Tried | undefined> {
	const isFine = (ms: number) => ms <= MOST_MS / 20 + UNNOTICED_MS;
	const times: number[] = [];
	for (const length of FIRST_LENGTHS) {
		const ms = await leastTimeOf(reads, hostileText(kind, length), isFine);
		if (!isFine(ms)) return undefined;
		times.unshift(ms);
	}
	const [ms, tenthMs] = times;
	return { kind, ms, tenthMs };
}

/** Returns what is wrong with a function's time for a kind of text; undefined if nothing is. */
async function problemOf(reads: Reads, kind: HostileText): Promise<string | undefined> {
	const text = hostileText(kind, LONGEST);
	const ms = await leastTimeOf(reads, text, (time) => time <= MOST_MS);
	if (ms > MOST_MS) return `${kind.name}: ${Math.round(ms)} ms`;
	const half = await timeOf(reads, hostileText(kind, LONGEST / 2));
	const most = MOST_GROWTH * half + UNNOTICED_MS;
	const again = await leastTimeOf(reads, text, (time) => time <= most);
	const grows = `${kind.name}: ${Math.round(half)} ms grow to ${Math.round(again)} ms`;
	return again > most ? grows : undefined;
}

beforeEach(freshLimiters);

it.each(READERS)('%s takes no longer than its text is long', async (_name, reads) => {
	const slow: string[] = [];
	const short: Tried[] = [];
	for (const kind of HOSTILE_TEXTS) {
		const found = await tried(reads, kind);
		if (found) short.push(found);
		else slow.push(kind.name);
		// What is slow for some is slow for many, and a failing test shouldn't take hours.
		if (slow.length >= 3) break;
	}
	expect(slow).toEqual([]);
	// Trying all at full length would take too long, so only the slowest ones and those whose time grows most.
	const long = short.filter(({ ms }) => ms > SHORT_MS);
	const slowest = long.sort((a, b) => b.ms - a.ms).slice(0, MOST_TRIED);
	const growing = long.filter(({ ms, tenthMs }) => ms > MOST_TIMES * tenthMs);
	const problems: string[] = [];
	for (const { kind } of new Set([...slowest, ...growing])) {
		const problem = await problemOf(reads, kind);
		if (problem !== undefined) problems.push(problem);
	}
	expect(problems).toEqual([]);
});

/** Lengths of texts in forms, and most CPU time (ms) for the longest without trying more. */
const FORM_LENGTHS = [30, 1_000, 20_000];
const MOST_FORM_MS = 25;

/** A control gets every so manieth text, another one in each form: forms share most of their controls. */
const STEP = 12;

it.each(allForms)('%s takes a text no longer than it is long', async (_title, form) => {
	const problems: string[] = [];
	const texts = form.samples.filter(({ entered }) => typeof entered !== 'boolean');
	const entries = texts.flatMap((sample, at) =>
		HOSTILE_TEXTS.filter((_, index) => index % STEP === (at + form.title.length) % STEP).map(
			(kind) => ({ sample, kind }),
		),
	);
	for (const { sample, kind } of entries) {
		const reads: Reads = (text) => form.entered(sample, text);
		let ms = 0;
		for (const length of FORM_LENGTHS) {
			ms = await leastTimeOf(reads, hostileText(kind, length), (time) => time <= MOST_FORM_MS);
			if (ms > MOST_FORM_MS) break;
		}
		if (ms <= MOST_FORM_MS) continue;
		const isLinear = (await tried(reads, kind)) !== undefined;
		const problem = isLinear ? await problemOf(reads, kind) : `${kind.name} is slow`;
		if (problem !== undefined) problems.push(`${sample.control}: ${problem}`);
		// A failing test shouldn't take hours.
		if (problems.length >= 3) break;
	}
	expect(problems).toEqual([]);
});
