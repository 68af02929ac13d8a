import { ALLOW_ADDRESS } from '../../client/errors/texts';
import { hostNameOf, kindOf } from '../../base/hosts';

type Lookup = (
	host: string,
	options: object,
	done: (error: Error | null, found: Array<{ address: string }>) => void,
) => void;

/** n8n's protection of its own network, in versions that offer it to nodes (2.37 and later). */
interface FilterHelpers {
	getSecureEgressFilter?(policy: 'enforced'): {
		/** Fails for a name or address that the administrator doesn't allow. */
		createSecureLookup?(): Lookup;
	};
}

/**
 * Returns, as a sentence, why a link must not be fetched; undefined if it may be. n8n's own filter resolves names and
 * knows what the administrator allows; this list covers the rest. `own`, the host of the Base URL, is exempt. Call it
 * again with the response, because the host may have changed its address in between. If n8n hides the address, the name
 * is resolved once more.
 */
export async function refusalOf(
	context: { helpers: object },
	url: URL,
	own: URL,
	response?: { address?: string },
): Promise<string | undefined> {
	const name = hostNameOf(url);
	// In networks that only have IPv6, NAT64 maps a name that has only an IPv4 address to such an address.
	const address = response?.address?.replace(/^64:ff9b::(?=[^:]+:[^:]+$)/, '::ffff:');
	const host = address ?? name;
	const { isAllowed, found } = await lookedUp(context, host, response !== undefined);
	const kinds = [host, ...found].map(kindOf);
	const where = host === name ? '' : ` (${response?.address})`;
	const leads = `It leads to ${url.host}${where},`;
	const nowhere = `${leads} an address that is never used for downloads.`;
	if (kinds.includes('never')) return nowhere;
	if (name === hostNameOf(own)) return undefined;
	// The name was allowed before the request. A private name can't come from outside, so the administrator must have
	// allowed it.
	if (address !== undefined && kindOf(name) !== undefined) return undefined;
	if (kinds.includes('special')) return nowhere;
	if (isAllowed ?? kinds[0] === undefined) return undefined;
	return `${leads} an address inside n8n's own network, where a page's files can't come from. If your own service keeps its files there, ${ALLOW_ADDRESS}, which needs n8n 2.37 or later.`;
}

/**
 * Asks n8n's filter about a name or address. `isAllowed` is undefined if there is no filter, or if it can't resolve the
 * name, perhaps because only a proxy can. n8n caches a look-up for a second, but not across different options.
 */
async function lookedUp(
	context: { helpers: object },
	host: string,
	isAgain: boolean,
): Promise<{ isAllowed?: boolean; found: string[] }> {
	const helpers = context.helpers as FilterHelpers;
	const lookup = helpers.getSecureEgressFilter?.('enforced').createSecureLookup?.();
	if (lookup === undefined) return { found: [] };
	return await new Promise((resolve) =>
		lookup(host, { all: true, ...(isAgain && { verbatim: true }) }, (error, found) => {
			if (!error) resolve({ isAllowed: true, found: found.map(({ address }) => address) });
			else resolve({ ...(/^SsrfBlocked/.test(error.name) && { isAllowed: false }), found: [] });
		}),
	);
}
