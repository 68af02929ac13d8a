import { withoutEnd } from './text';
import { parsedUrl } from './url';

/** Endings of names that only have a meaning within n8n's own network. */
const PRIVATE_ENDINGS =
	'localhost localdomain local internal intranet lan home home.arpa corp svc test'.split(' ');

/** Whether a name has such an ending, or is a single word. */
const isPrivateName = (host: string) =>
	!host.includes('.') || PRIVATE_ENDINGS.some((ending) => host.endsWith(`.${ending}`));

/**
 * Who may allow an address that isn't on the internet. `private`: the administrator, through n8n's own filter.
 * `special`: nobody, except that the Base URL may have such an address (n8n's filter doesn't know these ranges and
 * would allow them for everyone). `never`: nobody.
 */
type Kind = 'private' | 'special' | 'never';

/**
 * The ranges that are not on the internet: first address, prefix length, kind. The first match counts. Sources: IANA's
 * special-purpose registries for IPv4 and IPv6, and its unallocated ranges.
 */
const RANGES: Array<[string, number, Kind?]> = [
	['::', 128, 'never'],
	['0.0.0.0', 8, 'never'],
	// Link-local addresses, where clouds serve their metadata.
	['169.254.0.0', 16, 'never'],
	['fe80::', 10, 'never'],
	['::1', 128, 'private'],
	['10.0.0.0', 8, 'private'],
	['127.0.0.0', 8, 'private'],
	['172.16.0.0', 12, 'private'],
	['192.0.0.0', 24, 'private'],
	['192.168.0.0', 16, 'private'],
	['198.18.0.0', 15, 'private'],
	['fc00::', 7, 'private'],
	['100.64.0.0', 10, 'special'],
	// Documentation.
	['192.0.2.0', 24, 'special'],
	['198.51.100.0', 24, 'special'],
	['203.0.113.0', 24, 'special'],
	['2001:db8::', 32, 'special'],
	['3fff::', 20, 'special'],
	// Multicast and reserved.
	['224.0.0.0', 3, 'special'],
	// All other IPv4.
	['::ffff:0:0', 96],
	// Protocol assignments, among them Teredo and ORCHID; then 6to4.
	['2001::', 23, 'special'],
	['2002::', 16, 'special'],
	// Everything but 2000::/3, including NAT64 and old notations that embed an IPv4 address.
	['::', 3, 'special'],
	['4000::', 2, 'special'],
	['8000::', 1, 'special'],
];

/** Returns a URL's name or address without brackets and trailing dots. */
export function hostNameOf({ hostname }: URL): string {
	return withoutEnd(hostname.replace(/^\[|\]$/g, ''), '.');
}

/** Returns the kind of a name or an address; undefined if it is on the internet. */
export function kindOf(host: string): Kind | undefined {
	const groups = groupsOf(host);
	if (groups === undefined) return isPrivateName(host) ? 'private' : undefined;
	return RANGES.find(([first, bits]) => {
		const length = first.includes(':') ? bits : bits + 96;
		return groupsOf(first)!.every((group, index) => {
			const ignored = 16 - Math.min(16, Math.max(0, length - 16 * index));
			return group >> ignored === groups[index] >> ignored;
		});
	})?.[2];
}

/** Returns the eight groups of an address, IPv4 as `::ffff:a.b.c.d`; undefined for a name. */
function groupsOf(host: string): number[] | undefined {
	const isIpv4 = /^\d+(\.\d+){3}$/.test(host);
	if (!isIpv4 && !host.includes(':')) return undefined;
	// URLs normalize IPv6 to its shortest form; the name of a network interface is dropped.
	const address = isIpv4 ? `::ffff:${host}` : host.split('%')[0];
	const url = parsedUrl(`http://[${address}]`);
	if (url === undefined) return undefined;
	const [head, tail = []] = hostNameOf(url)
		.split('::')
		.map((part) => part.split(':').filter((group) => group !== ''));
	const gap = Array<string>(8 - head.length - tail.length).fill('0');
	return [...head, ...gap, ...tail].map((group) => parseInt(group, 16));
}
