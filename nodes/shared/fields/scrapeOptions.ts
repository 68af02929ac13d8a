import type { IDataObject } from 'n8n-workflow';

import { setAt, valueAt } from '../base/json';
import { checkedBoolean, checkedNumber, invalid } from '../form/checks';
import {
	booleanField,
	choiceField,
	collectionField,
	headersField,
	textField,
	timeField,
} from '../form/controls';
import { type Field, type Place, type Wire, childrenOf } from '../form/field';
import { actionsField } from './actions';
import { pdfParsing } from './pdfParsing';
import { countryField, languagesField } from './places';
import { redactPii, redactionOptions } from './redaction';
import { excludeTags, includeTags } from './tags';
import { auditUsername, threatProtection } from './teamPolicy';
import { PRICES, credits } from './prices';

const onlyCleanContent = booleanField('onlyCleanContent', 'Only Clean Content', {
	description: 'Whether AI removes cookie banners, share buttons etc. Newer services only.',
});

export const headers = headersField('headers', 'Headers', {
	description: 'Sent to the site, e.g. cookies',
	example: ['User-Agent', 'Mozilla/5.0'],
	addText: 'Add Header',
});

export const waitFor = timeField('waitFor', 'Wait For', 'Seconds', {
	default: 0,
	minValue: 0,
	maxValue: 60,
	description: 'Additional wait before reading. At most half of Timeout. The service default is 0.',
	wire: {
		mayBeEmpty: true,
		// Without Timeout, any wait is fine.
		check: ({ waitFor: waitMs, timeout: timeoutMs = Infinity }, place) =>
			checkWait(Number(waitMs), Number(timeoutMs), place),
	},
});

/**
 * Throws for a wait (ms) that leaves less than half of the timeout (ms) for the page, as the service does; `why` says why
 * the timeout can't be raised.
 */
export function checkWait(waitMs: number, timeoutMs: number, place: Place, why = ''): void {
	if (2 * waitMs <= timeoutMs || waitMs === 0) return;
	const problem = `is ${waitMs / 1_000}, but must be at most half of Timeout (${timeoutMs / 1_000}${why})`;
	throw invalid(place, problem, why ? 'Lower this.' : 'Raise Timeout or lower this.');
}

export const mobile = booleanField('mobile', 'Mobile', {
	default: false,
	description: 'Whether to visit the page as a mobile device. The service default is off.',
	wire: { mayBeEmpty: true },
});

export const onlyMainContent = booleanField('onlyMainContent', 'Only Main Content', {
	description: 'Whether to leave out headers, navigation and footers. The service default is on.',
});

export const removeBase64Images = booleanField('removeBase64Images', 'Remove Base64 Images', {
	description: 'Whether to replace embedded images with a placeholder. The service default is on.',
	wire: { mayBeEmpty: true },
});

export const blockAds = booleanField('blockAds', 'Block Ads', {
	description: 'Whether to block ads and cookie pop-ups. The service default is on.',
	wire: { mayBeEmpty: true },
});

export const storeInCache = booleanField('storeInCache', 'Store in Cache', {
	description:
		'Whether the service may index and cache pages. The service default is on; Actions and Headers turn it off.',
});

/** Country and languages from which a page is visited (PageLocation in api/openapi.yaml). */
export const locationField = collectionField('location', 'Location', {
	placeholder: 'Add Location Option',
	options: [
		countryField('An ID is a two-letter code. The service default is US'),
		languagesField(
			'Preferred one first. An ID is a tag, e.g. de-AT. By default, the language of the country',
		),
	],
});

export const proxy = choiceField('proxy', 'Proxy', {
	default: 'auto',
	description: 'How to get past bot protection. Some services always use Auto.',
	choices: [
		[
			'auto',
			'Auto',
			`Basic, then Enhanced: up to ${credits(PRICES.enhancedPage)}; newer services bill ${PRICES.page}`,
		],
		['basic', 'Basic', 'For little bot protection; regular cost'],
		[
			'enhanced',
			'Enhanced',
			`For strong bot protection; up to ${credits(PRICES.enhancedPage)} per request, but newer services bill ${PRICES.page}. Older services call it stealth.`,
		],
	],
	wire: { open: true },
});

const profile = collectionField('profile', 'Browser Profile', {
	placeholder: 'Add Profile Option',
	description: 'Stay logged in: keeps cookies and logins between scrapes',
	options: [
		textField('name', 'Name', {
			placeholder: 'e.g. shop-login',
			description: 'Scrapes with the same name share cookies and logins',
			wire: { maxLength: 128, required: true },
		}),
		booleanField('saveChanges', 'Save Changes', {
			description:
				'Whether Stop Interaction saves the state; only one session at a time may. The service default is on.',
		}),
	],
});

export const skipTlsVerification = booleanField('skipTlsVerification', 'Skip TLS Verification', {
	description:
		'Whether to accept invalid certificates. The service default is on; Headers and Actions may turn it off.',
	wire: { mayBeEmpty: true },
});

/** Longest age of a copy that is asked for: a year. */
const MAX_AGE_HOURS = 8_760;

