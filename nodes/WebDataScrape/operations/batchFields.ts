import { booleanField, linesField } from '../../shared/form/controls';
import type { Field } from '../../shared/form/field';
import { maxConcurrency } from '../../shared/fields/jobOptions';
import { formatFields } from '../../shared/fields/formats';
import { scrapeOptions } from '../../shared/fields/scrapeOptions';
import { zeroDataRetention } from '../../shared/fields/teamPolicy';
import { webhook } from '../../shared/fields/webhook';
import { PRICES, credits } from '../../shared/fields/prices';

export const urlList = linesField('urls', 'URLs', {
	required: true,
	example: 'https://example.com/article',
	hint: `One per line, or an array. Each page costs ${credits(PRICES.page)}, ${PRICES.xPage} on X (Twitter); some formats cost more.`,
	// Checked together with Additional Body Fields, which may replace it.
	wire: { value: (entered) => entered },
}) as Field<string[]>;

/** The choice between one job for all items of a node run and one job per item. */
export const jobPerItem = booleanField('jobPerItem', 'One Job per Item', {
	description:
		'Whether each item has its own job. When off, items with the same settings and API key share one, which is fastest; each gets its own pages.',
	// A tool has only one item at a time.
	displayOptions: { show: { '@tool': [false] } },
	wire: { in: 'settings' },
});

const ignoreInvalidURLs = booleanField('ignoreInvalidURLs', 'Ignore Invalid URLs', {
	description:
		'Whether to leave out and report URLs that the service does not accept. When off, one such URL fails the job.',
	// Sent even at its default, because services have different defaults.
	wire: { always: true },
});

export const batchFields: Field[] = [urlList, ...formatFields('')];

export const batchPageOptions: Field[] = scrapeOptions('');

export const batchSettings: Field[] = [
	ignoreInvalidURLs,
	jobPerItem,
	maxConcurrency,
	webhook,
	zeroDataRetention,
];
