import { countryCode, languageTag } from '../../../nodes/shared/fields/places';
import places from '../../../nodes/shared/fields/places.json';
import { errorOf, place } from '../../support/form';

const at = { ...place, labels: ['Options', 'Field'] };

it.each<[unknown, string | undefined]>([
	[' de ', 'DE'],
	['US', 'US'],
	[['us'], 'US'],
	['XK', 'XK'],
	...['UK', 'uk', 'U.K.', 'GBR', 'Great Britain', 'England', 'en-GB', 'en_UK'].map(
		(text): [string, string] => [text, 'GB'],
	),
	...[
		'USA',
		'U.S.',
		'U.S.A.',
		'United States',
		'America',
		'en_US',
		'Estados Unidos',
		'Vereinigte Staaten',
	].map((text): [string, string] => [text, 'US']),
	...[
		'de-DE',
		'de_DE.UTF-8',
		'DEU',
		'Germany',
		'Deutschland',
		'deutschland',
		'Allemagne',
		'ドイツ',
	].map((text): [string, string] => [text, 'DE']),
	['Schweiz', 'CH'],
	['zh-Hans-CN', 'CN'],
	['Österreich', 'AT'],
	['The Netherlands', 'NL'],
	['Czech Republic', 'CZ'],
	['', undefined],
	[[], undefined],
])('%j is a country: %s', (entered, code) => {
	expect(countryCode(entered, at)).toBe(code);
});

it.each<[unknown, string]>([
	...[
		'Europe',
		'cs',
		'CS',
		'ja',
		'EN',
		'ZZ',
		'D',
		'D1',
		'49',
		'US-CA',
		'DE-BY',
		'Berlin',
		'DE, FR',
	].map((text): [string, string] => [text, text]),
	[49, '49'],
	[{ a: 1 }, '{"a":1}'],
	[Object.create(null), '{}'],
	['x'.repeat(99), `${'x'.repeat(79)}…`],
])('%j is refused with the way to write it', (entered, quote) => {
	const error = errorOf(() => countryCode(entered, at));
	expect(error.message).toBe(`Field is "${quote}", but must be a two-letter country code`);
	expect(error.description).toContain('e.g. US for the United States');
});

it.each<[entered: string, tag: string]>([
	...['en', 'EN', 'English', 'english', 'Englisch', 'eng'].map((text): [string, string] => [
		text,
		'en',
	]),
	...['de', 'DE', 'Deutsch', 'German', 'allemand', 'ger', 'deu', 'de.UTF-8'].map(
		(text): [string, string] => [text, 'de'],
	),
	...['en-US', 'en_US', 'en_us.UTF-8'].map((text): [string, string] => [text, 'en-US']),
	['zh-Hans', 'zh-Hans'],
	['es-419', 'es-419'],
	['中文', 'zh'],
	['français', 'fr'],
	['no', 'no'],
])('%j is the language %s', (entered, tag) => {
	expect(languageTag(entered, at)).toBe(tag);
});

it.each(['US', 'GB', 'CH', 'xx', 'all', 'auto', 'Klingon', 'Germany', 'en-ab-cd', 'q=0.9', '1'])(
	'%j is refused as a language',
	(entered) => {
		const { message, description } = errorOf(() => languageTag(entered, at));
		expect(message).toBe(`Field has "${entered}", which is not a language`);
		expect(description).toContain('e.g. en or de-AT.');
	},
);

it.each([
	['country', places.countries, 'region'],
	['language', places.languages, 'language'],
] as const)('every %s has the name of its code', (_, names, type) => {
	const standard = new Intl.DisplayNames('en', { type });
	const wrong = Object.entries(names).filter(([code, name]) => standard.of(code) !== name);
	expect(wrong).toEqual([]);
});
