import { isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** IPv6 ranges whose last 32 bits are an embedded IPv4 address. */
const TRANSLATED_RANGES: readonly string[] = ['ipv4Mapped', 'rfc6052'];
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');
/** Locally chosen NAT64 prefixes; the position of the IPv4 address in them is unknown. */
const LOCAL_NAT64 = ipaddr.parseCIDR('64:ff9b:1::/48');

/** Addresses of cloud metadata services, which give machines their credentials. Some of them look like ordinary addresses. */
const METADATA_RANGES: readonly [Address, number][] = [
  '169.254.0.0/16', // AWS, Google, Azure and most others, with other local services
  '168.63.129.16/32', // Azure
  '100.100.100.200/32', // Alibaba
  '192.0.0.192/32', // Oracle
  'fd00:ec2::/32', // AWS
  'fd20:ce::254/128', // Google
  'fd00:42::42/128', // Scaleway
  'fe80::a9fe:a9fe/128', // OpenStack
].map((range) => ipaddr.parseCIDR(range));

/** Returns whether the address belongs to a cloud metadata service. */
export function isMetadataAddress(address: string): boolean {
  const parsed = parseAddress(address);
  return METADATA_RANGES.some(([network, bits]) => parsed?.kind() === network.kind() && parsed.match(network, bits));
}

/** Returns whether both are the same address, however they are written. */
export function isSameAddress(address: string, entry: string): boolean {
  return !entry.includes('/') && isInRange(address, entry);
}

/** Returns the range of an address that is not public, such as "loopback" or "private"; null for public addresses. */
export function nonPublicRangeOf(address: string): string | null {
  const parsed = parseAddress(address);
  if (!parsed) return 'not an IP address';
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast' ? null : parsed.range();
  if (!parsed.match(GLOBAL_UNICAST)) return parsed.range() === 'unicast' ? 'reserved' : parsed.range();
  return parsed.range() === 'unicast' ? null : parsed.range();
}

/** Returns whether the address equals an administrator's entry, or is in its CIDR range. */
export function isInRange(address: string, entry: string): boolean {
  const parsed = parseAddress(address);
  const range = parseRange(entry);
  return parsed !== null && range !== null && parsed.kind() === range[0].kind() && parsed.match(range);
}

/**
 * Returns the network that counts as one sender: an IPv4 address, or the /64 of an IPv6 address, because its owner has all of it
 * (RFC 6177). Any other text counts as a network.
 */
export function networkOf(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return address.slice(0, 64);
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}

/** Returns null when the text is not an address. Converts IPv6 addresses with an embedded IPv4 address to IPv4. */
function parseAddress(text: string): Address | null {
  const [address = ''] = text.replace(/^\[|\]$/g, '').split('%'); // without the zone
  if (isIPv4(address)) return ipaddr.IPv4.parse(address);
  // Normalised by URL first: ipaddr.js takes ::8.8.8.8 for ::ffff:8.8.8.8.
  const canonical = isIPv6(address) && URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1);
  return canonical ? withTranslationUndone(ipaddr.IPv6.parse(canonical)) : null;
}

function withTranslationUndone(address: ipaddr.IPv6): Address {
  if (!TRANSLATED_RANGES.includes(address.range()) || address.match(LOCAL_NAT64)) return address;
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

function parseRange(entry: string): [Address, number] | null {
  if (ipaddr.isValidCIDR(entry)) {
    const [network, bits] = ipaddr.parseCIDR(entry);
    return [network, bits];
  }
  const address = parseAddress(entry);
  return address && [address, address.toByteArray().length * 8];
}
