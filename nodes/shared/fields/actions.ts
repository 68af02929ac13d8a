import type { IDataObject } from 'n8n-workflow';

import { checkCount, checkedChoice, invalid, rowsIn, withDefault } from '../form/checks';
import { composeEntry } from '../form/form';
import {
	booleanField,
	choiceField,
	collectionField,
	groupField,
	textField,
	timeField,
	wholeNumberField,
} from '../form/controls';
import { type Field, type Place, shownFor } from '../form/field';

const selector = textField('selector', 'Selector', {
	placeholder: 'e.g. #load-more',
	description: 'CSS selector',
});

/** Size of a browser window in pixels; both values are needed. */
const viewportField = groupField('viewport', 'Viewport', {
	placeholder: 'Set Size',
	description: 'Browser window in pixels',
	group: ['size', 'Size'],
	values: [
		wholeNumberField('width', 'Width', {
			maxValue: 7680,
			default: 1280,
			required: true,
		}),
		wholeNumberField('height', 'Height', {
			maxValue: 4320,
			default: 800,
			required: true,
		}),
	],
});

export const screenshotFields: Field[] = [
	booleanField('fullPage', 'Full Page', {
		default: false,
		description: 'Whether to capture the whole page. The service default is off.',
		wire: { mayBeEmpty: true },
	}),
	wholeNumberField('quality', 'Quality', {
		maxValue: 100,
		default: 80,
		wire: { mayBeEmpty: true },
	}),
	viewportField,
];

const pdfFields: Field[] = [
	choiceField('format', 'Paper Format', {
		default: 'Letter',
		description: 'The service default is Letter',
		choices: ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'Letter', 'Legal', 'Tabloid', 'Ledger'].map(
			(format) => [format, format],
		),
	}),
	booleanField('landscape', 'Landscape', {
		default: false,
		description: 'Whether the PDF is in landscape. The service default is off.',
	}),
	{
		displayName: 'Scale',
		name: 'scale',
		type: 'number',
		typeOptions: { numberPrecision: 2 },
		default: 1,
		description: 'How large the page is printed; 1 is its normal size, the service default',
	},
];

function actionOptions(type: string, fields: Field[]): Field {
	return collectionField(`${type}Options`, 'Options', {
		displayOptions: { show: { type: [type] } },
		options: fields,
		wire: { spread: true },
	});
}

const MAX_ACTIONS = 50;
const MAX_WAITS_MS = 60_000;

/** Time (ms) that waiting for an element counts as, in the service. */
const ELEMENT_WAIT_MS = 1_000;

/** The kind of action. It offers two kinds of wait, because a wait takes either a time or an element. */
const actionType: Field = choiceField('type', 'Action', {
	default: 'click',
	required: true,
	choices: [
		['click', 'Click an Element'],
		['pdf', 'Generate PDF', 'Prints the page; the link is in actions.pdfs'],
		['press', 'Press a Key'],
		['executeJavascript', 'Run JavaScript'],
		['scrape', 'Scrape the Page Now', 'Adds the URL and HTML at this point to the result'],
		['scroll', 'Scroll'],
		['screenshot', 'Take a Screenshot', 'The link is in actions.screenshots'],
		['wait', 'Wait for a Time'],
		['waitForElement', 'Wait for an Element'],
		['write', 'Write Text', 'Types into the element that has the focus; click it first'],
	],
	wire: {
		value: (entered, place) => {
			const type = checkedChoice(actionType, entered, place);
			return type === 'waitForElement' ? 'wait' : type;
		},
	},
});

const actionFields: Field[] = [
	actionType,
	timeField('seconds', 'Time', 'Seconds', {
		minValue: 0.001,
		maxValue: MAX_WAITS_MS / 1_000,
		default: 1,
		required: true,
		description: 'At most 60 for all waits on a page',
		displayOptions: { show: { type: ['wait'] } },
		wire: { as: 'milliseconds' },
	}),
	{
		...shownFor({ type: ['click', 'waitForElement'] }, selector),
		required: true,
	},
	textField('text', 'Text', {
		required: true,
		placeholder: 'e.g. office chair',
		description: 'What to type, character by character',
		displayOptions: { show: { type: ['write'] } },
		wire: { typed: true },
	}),
	textField('key', 'Key', {
		required: true,
		placeholder: 'e.g. Enter',
		displayOptions: { show: { type: ['press'] } },
		// It may be a blank or a dash.
		wire: { typed: true },
	}),
	textField('script', 'Script', {
		typeOptions: { rows: 3 },
		required: true,
		placeholder: "e.g. document.querySelector('#more').click()",
		description: 'JavaScript; what it returns is in actions.javascriptReturns',
		displayOptions: { show: { type: ['executeJavascript'] } },
	}),
	actionOptions('click', [
		booleanField('all', 'All Matches', {
			default: false,
			description:
				'Whether to click every element that matches; none is no error. The service default is off.',
		}),
	]),
	actionOptions('scroll', [
		choiceField('direction', 'Direction', {
			default: 'down',
			description: 'The service default is down',
			choices: [
				['down', 'Down'],
				['up', 'Up'],
			],
		}),
		{ ...selector, description: 'CSS selector of what to scroll, if not the page' },
	]),
	actionOptions('screenshot', screenshotFields),
	actionOptions('pdf', pdfFields),
];

/** Returns the actions to send; `waitsForBoth` allows a wait to have a time and an element, as v1 does. */
function actions(entered: unknown, place: Place, waitsForBoth = false): IDataObject[] {
	const composed = rowsIn(entered, place, 'action', 'Action').map(({ row: step, at }) => {
		const { type } = withDefault(step, actionType, at);
		// The form doesn't allow both, but workflows are also written by hand and by models.
		const hasBoth = type === 'wait' && !!step.selector && step.seconds !== undefined;
		if (hasBoth && !waitsForBoth) {
			throw invalid(
				at,
				'has both Time and Selector, but a wait takes only one of them',
				'Use "Wait for a Time" with Time or "Wait for an Element" with Selector.',
			);
		}
		const element = hasBoth && composeEntry(actionFields, { ...step, type: 'waitForElement' }, at);
		return { ...composeEntry(actionFields, { ...step, type }, at), ...element };
	});
	checkActions(composed, place);
	return composed;
}

function checkActions(steps: IDataObject[], place: Place): void {
	const remedy = 'Do more in fewer steps, e.g. with Run JavaScript.';
	checkCount(steps.length, MAX_ACTIONS, 'actions', place, remedy);
	const waits = steps.filter(({ type }) => type === 'wait');
	const waited = waits.reduce((sum, step) => sum + Number(step.milliseconds ?? ELEMENT_WAIT_MS), 0);
	if (waited <= MAX_WAITS_MS) return;
	throw invalid(
		place,
		`waits ${waited / 1_000} seconds in all, but at most ${MAX_WAITS_MS / 1_000} are allowed`,
		'Shorten the waits; one for an element counts as a second.',
	);
}

/** Steps carried out on the page, in order, before its content is taken. */
export const actionsField = groupField('actions', 'Actions', {
	typeOptions: { multipleValues: true, sortable: true, multipleValueButtonText: 'Add Action' },
	placeholder: 'Add Action',
	description: 'Steps on the page; at most 50, with waits of 60 seconds in all, including Wait For',
	group: ['action', 'Action'],
	values: actionFields,
	wire: { value: (entered, place) => actions(entered, place) },
});

/** The actions of v1, which allows more (WaitActionV1 in api/openapi.yaml). */
export const actionsFieldV1: Field = {
	...actionsField,
	wire: { value: (entered, place) => actions(entered, place, true) },
};
