import type { IDataObject } from 'n8n-workflow';

import { shortHash, textOf } from '../shared/base/text';
import { breathe } from '../shared/base/time';
import { keyOfUrl, parsedUrl } from '../shared/base/url';
import { objectsIn } from '../shared/run/results/required';
import { readForm } from '../shared/trigger/form';
import { hashedScope } from '../shared/trigger/memory';
import { fitterOf } from '../shared/trigger/pattern';
import { HEAD_START_MS, type Poll, credentialIdOf } from '../shared/trigger/runPoll';
import { IDENTITY_LENGTH } from '../shared/trigger/seenList';
import { ignoreTracking, removeTracking } from '../shared/trigger/tracking';
import { MAX_PAGES, excludePaths, fields, includePaths, output } from './fields';
import type { ListedPage, SiteTask } from './newPages';
import { watchedPages } from './pageService';

/** Longest time (ms) of a list; the service's own default, 60 s, may be more than a poll has. */
const LIST_TIMEOUT_MS = 30_000;

/** Reads the node's parameters and prepares the list. Throws NodeOperationError naming the field. */
export async function watchedSite(poll: Poll): Promise<SiteTask> {
	const { context, tools } = poll;
	const { body, get } = readForm(context, fields);
	const pages = await watchedPages(poll);
	const { map, ...others } = body as { map: IDataObject };
	const most = get(output) === 'pages' ? MAX_PAGES : 0;
	const { ignoreCache = true, ...given } = map;
	const asked = { ...given, ...(most === 0 && others) };
	const paths = [get(includePaths) || ['*'], get(excludePaths) || []];
	const [isIncluded, isExcluded] = paths.map(fitterOf);
	const timeoutMs = Math.min(LIST_TIMEOUT_MS, tools.budgetMs);
	const finishBy = tools.now() + tools.budgetMs;
	// Which queries make another page is decided here.
	const own = { timeout: timeoutMs - HEAD_START_MS, ignoreQueryParameters: false };
	const sent = { ...own, ...(ignoreCache && { ignoreCache }), ...asked };
	const scope = JSON.stringify(['site', given.url, credentialIdOf(context)]);
	return {
		...tools,
		...pages,
		settings: { ...pages.settings, scope: await hashedScope(scope) },
		random: Math.random,
		list: await hashedScope(JSON.stringify([asked, paths, get(ignoreTracking)])),
		most,
		find: async (isFirst) => {
			const call = { method: 'POST' as const, path: '/v2/map', body: sent };
			const response = await poll.call(call, { finishBy, isPatient: isFirst, timeoutMs, fields });
			const found = new Map<string, ListedPage['link']>();
			for (const link of objectsIn(response.body, 'links', { textField: 'url' })) {
				await breathe();
				const url = parsedUrl(textOf(link.url ?? ''));
				const path = `${url?.pathname}/`;
				if (!url || !isIncluded(path) || isExcluded(path)) continue;
				if (get(ignoreTracking)) removeTracking(url);
				const key = keyOfUrl(url.href);
				if (!found.has(key)) found.set(key, { ...link, url: textOf(link.url) });
			}
			const listed = [...found].map(async ([key, link]) => {
				return { identity: await shortHash(key, IDENTITY_LENGTH), text: '', link };
			});
			return await Promise.all(listed);
		},
	};
}
