/** Protects n8n's own network, in the versions that offer this to nodes (2.37 and later). */
interface EgressFilter {
	/** Rejects if the name can't be looked up. */
	validateUrl(url: URL): Promise<{ ok: true } | { ok: false; error: Error }>;
}

interface FilterHelpers {
	getSecureEgressFilter?(policy: 'enforced'): EgressFilter;
}

/** Matches names that only mean something in the network n8n is in. */
const PRIVATE_NAME =
	/^[^.:]+$|\.(localhost|localdomain|local|internal|intranet|lan|home|home\.arpa|corp|svc|test)$/;

/** Lists the IPv4 ranges that are not on the internet: first address and prefix length. */
const PRIVATE_RANGES: Array<[string, number]> = [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	['192.168.0.0', 16],
	['198.18.0.0', 15],
	['224.0.0.0', 3],
];

/**
 * Tells whether a URL leads into n8n's network: to this machine, a private or a link-local address. n8n's own filter
 * decides if there is one: it looks names up and knows what the administrator allows. Otherwise the name or address in
 * the URL decides.
 */
export async function isPrivate(context: { helpers: object }, url: URL): Promise<boolean> {
	const helpers = context.helpers as FilterHelpers;
	const filter = helpers.getSecureEgressFilter?.('enforced');
	// A name that the filter can't look up is judged by its text: perhaps only a proxy knows it.
	const result = await filter
		?.validateUrl(url)
		.catch((error: Error) => ({ ok: false, error }) as const);
	if (result?.ok) return false;
	if (result !== undefined && /^SsrfBlocked/.test(result.error.name)) return true;
	return isPrivateHost(url.hostname);
}

export function isPrivateHost(hostname: string): boolean {
	if (hostname.startsWith('[')) return isPrivateIpv6(hostname.slice(1, -1));
	// A name may end with the dot of the root, and resolvers accept several.
	const name = hostname.replace(/\.+$/, '');
	const address = ipv4(name);
	return address === undefined ? PRIVATE_NAME.test(name) : isPrivateIpv4(address);
}

function ipv4(text: string): number | undefined {
	if (!/^\d+(\.\d+){3}$/.test(text)) return undefined;
	return text.split('.').reduce((address, part) => address * 256 + Number(part), 0);
}

function isPrivateIpv4(address: number): boolean {
	return PRIVATE_RANGES.some(([first, length]) => {
		const size = 2 ** (32 - length);
		return Math.floor(address / size) === Math.floor(ipv4(first)! / size);
	});
}

/** Relies on how URLs write IPv6 addresses: in their shortest form, with IPv4 parts in hexadecimal. */
function isPrivateIpv6(text: string): boolean {
	const [head, tail] = text
		.split('::')
		.map((part) => part.split(':').filter((group) => group !== ''));
	const gap = tail === undefined ? [] : Array<string>(8 - head.length - tail.length).fill('0');
	const groups = [...head, ...gap, ...(tail ?? [])].map((group) => parseInt(group, 16));
	const [first, second] = groups;
	// These hold an IPv4 address: ::a.b.c.d, ::ffff:a.b.c.d, ::ffff:0:a.b.c.d, 64:ff9b::a.b.c.d, ISATAP and 6to4.
	const isMapped = /^0,0,0,0,(0,(0|65535)|65535,0),/.test(groups.join());
	const isTranslated = first === 0x64 && second === 0xff9b;
	const isIsatap = (groups[4] === 0 || groups[4] === 0x200) && groups[5] === 0x5efe;
	const is6to4 = first === 0x2002;
	const [high, low] = is6to4 ? groups.slice(1) : groups.slice(6);
	const isHolder = isMapped || isTranslated || isIsatap || is6to4;
	if (isHolder && isPrivateIpv4(high * 0x10000 + low)) return true;
	// Teredo addresses hide one; nothing public is served there.
	if (first === 0x2001 && second === 0) return true;
	// Unique local, link-local, site-local and multicast addresses.
	return (first & 0xfe00) === 0xfc00 || (first & 0xff80) === 0xfe80 || first >= 0xff00;
}
