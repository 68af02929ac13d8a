import { additionalBodyFields, optionsCollection } from '../shared/fields/options';
import { monitorFields, monitorOptions } from '../shared/fields/monitor';
import { includeRunDetails } from '../shared/fields/shapes';
import { booleanField, choiceField, choicesField, textField } from '../shared/form/controls';
import { type Field, hiddenFor, shownFor } from '../shared/form/field';

const onlyWhatMatters = booleanField('onlyWhatMatters', 'Only What Matters', {
	description: 'Whether to leave out changes that the model says do not matter for the Goal',
	wire: { in: 'settings', always: true },
});

export const whatMatters = hiddenFor({ goal: [''] }, onlyWhatMatters);

export const triggerOn = choiceField<'pages' | 'checks'>('triggerOn', 'Trigger On', {
	default: 'pages',
	description: 'What starts the workflow',
	choices: [
		[
			'pages',
			'Changes',
			'An item per page that is new, changed or gone',
			'When a monitored page, site or search changes',
		],
		[
			'checks',
			'Each Check',
			'An item for each check, with its counts',
			'When a monitor has checked',
		],
	],
	wire: { in: 'settings', always: true },
});

export const statuses = choicesField<string[]>('statuses', 'Pages', {
	default: ['new', 'changed', 'removed'],
	description: 'By default, New, Changed and Removed',
	choices: [
		['new', 'New'],
		['changed', 'Changed'],
		['removed', 'Removed'],
		['error', 'Failed', 'With the reason'],
		['same', 'Unchanged'],
	],
	wire: { in: 'settings' },
});

export const firstCheck = booleanField('firstCheck', 'Emit First Check', {
	description: 'Whether the first check starts the workflow too. All of its pages are new.',
	wire: { in: 'settings' },
});

const name = textField('name', 'Name', {
	placeholder: 'e.g. Prices of Acme',
	description: 'Of the monitor at the service; that of the workflow unless set',
	wire: { maxLength: 256 },
});

export const fields: Field[] = [
	...monitorFields([whatMatters]),
	triggerOn,
	optionsCollection([
		firstCheck,
		shownFor({ '/triggerOn': ['pages'] }, statuses),
		name,
		...monitorOptions,
		{ ...includeRunDetails, displayOptions: undefined },
		additionalBodyFields,
	]),
];
