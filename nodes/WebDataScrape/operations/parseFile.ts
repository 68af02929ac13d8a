import type { INodeExecutionData } from 'n8n-workflow';

import { callService } from '../../shared/client/call';
import { creditsIn } from '../../shared/client/response';
import { failedPages } from '../../shared/fields/options';
import { formatFields } from '../../shared/fields/formats';
import { pageEntries } from '../../shared/fields/schema';
import { pdfParsing } from '../../shared/fields/pdfParsing';
import { redactPii, redactionOptions } from '../../shared/fields/redaction';
import {
	onlyMainContent,
	onlyWith,
	removeBase64Images,
	scrapeTopics,
	timeout,
} from '../../shared/fields/scrapeOptions';
import { excludeTags, includeTags } from '../../shared/fields/tags';
import { auditUsername, zeroDataRetention } from '../../shared/fields/teamPolicy';
import { sentences } from '../../shared/base/text';
import { Stopped, costing, knowing } from '../../shared/client/errors/serviceError';
import { errorItem, nodeErrorOf } from '../../shared/client/errors/nodeErrors';
import { filePrice } from '../../shared/fields/prices';
import { creditBudget, spend } from '../../shared/run/creditBudget';
import type { Operation } from '../../shared/run/operation';
import { parsedFileShape } from '../../shared/fields/shapes';
import { withRest } from '../../shared/run/results/response';
import { binaryField, filesIn, isPdf, leftOutWarning, uploadOf } from './inputFiles';
import { pageIn } from './scrape';

const [pageContent] = scrapeTopics('');

/** Formats that aren't available for files. */
const WITHOUT = [
	...['screenshot', 'attributes', 'audio', 'video'],
	...['changeTracking', 'branding', 'product', 'menu'],
];

/** The options of Page Content that files have, too. */
const contentOptions = onlyWith(pageContent, [
	...[includeTags, excludeTags, pdfParsing, removeBase64Images],
	...[redactPii, redactionOptions],
]);

/** Parses an input file (api/beyond.openapi.yaml). */
export const parseFile: Operation = {
	name: 'Read PDF or Office File',
	description: 'Get the content of a PDF, Word, Excel or other input file as markdown or fields',
	method: 'POST',
	path: '/v2/parse',
	fields: [binaryField, ...formatFields('', { always: true, without: WITHOUT }), pageEntries],
	options: [
		onlyMainContent,
		contentOptions,
		{
			...timeout,
			default: 30,
			description: 'How long to try to read the file. The service default is 30.',
		},
		failedPages,
		zeroDataRetention,
		auditUsername,
		creditBudget,
	],
	results: parsedFileShape,
	prepare: filesIn,
	execute: async (task) => {
		const { files, leftOut } = filesIn(task.form, task.context);
		const items: INodeExecutionData[] = [];
		let mayBeBilled = false;
		const { place, body: options } = task.form;
		for (const input of files) {
			const file = await uploadOf(input, task.context);
			// Each file for itself: a later try may reuse the results of some.
			const read = spend(task, filePrice(options, isPdf(input)), async () => {
				const { body } = await callService(task, { ...task.call, file }, task.settings);
				const which = { fileName: file.name, ...(files.length > 1 && { file: input.field }) };
				const credits = creditsIn(body);
				const page = knowing({ credits, mayBeBilled: credits !== 0 }, () =>
					pageIn(body, task.form),
				);
				mayBeBilled ||= credits !== 0;
				const pages = withRest(page, body, 'data', task.form);
				return { credits, items: pages.map((json) => ({ json: { ...which, ...json } })) };
			});
			const found = await read.catch((error: unknown) => {
				if (items.length === 0) throw error;
				// The error must not lose what the previous files cost.
				if (error instanceof Stopped || !task.context.continueOnFail())
					throw mayBeBilled ? costing(error, { mayBeBilled }) : error;
				return { items: [errorItem(nodeErrorOf(error, place), place)] };
			});
			items.push(...found.items);
		}
		const [first] = items;
		if (leftOut.length > 0 && first !== undefined) {
			const said = sentences([first.json.warning, leftOutWarning(leftOut)]);
			first.json = { ...first.json, warning: said };
		}
		return { items };
	},
};
