/**
 * The words that decide what a text of a form means, such as only, before and never: another one is another statement.
 * With them stand what a control begins with, and its limits. `npx jest test/contract/senses -u` takes new ones; read the
 * difference before.
 */
import { hasContent } from '../../nodes/shared/base/json';
import type { Field } from '../../nodes/shared/form/field';
import { statements } from './statements';

/** Words that turn a sentence into another one. */
const DECISIVE = new RegExp(
	`\\b(?:${[
		'only|no|not|never|always|without|nothing|no longer|none|cannot|must|may|unless|if|when|instead',
		'before|after|above|below|between|within|wholly|until|across|beside|together|alone|afresh|at once|right away',
		'younger|older|newer|newest|earlier|later|latest|first|last|next|current|documented',
		'least|most|more|less|fewer|fewest|lower|higher|larger|smaller|cheaper|faster|slower|stricter|better',
		'all|each|every|any|both|one|some|several|whole|part|same|other|another|different|differs?|separate|own',
		'include[sd]?|including|exclude[sd]?|leave out|left out|keeps?|kept|clear|removes?|removed|ignore[sd]?|skip',
		'allow|allowed|block|blocked|forbids?|accepts?|drops?|dropped|adds?|counts?|lacks?|lists?|returns?',
		'on|off|in|out|up to|at least|at most|start|starts|stops?|ends?|ended|fails?|failed|cancelled|running|goes? on',
		'saves?|shares?|shared|fires|emits?|emitted|remember|reports?|page|pages|crawl|crawls|item|items|job|jobs',
		'web|news|images|title|url|element|prompt|code|schema|request|task|tasks|thread|session|poll|polls|month|year',
		'seconds?|minutes?|hours?|days?|weeks?|months?|years?|milliseconds?|[KMG]B|characters?|pixels?',
		'opens?|close|stays?|sent|returned|given|found|needs?|oldest|two|many|mobile|derives|empty|again',
		'free|costs?|credits?|charges?|nothing|paid|billed|price',
	].join('|')})\\b|(?:[\\w-]*\\.\\w[\\w.]*|\\*|[a-z]+:[\\w.]+|spark-[\\w-]+)`,
	'gi',
);

/** Returns what a control begins with, and its limits. */
function beginningOf({ default: standard, typeOptions = {}, wire }: Field): string {
	const { minValue, maxValue } = typeOptions;
	const shown = hasContent(standard) && JSON.stringify(standard);
	const limits = [minValue, maxValue ?? wire?.maxLength].map((limit) => limit ?? '').join('..');
	return [shown, limits !== '..' && limits].filter(Boolean).join(' ');
}

it('forms mean what they meant', () => {
	const said = new Set<string>();
	for (const { where, texts, field, value } of statements()) {
		// Places and languages have names only.
		if (value !== undefined && /(country|languages) = /i.test(where)) continue;
		// A name is no sentence, but that of a notice is one.
		const isNamed = field !== undefined && field.type !== 'notice';
		const text = texts.slice(isNamed ? 1 : 0).join(' ');
		const words = (text.match(DECISIVE) ?? []).join(' ').toLowerCase();
		const control = where.replace(/^.*→ (?:\w+\.)*/, '');
		const begins = field && value === undefined ? beginningOf(field) : '';
		if (words + begins !== '') said.add(`${control}: ${[begins, words].join(' ').trim()}`);
	}
	expect([...said].sort().join('\n')).toMatchSnapshot();
});
