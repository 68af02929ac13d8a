import type { IDataObject } from 'n8n-workflow';

import { without } from '../shared/base/json';
import { shortHash, textOf } from '../shared/base/text';
import { madeOf } from '../shared/base/time';
import { parsedUrl } from '../shared/base/url';
import { IDENTITY_LENGTH, TEXT_LENGTH } from '../shared/trigger/seenList';
import { removeTracking } from '../shared/trigger/tracking';
import type { FoundResult } from './poll';

/** Returns a URL without its fragment and, if wanted, without tracking parameters, which don't identify a page. */
export function plainUrl(address: string, ignoreTracking: boolean): string {
	const url = parsedUrl(address.trim());
	if (url === undefined) return address.trim();
	url.hash = '';
	if (ignoreTracking) removeTracking(url);
	return url.href;
}

/** Returns a result without its rank and its search, so that it is the same in different searches. */
function withoutRank(result: IDataObject): IDataObject {
	return without(result, 'position', 'query', 'tbs', 'searchWarning');
}

/** Returns results with their identity: their URL or, for images, the URL of the image itself. */
export async function identified(
	results: IDataObject[],
	ignoreTracking: boolean,
): Promise<FoundResult[]> {
	return await madeOf(results, async (result) => {
		const { url, imageUrl, title, description, snippet } = result;
		const source = textOf(result.searchSource ?? result.source);
		const address = source === 'images' ? (imageUrl ?? url) : url;
		const texts = [title, description ?? snippet];
		const text = JSON.stringify(texts);
		const ownName = texts.some(Boolean) ? text : JSON.stringify(withoutRank(result));
		const name = typeof address === 'string' ? plainUrl(address, ignoreTracking) : ownName;
		return {
			result,
			identity: await shortHash(name, IDENTITY_LENGTH),
			text: source.charAt(0) + (await shortHash(text, TEXT_LENGTH - 1)),
		};
	});
}
