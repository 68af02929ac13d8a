import { jobIdField } from '../../shared/fields/jobLocator';
import { schemaFields } from '../../shared/fields/schema';
import { auditUsername, threatProtection } from '../../shared/fields/teamPolicy';
import { agentWebhook } from '../../shared/fields/webhook';
import { invalid } from '../../shared/form/checks';
import {
	booleanField,
	choiceField,
	linesField,
	numberField,
	textField,
} from '../../shared/form/controls';
import type { Field } from '../../shared/form/field';
import { urls } from '../../shared/form/urls';
import { dialogue } from './dialogue';

const prompt = textField('prompt', 'Prompt', {
	typeOptions: { rows: 4 },
	required: true,
	placeholder: 'e.g. Find the founders of Acme and the year it was founded',
	description: 'What data to find and extract, up to 10,000 characters',
	wire: { maxLength: 10_000 },
});

const urlList = linesField('urls', 'URLs', {
	example: 'https://example.com/about',
	description: 'Pages to use',
	hint: 'One per line, or an array. If it is empty, the agent searches the whole web.',
	wire: { value: (entered, place) => urls(entered, place, true) },
});

const schema = schemaFields('schema', 'Schema', {
	description: 'The shape of the result',
	none: 'The agent decides',
});

const model = choiceField('model', 'Model', {
	default: 'spark-1-mini',
	description: 'The service default is spark-1-mini; newer services use spark-1-pro',
	choices: [
		['spark-1-mini', 'Spark 1 Mini', 'About 60% cheaper than Pro, for most tasks'],
		['spark-1-pro', 'Spark 1 Pro', 'More accurate for complex tasks, costs more credits'],
		['spark-2', 'Spark 2', 'Cheaper and faster, about as good as Pro. Newer services only.'],
	],
	wire: { open: true },
});

const effort = choiceField('effort', 'Effort', {
	default: 'medium',
	description:
		'How hard the model works; more takes longer and costs more. By default, the service chooses. Newer services only.',
	choices: [
		['low', 'Low', 'Fastest and cheapest'],
		['medium', 'Medium'],
		['high', 'High', 'For hard tasks over many pages'],
	],
	wire: { open: true },
});

/** The service's own default is 2,500, but most tasks take a few hundred credits. */
export const maxCredits = numberField('maxCredits', 'Max Credits', {
	default: 500,
	description:
		'Most credits that the task of each item may spend, or what is left of Credit Budget if that is less. A task that reaches it fails and may return nothing. The service default is 2500; above that, it always counts as a paid request.',
	wire: { always: true },
});

const strictConstrainToURLs = booleanField('strictConstrainToURLs', 'Only These URLs', {
	description: 'Whether to restrict the agent to the pages in URLs',
	wire: {
		check: (task, place) => {
			if (task.strictConstrainToURLs !== true || task.urls !== undefined) return;
			throw invalid(place, 'is on, but URLs is empty', 'Fill in URLs, or remove this option.');
		},
	},
});

/** The fields an agent task is started with (AgentRequest in api/openapi.yaml), most needed first. */
export const startFields: Field[] = [prompt, maxCredits, ...schema];

export const startSettings: Field[] = [
	urlList,
	strictConstrainToURLs,
	model,
	effort,
	...dialogue,
	agentWebhook,
	threatProtection,
	auditUsername,
];

export const jobId = jobIdField('agent task');
