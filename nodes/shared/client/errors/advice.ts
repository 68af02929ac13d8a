/** What decides which advice can be followed. */
export interface Reader {
	/** Whether the form has a field with this label; unset if all fields are meant, as in the docs. */
	hasField?: (label: string) => boolean;
	/** Whether the call may cost credits. */
	mayCost?: boolean;
}

const SENTENCE_END = /(?<=[.)]) (?=[A-Z{])/;
const FIELD = /\{([A-Z][^}]*)\}/g;
const PRICE = /\bbills? \d/;

/** Returns advice without the sentences that name fields the form lacks, or prices of a call that costs nothing. */
export function adviceFor(
	advice: string,
	{ hasField = () => true, mayCost = true }: Reader,
): string {
	const fits = (sentence: string) =>
		[...sentence.matchAll(FIELD)].every(([, label]) => hasField(label)) &&
		(mayCost || !PRICE.test(sentence));
	return advice.split(SENTENCE_END).filter(fits).join(' ').replace(FIELD, '$1');
}
