import type { IDataObject } from 'n8n-workflow';

import { numberOf } from '../shared/base/json';
import { keyOfText, shortHash, textOf, trimmed, withoutEnd } from '../shared/base/text';
import { breathe, madeOf } from '../shared/base/time';
import { parsedUrl, upperCodes } from '../shared/base/url';
import { below, invalid, quoted } from '../shared/form/checks';
import type { Place } from '../shared/form/field';
import { LIKE_BLOG, noPageLeft, pathOf } from '../shared/form/paths';
import { withLinks } from '../shared/fields/map';
import { ServiceError } from '../shared/client/errors/serviceError';
import { urlOf } from '../shared/form/urls';
import { objectsIn } from '../shared/run/results/response';
import { readForm } from '../shared/trigger/runPoll';
import { hashedScope } from '../shared/trigger/memory';
import { fitterOf } from '../shared/trigger/pattern';
import { HEAD_START_MS, type Poll, credentialIdOf } from '../shared/trigger/runPoll';
import { IDENTITY_LENGTH } from '../shared/trigger/seenList';
import { ignoreTracking, removeTracking } from '../shared/trigger/tracking';
import { MAX_PAGES, excludePaths, fields, includePaths, output } from './fields';
import { type ListedPage, MAX_KNOWN, type SiteTask } from './newPages';
import { watchedPages } from './pageService';

/** Timeout (ms) for a list; the service's own default, 60 s, may exceed the time that a poll has. */
const LIST_TIMEOUT_MS = 30_000;

const CUT_OFF =
	'It may be cut off, and new pages missing. Watch a part of the site as Site URL, or raise Limit in Options and choose the part with Include Paths.';

/** Reads the node's parameters and prepares the list. Throws NodeOperationError naming the field. */
export async function watchedSite(poll: Poll): Promise<SiteTask> {
	const { context, tools } = poll;
	const filledIn = readForm(context, fields);
	const { body, value, place } = filledIn;
	const pages = await watchedPages(poll, filledIn);
	const { map, ...others } = body as { map: IDataObject };
	const most = value(output) === 'pages' ? MAX_PAGES : 0;
	const { ignoreCache = true, ...given } = map;
	const asked = { ...given, ...(most === 0 && others) };
	const patternsOf = (field: typeof includePaths, read: typeof pathPatterns) =>
		read(value(field) || [], textOf(given.url), below(place, field.displayName));
	const included = patternsOf(includePaths, pathPatterns);
	const excluded = patternsOf(excludePaths, excludedPatterns);
	const paths = [included.length > 0 ? included : ['*'], excluded];
	const [isIncluded, isExcluded] = paths.map(fitterOf);
	const timeoutMs = Math.min(LIST_TIMEOUT_MS, tools.budgetMs);
	// Only our own check decides which queries lead to a different page.
	const own = { ignoreQueryParameters: false, limit: MAX_KNOWN + 1 };
	const timeout = timeoutMs - HEAD_START_MS;
	const sent = { timeout, ...own, ...(ignoreCache && { ignoreCache }), ...asked };
	const scope = JSON.stringify(['site', given.url, credentialIdOf(context)]);
	return {
		...pages,
		settings: { ...pages.settings, scope: await hashedScope(scope) },
		list: await hashedScope(JSON.stringify([asked, paths, value(ignoreTracking)])),
		most,
		find: async (isFirst) => {
			const call = { method: 'POST' as const, path: '/v2/map', body: sent };
			const response = await poll.call(call, { isPatient: isFirst, timeoutMs, fields });
			const links = objectsIn(withLinks(response.body), 'links', { textField: 'url' });
			// With Search, the best matches are wanted.
			if (links.length >= numberOf(sent.limit) && given.search === undefined) {
				const message = `The list of the site has ${links.length} pages, as many as Limit`;
				throw new ServiceError(message, { description: CUT_OFF });
			}
			const found = new Map<string, ListedPage['link']>();
			for (const link of links) {
				await breathe();
				const address = urlOf(trimmed(textOf(link.url ?? '')));
				const url = address === undefined ? undefined : parsedUrl(address);
				if (address === undefined || url === undefined) continue;
				const path = `${url.pathname}/`;
				if (!isIncluded(path) || isExcluded(path)) continue;
				if (value(ignoreTracking)) removeTracking(url);
				const key = pageKey(url);
				if (!found.has(key)) found.set(key, { ...link, url: address });
			}
			return await madeOf([...found], async ([key, link]) => ({
				...{ identity: await shortHash(key, IDENTITY_LENGTH), text: '', link },
			}));
		},
	};
}

/**
 * Returns patterns that match the paths, with and without a final slash, and everything below them. Throws for an entry
 * that is no path of the site, such as a regular expression, which could keep n8n busy for hours.
 */
export const pathPatterns = (lines: string[], site: string, place: Place): string[] =>
	lines.map((line) => {
		const path = pathOf(line, site);
		if (path === undefined)
			throw invalid(place, `has ${quoted(line)}, which is not a path of the site`, LIKE_BLOG);
		const begin = withoutEnd(path, '/*');
		return path[begin.length] === '*' ? `${begin}*` : `${begin}/*`;
	});

/** Returns patterns of paths to leave out, like `pathPatterns`. Throws if no path is left. */
export function excludedPatterns(lines: string[], site: string, place: Place): string[] {
	const patterns = pathPatterns(lines, site, place);
	if (!patterns.includes('/*')) return patterns;
	throw noPageLeft(lines.join(', '), place);
}

/**
 * Returns a key shared by all spellings of a page's URL, such as those with http: and https:, or with and without
 * `www.`. A fragment doesn't count, unless it is a route of an app.
 */
export function pageKey({ hostname, port, pathname, search, hash }: URL): string {
	const host = hostname.replace(/^www\.|\.$/g, '');
	const route = /^#[/!]/.test(hash) ? hash : '';
	return keyOfText(upperCodes(`${host}:${port}${pathname}${search}${route}`));
}
