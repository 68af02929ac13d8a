import { type Choice, choiceField, choicesField } from '../form/controls';
import type { Field } from '../form/field';
import { countryCode, words } from '../form/values';

/** Lists the countries of ISO 3166-1. */
const COUNTRIES =
	'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';

/** Lists languages of many pages (ISO 639-1), and those that are written in more than one way. */
const LANGUAGES =
	'af am ar az be bg bn bs ca cs cy da de de-AT de-CH el en en-AU en-CA en-GB en-US es es-MX et eu fa fi fr fr-CA ga gl gu he hi hr hu hy id is it ja ka kk km kn ko lo lt lv mk ml mn mr ms my nb ne nl pa pl pt pt-BR ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh-CN zh-TW';

/** Names codes in English, with the code beside the name, in the names' order. */
function named(codes: string, type: 'region' | 'language'): Choice[] {
	const names = new Intl.DisplayNames('en', { type });
	return codes
		.split(' ')
		.map((code): Choice => [code, `${names.of(code)} (${code})`])
		.sort(([, one], [, other]) => one.localeCompare(other, 'en'));
}

/** Chooses a country by its name; an expression gives any two-letter code. */
export const countryField = (description: string): Field<string> =>
	choiceField<string>('country', 'Country', {
		default: 'US',
		description,
		choices: named(COUNTRIES, 'region'),
		wire: { mayBeEmpty: true, value: countryCode },
	});

/** Chooses languages by their names; an expression gives any language tags. */
export const languagesField = (description: string): Field =>
	choicesField('languages', 'Languages', {
		description,
		choices: named(LANGUAGES, 'language'),
		wire: { mayBeEmpty: true, value: words },
	});