/** Maximum age of a cached page; by default, the service keeps pages for two days. */
export const maxAge = timeField('maxAge', 'Max Age', 'Hours', {
	default: 48,
	minValue: 0,
	// Workflows written for the API have 172800000 here, in milliseconds: copies of any age.
	maxValue: MAX_AGE_HOURS,
	description:
		'Accept a copy younger than this; 0 always fetches the page afresh. The service default is 48 (2 days).',
});

const minAge = timeField('minAge', 'Min Age', 'Hours', {
	default: 0,
	minValue: 0,
	maxValue: MAX_AGE_HOURS,
	description: 'Take only a copy at least this old; 0 accepts any. Without one, the item fails.',
	// The service takes 0 for unset, and would scrape the page.
	wire: { value: (entered, place) => Math.max(1, checkedNumber(minAge, entered, place)) },
});

export const timeout = timeField('timeout', 'Timeout', 'Seconds', {
	default: 60,
	maxValue: 300,
	description: 'How long to try to read a page. The service default is 60.',
	wire: { mayBeEmpty: true },
});

/** Switch for answering from the cache only, without contacting the site. */
const lockdown = booleanField('lockdown', 'Lockdown', {
	description: `Whether to read the cache only; ${credits(PRICES.lockdownPage)} per page found, ${PRICES.page} if there is none. Newer services only.`,
});

/** Where a body has its scrape options: at its top level, or in an object. */
export type Prefix = '' | 'scrapeOptions.';

const ALWAYS_FRESH = 'Whether to fetch pages now, never a copy; the same as Max Age 0';

/** Creates the switch for the most common use of Max Age. */
const alwaysFreshField = (prefix: Prefix, description: string): Field =>
	booleanField('alwaysFresh', 'Always Fetch Fresh', {
		description,
		wire: {
			last: true,
			value: (entered, place) => (checkedBoolean(entered, place) ? 0 : undefined) as never,
			put: (target, value, place) => {
				for (const { name, displayName, wire } of [maxAge, minAge, lockdown]) {
					const other = valueAt(target, prefix + name);
					if (other === undefined || other === false || other === value) continue;
					const problem = `is on, but ${displayName} is ${other === true ? 'on' : Number(other) / wire!.unitMs!}`;
					throw invalid(place, problem, 'Remove one of the two.');
				}
				setAt(target, prefix + maxAge.name, value);
			},
		},
	}) as Field;

/** How a page is visited, for forms with a choice of scrape options. */
export const visitOptions: Field[] = [
	proxy,
	locationField,
	headers,
	mobile,
	blockAds,
	skipTlsVerification,
];

/** Returns what puts a collection's options into an object of the body, beside what is there. */
export const addedTo =
	(name: string): Wire['put'] =>
	(target, value) => {
		target[name] = { ...(target[name] as IDataObject), ...(value as IDataObject) };
	};

/** Returns scrape options as one control, sent as the object `scrapeOptions`. */
export function scrapeOptionsField(
	fields: Field[],
	description: string,
	name = 'scrapeOptions',
	label = 'Scrape Options',
): Field {
	return collectionField(name, label, {
		description,
		options: fields,
		wire: {
			as: 'scrapeOptions',
			// The formats and other topics may already be there.
			put: addedTo('scrapeOptions'),
		},
	});
}

/** Returns a control whose scrape options are sent at the top level of the body. */
export const inBody = (field: Field): Field => ({ ...field, wire: { spread: true } });

/** Returns the scrape options by topic, each with few enough for n8n to show them without scrolling. */
export function scrapeTopics(prefix: Prefix, age = maxAge): Field[] {
	const topics = [
		scrapeOptionsField(
			[
				includeTags,
				excludeTags,
				onlyCleanContent,
				pdfParsing,
				blockAds,
				removeBase64Images,
				redactPii,
				redactionOptions,
			],
			'What to keep of a page, and how to read PDFs',
			'contentOptions',
			'Page Content',
		),
		scrapeOptionsField(
			[actionsField, waitFor, timeout, proxy, locationField, headers, mobile, profile],
			'How to visit the page, and steps on it',
			'browserOptions',
			'Browser',
		),
		scrapeOptionsField(
			[age, minAge, lockdown, storeInCache, skipTlsVerification, threatProtection, auditUsername],
			'How old a copy may be, what is kept, and which sites are safe',
			'cacheOptions',
			'Cache and Safety',
		),
	];
	return prefix === '' ? topics.map(inBody) : topics;
}

/** Returns a topic with only these of its scrape options. */
export const onlyWith = (topic: Field, fields: Field[]): Field => ({
	...topic,
	options: childrenOf(topic).filter((field) => fields.some(({ name }) => name === field.name)),
});

/** Returns the options for how to scrape each page, most needed first; the texts are for where they work differently. */
export const scrapeOptions = (
	prefix: Prefix,
	{ maxAge: description = maxAge.description, alwaysFresh = ALWAYS_FRESH } = {},
): Field[] => [
	alwaysFreshField(prefix, alwaysFresh),
	{ ...onlyMainContent, wire: { as: prefix + onlyMainContent.name } },
	...scrapeTopics(prefix, { ...maxAge, description }),
];
