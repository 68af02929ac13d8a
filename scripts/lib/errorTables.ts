import { connections } from '../../nodes/shared/client/errors/connections';
import { remedyOf } from '../../nodes/shared/client/errors/advice';
import type { ErrorText } from '../../nodes/shared/client/errors/texts';
import {
	missingEndpoint,
	problems,
	rejectedOnTheWay,
	rejections,
} from '../../nodes/shared/client/errors/texts';
import {
	costOfPage,
	type PageError,
	pageErrors,
} from '../../nodes/shared/client/errors/pageErrors';
import type { Table } from './markdown';

const TOLD = ['What happened', 'What to do'];

/** Keys of texts that don't speak for themselves as `410 extract` does. */
const STATUS: Record<string, string> = {
	'200': '200 with `success: false` or an error alone',
	'404': '404 of a job, scrape or monitor',
	'4xx browser': '404, 409 or 410 of a browser',
	'408 document': '408 of a large document',
	'409 profile': '409 of a browser profile',
	'409 ended': '409 of a job that has ended',
	'429 browsers': '429 of open browsers',
	'429 queue': '429 of a full queue',
	'4xx': 'other 4xx',
	'5xx account': '5xx of credits, usage and activity',
};

/** Returns the status that a text is for, and the code or the thing beside it. */
const statusOf = (key: string) =>
	STATUS[key] ?? key.replace(/ (\w+_\w+)$/, ' `$1`').replace(/ ([a-z]+)$/, ' of a $1');

/**
 * Returns the tables of docs/maintainers/error-texts.md by the names of their parts, generated from the texts that the
 * nodes use.
 */
export function errorTables(): Record<string, Table> {
	const rejected = Object.entries(rejections).map(([key, words]) => [
		statusOf(key),
		...told(words),
	]);
	return {
		rejections: [
			['Status', ...TOLD],
			[
				...rejected,
				['401 or 403 as a web page', ...told(rejectedOnTheWay)],
				['404 as a web page, or 501', ...told(missingEndpoint)],
			],
		],
		pageErrors: [
			['Code', ...TOLD],
			pageErrors.map((words) => [`\`${codesOf(words.codes)}\``, ...toldOfPage(words)]),
		],
		problems: [TOLD, Object.values(problems).map(told)],
		connections: [TOLD, connections.map(told)],
	};
}

const told = (text: ErrorText) => [
	`${text.message.replace(/\{host\}/g, 'the host')}.`.replace(/^the/, 'The'),
	remedyOf(text),
];

const toldOfPage = (words: PageError) => {
	const [message, remedy] = told(words);
	const { credits } = words;
	const cost =
		credits === undefined ? 'It is not known whether such a page is billed.' : costOfPage(credits);
	return [message, credits === 0 ? remedy : `${remedy} ${cost}`];
};

/** Returns the codes that a pattern matches, in a readable form. */
const codesOf = ({ source }: RegExp) =>
	source
		.replace(/\(\?![^)]*\)/, '')
		.replace(/[\^$]/g, '')
		.replace(/\\w\+/g, '…');
