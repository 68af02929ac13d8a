import type { IDataObject } from 'n8n-workflow';

import { below, invalid } from '../../shared/form/checks';
import {
	booleanField,
	choiceField,
	collectionField,
	groupField,
	linesField,
	textField,
	wholeNumberField,
} from '../../shared/form/controls';
import type { Field } from '../../shared/form/field';
import { checkedId } from '../../shared/form/ids';
import { linesUpTo } from '../../shared/form/values';

const MAX_TOOLKITS = 5;

const threadId = textField('threadId', 'Thread ID', {
	placeholder: 'e.g. 7c9e6679-7425-40de-944b-e07fc1f90ae7',
	description:
		'The threadId of an earlier task to continue; options that you leave out stay as in it. By default, a new thread begins. Newer services only.',
	wire: { value: checkedId },
});

const mode = choiceField('mode', 'Mode', {
	default: 'chat',
	description: 'How the agent answers. Newer services only.',
	choices: [
		['extract', 'Extract', 'Returns data (default)'],
		['chat', 'Chat', 'With a message, maybe a question, and suggestions'],
	],
	wire: { open: true },
});

const toolkits = linesField('toolkits', 'Toolkits', {
	example: 'crunchbase',
	description: `Providers to buy from, by short names, up to ${MAX_TOOLKITS}. By default, the agent chooses.`,
	wire: { value: linesUpTo(MAX_TOOLKITS) },
});

const exchange = collectionField('exchange', 'Paid Data', {
	description:
		'What the agent may buy from data providers, also in later tasks of the thread; each call costs more credits. Newer services only.',
	options: [
		booleanField('enabled', 'Allow Buying', {
			description:
				'Whether the agent may buy. The service default is on where your team has accepted terms.',
		}),
		booleanField('requireApproval', 'Ask First', {
			description:
				'Whether to ask before the agent buys; needs Mode Chat. The task then ends with pendingApproval.',
		}),
		wholeNumberField('maxCalls', 'Max Calls', {
			default: 5,
			maxValue: 30,
			description: 'Most calls that the task pays for',
			wire: { limitsCosts: true },
		}),
		toolkits,
		choiceField('onTermsRequired', 'If Terms Are Not Accepted', {
			default: 'ask',
			choices: [
				['skip', 'Skip', 'Do without this provider (default)'],
				['ask', 'Ask', 'The task ends with pendingApproval, which names the terms'],
			],
		}),
	],
	wire: {
		check: (task, place) => {
			const bought = task.exchange as IDataObject;
			// Otherwise the service fails with status 500, whatever the mode of the previous task.
			if (bought.requireApproval !== true || task.mode === 'chat') return;
			const need = 'Choose Chat as Mode, in which the agent can ask, or turn this off.';
			throw invalid(below(place, 'Ask First'), 'is on, but Mode is not Chat', need);
		},
	},
});

/** Answer to the approval that an earlier task asked for: `exchange.approve` or `exchange.decline` of the body. */
const approval = groupField('approval', 'Approval Response', {
	placeholder: 'Add Answer',
	description:
		'Answers the pendingApproval of the last task of a thread. Needs Thread ID; the Prompt can be anything. Newer services only.',
	group: ['answer', 'Answer'],
	values: [
		textField('approvalId', 'Approval ID', {
			required: true,
			placeholder: 'e.g. 0b8f3e1c-2d4a-4c5b-8e6f-7a9b0c1d2e3f',
			description: 'The ID of the pendingApproval',
			wire: { value: checkedId },
		}),
		choiceField('decision', 'Decision', {
			required: true,
			default: 'decline',
			choices: [
				['approve', 'Approve', 'Costs the credits it names'],
				['some', 'Approve Some Calls'],
				['always', 'Always Approve', 'And buy without asking from now on'],
				['decline', 'Decline'],
			],
		}),
		linesField('callIds', 'Calls', {
			example: 'call-1',
			required: true,
			description: 'The IDs of the calls to approve',
			displayOptions: { show: { decision: ['some'] } },
		}),
	],
	wire: {
		last: true,
		put: (task, answer) => {
			const { approvalId, decision, ...calls } = answer as IDataObject;
			const always = decision === 'always' && { always: true };
			task.exchange = {
				...(task.exchange as IDataObject),
				...(decision === 'decline'
					? { decline: { approvalId } }
					: { approve: { approvalId, ...calls, ...always } }),
			};
		},
		check: ({ threadId: thread }, place) => {
			if (thread !== undefined) return;
			const remedy = 'Enter the threadId that comes with the pendingApproval.';
			throw invalid(place, 'needs Thread ID, which is missing', remedy);
		},
	},
});

/** The fields that make a task part of a conversation and let it buy data. */
export const dialogue: Field[] = [threadId, mode, exchange, approval];
