import { sentences, shortened } from '../../base/text';
import { isObject } from '../../base/json';
import type { About } from '../types';
import type { Rejected } from './outcome';
import { type ErrorText, mayPass } from './texts';

const SENTENCE_END = /(?<=[.)]) (?=[A-Z{])/;
const FIELD = /\{([A-Z][^}]*)\}/g;

/**
 * Returns what to do, without the sentences that name fields the form lacks (unset `hasField`: all fields exist, as in
 * the docs). If the failure may pass, it begins with trying again, which a trigger does by itself.
 */
export function remedyOf(
	{ remedy: advice, cause }: ErrorText,
	{ isPoll, isTest, hasField = () => true }: Pick<About, 'isPoll' | 'isTest' | 'hasField'> = {},
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

/** Returns where the service wants something to be done first, such as a login. */
export function actionLine({
	requiresAction,
	login_url: login,
}: Rejected['body'] & object): string {
	const url = isObject(requiresAction) ? requiresAction.url : login;
	return typeof url === 'string' && url !== '' ? `See ${shortened(url)}.` : '';
}

/** Returns how long a call has waited for the rate limit, and how much longer it would have had to. */
export function waitLine(
	{ retryAfterMs, isUnsent }: Pick<Rejected, 'retryAfterMs' | 'isUnsent'>,
	{ waitedMs, jobId }: About,
): string {
	const waited = waitedMs < 1_000 ? '' : `Waited ${Math.ceil(waitedMs / 1_000)} s.`;
	const more = waited === '' ? '' : ' more';
	const named =
		retryAfterMs === undefined ? '' : `${Math.max(1, Math.floor(retryAfterMs / 1_000))} s${more}`;
	if (!isUnsent) return sentences([waited, named && `The service asks you to wait ${named}.`]);
	const wait = named && `, and it would have had to wait ${named}`;
	// The job itself was started; only this request about it wasn't sent.
	const what = jobId === undefined ? 'It' : 'This request about the job';
	return sentences([waited, `${what} was not sent: the account's rate limit was reached${wait}.`]);
}
