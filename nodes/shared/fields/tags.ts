import { invalid, quoted, saysNothing } from '../form/checks';
import { linesField } from '../form/controls';
import type { Place } from '../form/field';
import { lines } from '../form/values';

/** Matches what isn't a selector: a tag or an attribute as in HTML, a path, a list, a mark, or a word for all. */
const NO_SELECTOR =
	/^[<"'`“/$@!%&(]|^[-–•] |^[^"'[]*[;{}]|^[\w-]+\s*=|^(?:all|any|yes|no|true|false)$/i;

/** Returns selectors of elements. Throws for an entry that no page has. */
function selectors(entered: unknown, place: Place): string[] | undefined {
	const list = lines(entered, place);
	const odd = list?.find((one) => one !== '*' && (saysNothing(one) || NO_SELECTOR.test(one)));
	if (odd === undefined) return list;
	throw invalid(
		place,
		`has ${quoted(odd)}, which is not a tag, class or ID`,
		'Write article for a tag, .main for a class and #main for an ID.',
	);
}

export const includeTags = linesField('includeTags', 'Include Tags', {
	example: 'article',
	description: 'Keep only these HTML tags, classes or IDs',
	wire: { value: selectors },
});

export const excludeTags = linesField('excludeTags', 'Exclude Tags', {
	example: '.comments',
	description: 'Leave out these HTML tags, classes or IDs',
	wire: { value: selectors },
});
