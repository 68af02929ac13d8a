/**
 * What a page or a service sends, and what is entered in a form: the time to read it may grow only linearly with the
 * text, so that no text blocks n8n. Patterns are also checked by eslint (eslint.own.mjs), loops only here.
 */
jest.mock('../../nodes/shared/base/time', () =>
	jest.requireActual<typeof import('../support/quickTime')>('../support/quickTime').quickTime(),
);

import { allForms } from '../contract/entered';
import { cpuTime, slowness } from '../support/cpuTime';
import { DOORS, type Reads, closeDoors, openDoors } from '../support/hostileDoors';
import { HOSTILE_TEXTS, type HostileText, hostileText } from '../support/hostileTexts';

/** Length of the longest text (characters). */
const LONGEST = 1_000_000;

/** What takes longer (ms) isn't tried again: no other work explains it. */
const CERTAIN_MS = 2_000;

/** What a text of twice the length may take longer, and what isn't noticed (ms). */
const MOST_GROWTH = 3;
const UNNOTICED_MS = 100;

/** Lengths that come before: a function whose time explodes ends the test before anyone waits for long. */
const FIRST_LENGTHS = [16, 24, 36, 54, 80, 120, 250, 1_000, 5_000, 50_000];

/** Most CPU time (ms) for each of these. */
const MOST_SHORT_MS = 120;

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
		if (least > CERTAIN_MS) break;
	}
	return least;
}

/** Whether short texts of one kind are read in time. */
async function isReadShort(reads: Reads, kind: HostileText): Promise<boolean> {
	const isFine = (ms: number) => ms <= MOST_SHORT_MS;
	for (const length of FIRST_LENGTHS) {
		if (!isFine(await leastTimeOf(reads, hostileText(kind, length), isFine))) return false;
	}
	return true;
}

/** Returns what is wrong with a function's time for a kind of text; undefined if nothing is. */
async function problemOf(
	reads: Reads,
	kind: HostileText,
	longestMs: number,
): Promise<string | undefined> {
	const text = hostileText(kind, LONGEST);
	const ms = await leastTimeOf(reads, text, (time) => time <= longestMs);
	if (ms > longestMs) return `${kind.name}: ${Math.round(ms)} ms`;
	const half = await timeOf(reads, hostileText(kind, LONGEST / 2));
	const most = MOST_GROWTH * half + UNNOTICED_MS;
	const again = await leastTimeOf(reads, text, (time) => time <= most);
	const grows = `${kind.name}: ${Math.round(half)} ms grow to ${Math.round(again)} ms`;
	return again > most ? grows : undefined;
}

beforeAll(openDoors);
afterAll(closeDoors);

interface Limits {
	/** Lengths of the first texts. */
	lengths: number[];
	/** Most CPU time (ms) for the longest of them without trying more. */
	mostMs: number;
	/** Most CPU time (ms) for the longest text. */
	longestMs: number;
	/** Every so manieth text is tried, another one in each place: forms and doors share most of what reads them. */
	step: number;
}

const IN_FORM: Limits = { lengths: [30, 1_000, 20_000], mostMs: 25, longestMs: 400, step: 24 };

/** A response has an eighth of the text in each of its fields. */
const OF_OPERATION: Limits = { lengths: [30, 160_000], mostMs: 120, longestMs: 1_500, step: 24 };
const OF_OTHERS = { ...OF_OPERATION, step: 12 };

/** Returns the texts that are tried in the place of this number. */
const textsAt = (place: number, { step }: Limits) =>
	HOSTILE_TEXTS.filter((_, index) => index % step === place % step);

/** Returns what is wrong with the time for a kind of text that gets longer; undefined if nothing is. */
async function slowIn(reads: Reads, kind: HostileText, { lengths, mostMs, longestMs }: Limits) {
	let ms = 0;
	for (const length of lengths) {
		ms = await leastTimeOf(reads, hostileText(kind, length), (time) => time <= mostMs);
		if (ms > mostMs) break;
	}
	if (ms <= mostMs) return undefined;
	const isShortFine = await isReadShort(reads, kind);
	return isShortFine ? await problemOf(reads, kind, longestMs) : `${kind.name} is slow`;
}

it.each(DOORS)('%s takes a text no longer than it is long', async (name, reads) => {
	const problems: string[] = [];
	const limits = name.startsWith('Web Data') ? OF_OPERATION : OF_OTHERS;
	const place = DOORS.findIndex(([door]) => door === name);
	for (const kind of textsAt(place, limits)) {
		const problem = await slowIn(reads, kind, limits);
		if (problem !== undefined) problems.push(problem);
		// A failing test shouldn't take hours.
		if (problems.length >= 3) break;
	}
	expect(problems).toEqual([]);
});

it.each(allForms)('%s takes a text no longer than it is long', async (_title, form) => {
	const problems: string[] = [];
	const texts = form.samples.filter(({ entered }) => typeof entered !== 'boolean');
	const entries = texts.flatMap((sample, at) =>
		textsAt(at + form.title.length, IN_FORM).map((kind) => ({ sample, kind })),
	);
	for (const { sample, kind } of entries) {
		const reads: Reads = async (text) => form.entered(sample, text);
		const problem = await slowIn(reads, kind, IN_FORM);
		if (problem !== undefined) problems.push(`${sample.control}: ${problem}`);
		if (problems.length >= 3) break;
	}
	expect(problems).toEqual([]);
});
