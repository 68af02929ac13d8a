import type { IDataObject } from 'n8n-workflow';

import { callService } from '../../shared/client/call';
import { creditsIn } from '../../shared/client/response';
import { ServiceError } from '../../shared/client/errors/serviceError';
import { choiceField, textField, wholeNumberField } from '../../shared/form/controls';
import { shownFor } from '../../shared/form/field';
import { numberOf } from '../../shared/base/json';
import { PRICES, credits, interactionPrice } from '../../shared/fields/prices';
import type { Operation, Task } from '../../shared/run/operation';
import { interactionShape } from '../../shared/fields/jobShapes';
import { sentences, shortened, textOf } from '../../shared/base/text';
import { afterFailure } from '../../shared/base/time';
import { scrapeIdField } from './scrapeIdField';

const by = choiceField<'prompt' | 'code'>('instructions', 'Instructions', {
	default: 'prompt',
	hint: `Costs ${credits(PRICES.promptMinute)} per browser minute with a prompt, ${PRICES.codeMinute} with code alone, at least one minute. The open browser costs credits until Stop Interaction.`,
	choices: [
		['prompt', 'By Prompt', 'In your own words; an AI model reads them and the page'],
		['code', 'By Code', 'Playwright in JavaScript or Python, or shell commands; no AI model'],
	],
	wire: { in: 'settings', always: true },
});

const prompt = textField('prompt', 'Prompt', {
	typeOptions: { rows: 4 },
	required: true,
	placeholder: 'e.g. Click on “Load more” until all reviews are there',
	description: 'What to do or find out, up to 10,000 characters',
	hint: 'One task at a time. No passwords: the service and its AI model read it.',
	wire: { maxLength: 10_000 },
});

const language = choiceField('language', 'Language', {
	default: 'node',
	choices: [
		['node', 'JavaScript', 'Playwright, with page as its Page object (default)'],
		['python', 'Python', 'Playwright, with page as its async Page object'],
		['bash', 'Bash', 'Commands of agent-browser'],
	],
});

const code = textField('code', 'Code', {
	typeOptions: { rows: 8 },
	required: true,
	placeholder: "e.g. await page.click('#load-more'); await page.title();",
	description: 'What to run at the service, up to 100,000 characters',
	hint: 'In JavaScript and Python, page is the open page (Playwright). The output is what it prints, or its last value.',
	wire: { maxLength: 100_000 },
});

const timeout = wholeNumberField('timeoutSeconds', 'Timeout (Seconds)', {
	maxValue: 300,
	default: 30,
	description: 'How long the instructions may take. The service default is 30.',
	wire: { as: 'timeout' },
});

/** Acts in the browser of a scraped page, which stays open for more instructions (api/beyond.openapi.yaml). */
export const interact: Operation = {
	name: 'Interact with Scraped Page',
	description: 'Click, type and read in the browser of a page that was scraped, by prompt or code',
	method: 'POST',
	path: '/v2/scrape/{scrapeId}/interact',
	fields: [
		scrapeIdField,
		by,
		shownFor({ instructions: ['prompt'] }, prompt),
		shownFor({ instructions: ['code'] }, language),
		shownFor({ instructions: ['code'] }, code),
	],
	options: [timeout],
	results: interactionShape,
	price: interactionPrice,
	execute: async (task) => {
		const json = await inOrder(task, async () => await act(task));
		return { items: [{ json }], credits: creditsIn(json) };
	},
};

async function act({ form, ...task }: Task): Promise<IDataObject> {
	const { body } = await callService(task, task.call, task.settings);
	const result = { scrapeId: form.value(scrapeIdField), ...body };
	checkOutcome(result, form.body.prompt ? 'prompt' : 'code');
	return result;
}

/** The most recent call to each browser in a run, by path, so that items sharing a browser act in order. */
class LastCalls extends Map<string, Promise<unknown>> {}

async function inOrder<Result>({ run, call }: Task, work: () => Promise<Result>): Promise<Result> {
	const calls = run.part(LastCalls);
	const before = calls.get(call.path) ?? Promise.resolve();
	const mine = before.then(work, async () => await afterFailure().then(work));
	calls.set(call.path, mine);
	return await mine;
}

/**
 * Throws ServiceError if the instructions failed, either because of an error in the code or because the run was
 * stopped.
 */
function checkOutcome(data: IDataObject, what: 'prompt' | 'code'): void {
	const { success, exitCode, killed, error, stderr } = data;
	if (success !== false && !exitCode && !killed && !error) return;
	const said = shortened(textOf(stderr || error || '').trim());
	const message = killed ? `The ${what} was stopped: its time was up` : `The ${what} failed`;
	throw new ServiceError(said && !killed ? `${message}: ${said}` : message, {
		description: sentences([
			killed
				? 'Raise Options → Timeout (Seconds), or ask for less at a time.'
				: `Correct the ${what}.`,
			numberOf(exitCode) ? `Exit code: ${textOf(exitCode)}.` : '',
			creditsIn(data) !== 0 && 'The time it took may have been billed.',
			'The browser is still open, and costs credits until you run Stop Interaction.',
		]),
		data,
		credits: creditsIn(data),
	});
}
