import type { Field } from '../../shared/form/field';
import { jobIdField } from '../../shared/fields/jobId';
import { linesField, urls } from '../../shared/form/values';
import { schemaField } from '../../shared/fields/schema';

const prompt: Field = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	required: true,
	placeholder: 'e.g. Find the founders of Acme and the year it was founded',
	description: 'What data to find and extract, up to 10,000 characters',
	hint: 'Unless you set Max Credits in Options, up to 2,500 credits may be spent on it',
	wire: { maxLength: 10_000 },
};

const urlList = linesField({
	displayName: 'URLs',
	name: 'urls',
	example: 'https://example.com/about',
	description: 'Pages the agent should use; without any it searches the whole web',
	wire: { value: urls },
});

const schema = schemaField({
	displayName: 'Output Schema',
	name: 'schema',
	description: 'The shape the result should have; without one the agent decides',
});

const model: Field = {
	displayName: 'Model',
	name: 'model',
	type: 'options',
	default: 'spark-1-mini',
	description: 'The service default is Spark 1 Mini',
	options: [
		{ name: 'Spark 1 Mini', value: 'spark-1-mini', description: 'Cheaper, enough for most tasks' },
		{
			name: 'Spark 1 Pro',
			value: 'spark-1-pro',
			description: 'More accurate for complex tasks, costs more credits',
		},
	],
};

const maxCredits: Field = {
	displayName: 'Max Credits',
	name: 'maxCredits',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 2500,
	description:
		'Credits the task may spend at most. The service default is 2500; a higher value is always billed as a paid request.',
	wire: { fraction: true },
};

const strictConstrainToURLs: Field = {
	displayName: 'Only These URLs',
	name: 'strictConstrainToURLs',
	type: 'boolean',
	default: true,
	description: 'Whether the agent may visit nothing but the pages in URLs',
};

/** What starting an agent task takes (Agent task), in the order people need it. */
export const startFields: Field[] = [prompt, urlList, schema];

/** The settings of an agent task that have a default at the service. */
export const startSettings: Field[] = [model, maxCredits, strictConstrainToURLs];

/** The job id that starting a task gave. */
export const jobId = jobIdField('agent task');
