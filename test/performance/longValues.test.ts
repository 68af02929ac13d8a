/**
 * A text of 5 MB, as an expression may return it, in every control of every form: an error or a request that the contract
 * takes, before anyone notices a wait.
 */
import { NodeOperationError } from 'n8n-workflow';

import type { ControlSample } from '../contract/controls';
import { type EnteredForm, allForms, breachesOf } from '../contract/entered';
import { cpuTime, slowness } from '../support/cpuTime';
import { HOSTILE_TEXTS, hostileText } from '../support/hostileTexts';

const LENGTH = 5_000_000;
/** Most CPU time (ms) on a quiet machine; most of it is that of JSON.parse with millions of objects. */
const MOST_MS = 1_500;
/** Texts that are tried in each control, in turn. */
const TEXTS = 2;

let turn = 0;
const nextText = () => HOSTILE_TEXTS[turn++ % HOSTILE_TEXTS.length];

/** Controls that were tried: forms share most of theirs. */
const tried = new Set<string>();

/** Returns how long (ms) a form takes for a value in a control, and what is wrong with the outcome. */
function entering(form: EnteredForm, sample: ControlSample, value: string): [number, string?] {
	const spent = cpuTime();
	try {
		const entered = form.entered(sample, value);
		const ms = spent();
		const breaches = breachesOf(entered).map(({ message }) => message);
		return [ms, breaches.length > 0 ? `sends ${String(breaches)}` : undefined];
	} catch (error) {
		return [spent(), error instanceof NodeOperationError ? undefined : String(error)];
	}
}

it.each(allForms)('%s takes no long text, or takes it at once', (_title, form) => {
	const problems: string[] = [];
	for (const sample of form.samples) {
		const { control } = sample;
		if (tried.has(control)) continue;
		tried.add(control);
		for (let count = 0; count < TEXTS; count++) {
			const kind = nextText();
			const value = hostileText(kind, LENGTH);
			const [first, problem] = entering(form, sample, value);
			let ms = first;
			if (problem) problems.push(`${control} with ${kind.name}: ${problem}`);
			for (let again = 0; again < 4 && ms > MOST_MS; again++) [ms] = entering(form, sample, value);
			if (ms > MOST_MS) ms /= slowness();
			if (ms > MOST_MS) problems.push(`${control} with ${kind.name} takes ${Math.round(ms)} ms`);
		}
	}
	expect(problems).toEqual([]);
});
