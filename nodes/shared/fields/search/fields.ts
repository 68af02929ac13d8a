import type { IDataObject } from 'n8n-workflow';

import { isNothing } from '../../base/json';
import { splitIntoItems } from '../options';
import { queryOperatorsField, MAX_QUERY_LENGTH, checkQuery } from './queryOperators';
import { threatProtection } from '../teamPolicy';
import { plain, typedEntries, typedIn, typesIn } from '../typed';
import { newestFirst, publishedField, timeFilterFields } from './timeFilter';
import { checkedText, emptyError, hasExpression, invalid } from '../../form/checks';
import {
	booleanField,
	choicesField,
	collectionField,
	linesField,
	textField,
	timeField,
	wholeNumberField,
} from '../../form/controls';
import { type Field, type Place, isTool } from '../../form/field';
import { countryField } from '../places';
import { PRICES, credits } from '../prices';
import { mayGiveNothing } from '../../form/holes';

const query: Field = textField('query', 'Query', {
	placeholder: 'e.g. best coffee grinder for espresso',
	description: 'Up to 500 characters with the Query Operators; may be empty if Options has some',
	wire: {
		// Query Operators are enough on their own, so the query is only required if both are empty.
		required: true,
		always: true,
		maxLength: MAX_QUERY_LENGTH,
		value: (entered, place) => {
			// Without the query, the operators would find far more than intended.
			const isLost = hasExpression(place.raw) && !mayGiveNothing(place.raw);
			if (isNothing(entered) && isLost && !isTool(place.node)) throw emptyError(place);
			return isNothing(entered) ? '' : checkQuery(checkedText(query, entered, place), place);
		},
		check: (target, place) => {
			const text = String(target.query ?? '');
			if (isNothing(text)) throw emptyError(place);
			checkQuery(text, place);
		},
	},
});

/** Price of a plain search, for hints. */
export const RESULTS_PRICE = `${credits(PRICES.tenResults)} per 10 results (rounded up, all sources together)`;

/** Creates the limit on results, with their price as its hint. */
export const searchLimitField = (hint: string) =>
	wholeNumberField('limit', 'Limit', {
		// The service's own default; n8n's usual 50 would return and bill ten times as many results.
		default: 5,
		maxValue: 100,
		description: 'Max number of results to return from each source',
		hint,
		wire: { always: true },
	});

const limit = searchLimitField(RESULTS_PRICE);

const sources: Field = choicesField('sources', 'Sources', {
	default: ['web'],
	description: 'Published and Newest First are for Web; most services return older news and images',
	choices: [
		['web', 'Web'],
		['news', 'News'],
		['images', 'Images'],
	],
	wire: {
		value: (entered, place) => typedEntries(sources, entered, place).map(plain),
	},
});

/**
 * Sets a field of the web source, the only source that has it. Fields that an expression returned with the source are
 * kept. Some services only read the field of the search itself, so that one is also set if the search only covers the
 * web.
 */
const ofWebSource = (key: string): Field['wire'] => ({
	as: `sources.${key}`,
	last: true,
	put: (target, value, place) => {
		const list = typedIn(target.sources ?? ['web']);
		const web = list.find((source) => source.type === 'web');
		if (web === undefined) {
			const problem = `is set, but ${sources.displayName} has no Web`;
			throw invalid(place, problem, 'Add the source Web, or remove this option.');
		}
		web[key] ??= value as string;
		if (list.length === 1) target[key] ??= web[key];
		target.sources = list.map(plain);
	},
});

const categories: Field = choicesField('categories', 'Categories', {
	description: 'Only results of these kinds; each result then has a category',
	choices: [
		['developer', 'Developer', 'Docs, issues and READMEs; only by itself. Newer services only.'],
		['github', 'GitHub', 'Repositories, code, issues and docs'],
		['pdf', 'PDF', 'PDF files'],
		['research', 'Research', 'Academic sites, such as arXiv and PubMed'],
	],
	wire: {
		value: (entered, place) => typedEntries(categories, entered, place),
		check: checkCategories,
	},
});

/** Throws for Developer together with other categories: it is a separate index, which no service combines with them. */
function checkCategories({ categories: chosen }: IDataObject, place: Place): void {
	const types = typesIn(chosen);
	if (types.length === 1 || !types.includes('developer')) return;
	throw invalid(place, 'has Developer together with others', 'Remove it, or the others.');
}

const country = countryField(
	'Where to search from. An ID is a two-letter code. The service default is US',
);

const location = textField('location', 'Location', {
	placeholder: 'e.g. Berlin,Germany',
	description: 'City, state and country to search from; best with Country',
});

export const includeDomains = linesField('includeDomains', 'Include Domains', {
	example: 'example.com',
	description: 'Only results from these domains, apart from the query. Newer services only.',
	wire: { check: checkDomains },
});

export const excludeDomains = linesField('excludeDomains', 'Exclude Domains', {
	example: 'example.com',
	description: 'No results from these domains, apart from the query. Newer services only.',
});

function checkDomains(target: IDataObject, place: Place): void {
	if (target.excludeDomains === undefined) return;
	throw invalid(place, `is set together with ${excludeDomains.displayName}`, 'Remove one of them.');
}

const safe = booleanField('safe', 'Safe Search', {
	description: 'Whether to leave out explicit results. Newer services only.',
});

const highlights = booleanField('highlights', 'Highlights', {
	default: false,
	description: 'Whether descriptions are the passages that match the query. Newer services only.',
	wire: { mayBeEmpty: true },
});

const webOnly = collectionField('webOnly', 'For Web Results Only', {
	placeholder: 'Add Web Option',
	description:
		'For the source Web alone: some services ignore them if other sources are chosen, too',
	options: [
		{
			...publishedField({
				default: 'qdr:w',
				description: 'Web results from this period, instead of Published',
				wire: ofWebSource('tbs'),
			}),
			displayName: 'Web: Published',
		},
		{
			...location,
			displayName: 'Web: Location',
			description: 'Where to search the web from',
			wire: ofWebSource('location'),
		},
	],
	wire: { spread: true },
});

const ignoreInvalidURLs = booleanField('ignoreInvalidURLs', 'Ignore Invalid URLs', {
	default: false,
	description: 'Whether to leave out URLs that scraping rejects. The service default is off.',
});

export const timeout = timeField('timeout', 'Timeout', 'Seconds', {
	default: 60,
	description: 'How long to try to search. The service default is 60.',
	wire: { mayBeEmpty: true },
});

const enterprise = choicesField('enterprise', 'Enterprise', {
	description: `Data retention; must be enabled for your team. Each scraped page costs ${credits(PRICES.enterprisePage, 'more ')}.`,
	choices: [
		['anon', 'Anonymized Zero Data Retention', `${credits(PRICES.tenResults)} per 10 results`],
		['zdr', 'End-to-End Zero Data Retention', `${credits(PRICES.tenResultsZdr)} per 10 results`],
	],
});

/** Returns the first fields of both operations, with the given limit. */
export const searchFields = (ownLimit: Field<number> = limit): Field[] => [
	query,
	ownLimit,
	...timeFilterFields,
];

/** Returns the options of both operations, most needed first; `more` are those of one operation. */
export const searchOptions = (more: Field[] = []): Field[] => [
	sources,
	queryOperatorsField,
	newestFirst,
	country,
	location,
	categories,
	includeDomains,
	excludeDomains,
	...more,
	safe,
	highlights,
	webOnly,
	ignoreInvalidURLs,
	timeout,
	threatProtection,
	enterprise,
	splitIntoItems,
];
