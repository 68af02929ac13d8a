import type { IDataObject } from 'n8n-workflow';

import { downloadFiles, failedPages } from '../../shared/fields/options';
import { formatFields } from '../../shared/fields/formats';
import { pageEntries } from '../../shared/fields/schema';
import { scrapeOptions } from '../../shared/fields/scrapeOptions';
import { zeroDataRetention } from '../../shared/fields/teamPolicy';
import { pageShape, placesIn, scrapedPageShape } from '../../shared/fields/shapes';
import { PRICES, credits, pagePrice } from '../../shared/fields/prices';
import { textField } from '../../shared/form/controls';
import type { Form } from '../../shared/form/form';
import { oneUrl } from '../../shared/form/urls';
import type { Operation } from '../../shared/run/operation';
import { hasContent, isObject, valueAt } from '../../shared/base/json';
import { warningIn } from '../../shared/client/response';
import { sentences, textOf } from '../../shared/base/text';
import { markedPage } from '../../shared/run/results/pageFailure';
import { checkResult } from '../../shared/run/results/response';

const page = textField('url', 'URL', {
	required: true,
	placeholder: 'e.g. https://example.com/article',
	hint: `${credits(PRICES.page)}, ${PRICES.xPage} on X (Twitter), more with some formats; a copy up to 2 days old unless Always Fetch Fresh is set`,
	wire: {
		value: (entered, place) =>
			oneUrl(
				entered,
				place,
				'Enter one URL; give others items of their own, or choose Scrape Many Pages and Wait.',
			),
	},
});

/** Scrapes one page (api/beyond.openapi.yaml). All ScrapeOptions fields are at the top level of the body. */
export const scrape: Operation = {
	name: 'Scrape Page',
	description: `Get the content of one page, or the fields you name; from ${credits(PRICES.page)}`,
	method: 'POST',
	path: '/v2/scrape',
	fields: [page, ...formatFields(''), pageEntries],
	options: [...scrapeOptions(''), downloadFiles, failedPages, zeroDataRetention],
	results: scrapedPageShape,
	price: (body) => pagePrice(body, body.url),
	resultsKey: 'data',
	split: pageIn,
};

/** Returns the page of a response as the only result. Throws ServiceError if there isn't one. */
export function pageIn(response: IDataObject, { body }: Pick<Form, 'body'>): IDataObject[] {
	checkResult('page', response);
	if (!isObject(response.data)) return [response];
	const { data } = response;
	// Why the page lacks something stands beside it or in it.
	const said = [warningIn(response), warningIn(data)].filter(Boolean).map(textOf);
	const warning = said.length > 0 && { warning: sentences([...new Set(said)]) };
	const page = markedPage({ ...data, ...warning }, body);
	// Some servers don't say which page it is.
	const isNamed = placesIn([pageShape[0]]).some((path) => hasContent(valueAt(page, path)));
	return [isNamed || !hasContent(body.url) ? page : { url: body.url, ...page }];
}
