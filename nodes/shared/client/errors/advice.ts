import { type ErrorText, mayPass } from './failure';

/** Facts that decide which advice makes sense. */
interface Asked {
	/** Whether the form has a field with this label; unset means that all fields exist, as in the docs. */
	hasField?: (label: string) => boolean;
	isPoll?: boolean;
	isTest?: boolean;
}

const SENTENCE_END = /(?<=[.)]) (?=[A-Z{])/;
const FIELD = /\{([A-Z][^}]*)\}/g;

/**
 * Returns what to do, without the sentences that name fields the form lacks. If the failure may pass, it begins with
 * trying again, which a trigger does by itself.
 */
export function remedyOf(
	{ remedy: advice, cause }: ErrorText,
	{ isPoll, isTest, hasField = () => true }: Asked = {},
): string {
	const fits = (sentence: string) =>
		[...sentence.matchAll(FIELD)].every(([, label]) => hasField(label));
	const rest = advice.split(SENTENCE_END).filter(fits).join(' ').replace(FIELD, '$1');
	const remedy = rest.replace(/^Or (\w)/, (_, first: string) => first.toUpperCase());
	if (remedy === '') return "See the service's message below.";
	if (!mayPass(cause) || /^[A-Z{]/.test(remedy)) return remedy;
	// Anyone who has just entered an address should check it first.
	if (isTest) return remedy[0].toUpperCase() + remedy.slice(1);
	const again = isPoll
		? 'The next poll tries again by itself.'
		: 'Wait a moment and run the node again.';
	return `${again} If this keeps happening, ${remedy}`;
}
