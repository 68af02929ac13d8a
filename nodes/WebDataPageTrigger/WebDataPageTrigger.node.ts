import type {
	IDataObject,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';

import { SUBJECT, iconOf } from '../shared/run/description';
import { isObject } from '../shared/base/json';
import { sentences } from '../shared/base/text';
import { runPoll } from '../shared/trigger/runPoll';
import { propertyOf } from '../shared/form/properties';
import { withValues } from '../shared/form/values';
import { placeLists } from '../shared/fields/places';
import { testCredential } from '../shared/client/credentialTest';
import { costs, fields, triggerOn } from './fields';
import { itemOf } from './items';
import { type WatchedPages, watchedPages } from './pageService';
import { pollAsNew, pollPages } from './poll';
import { pollSite, previewSite } from './newPages';
import { watchedSite } from './siteService';

/** Maximum number of pages that the test step scrapes; each costs as much as in a poll. */
const MAX_TESTED = 3;

export class WebDataPageTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Web Data Page Trigger',
		name: 'webDataPageTrigger',
		icon: iconOf('webDataPage'),
		group: ['trigger'],
		version: 1,
		subtitle: `={{ $parameter.triggerOn === "site" ? "new pages" : $parameter.triggerOn === "failed" ? "page failed" : "page changed" }}${SUBJECT}`,
		description: 'Start the workflow when a web page has changed, or a site has new pages',
		defaults: { name: 'Web Data Page Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'webDataServiceApi', required: true, testedBy: 'testCredential' }],
		properties: [...costs, ...fields.map(propertyOf)],
	};

	methods = { credentialTest: { testCredential }, loadOptions: placeLists };

	/** Polls once; the first poll of a published workflow sets the baseline. Its errors have a `failure`. */
	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		if (withValues(triggerOn, this.getNodeParameter('triggerOn', triggerOn.default)) === 'site') {
			return await runPoll(this, {
				stateKey: 'sitePages',
				task: watchedSite,
				test: async (site) => (await previewSite(site)).map((json) => ({ json })),
				poll: async (site) => (await pollSite(site)).map((json) => ({ json })),
			});
		}
		return await runPoll(this, {
			stateKey: 'watchedPages',
			task: watchedPages,
			test: async (pages) => (await preview(pages)).map((json) => ({ json })),
			poll: async (pages) =>
				(await pollPages(pages)).map((report) => ({ json: itemOf(report, pages.hasDetails) })),
		});
	}
}

/** Settings with which a poll reports every page at once. */
const ALL_AT_ONCE = {
	leastChange: 1,
	failuresNeeded: 1,
	reportChanges: true,
	reportFailures: true,
};

/** Returns what the trigger would emit if the first few pages had been empty until now, and the names of the others. */
async function preview(pages: WatchedPages): Promise<IDataObject[]> {
	const { urls } = pages.settings;
	const settings = { ...pages.settings, ...ALL_AT_ONCE };
	const task = { ...pages, settings, random: () => 0 };
	const { reports } = await pollAsNew(task, urls.slice(0, MAX_TESTED));
	const others = urls.slice(MAX_TESTED);
	const untested = others.length > 0 && `Not tested: ${others.join(', ')}.`;
	const message = sentences(['A preview: as if the page had been empty before.', untested]);
	return reports.map((report) => {
		if (report.event === 'failed') return itemOf(report, false);
		const { data } = report.content;
		// So that the fields can be mapped.
		const previous = isObject(data)
			? Object.fromEntries(Object.keys(data).map((name) => [name, null]))
			: undefined;
		return { ...itemOf({ ...report, previous }, pages.hasDetails), message };
	});
}
