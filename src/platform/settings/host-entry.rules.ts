import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

const LONGEST = 255;
/** A name, or `*.` and a name. If the last part has only digits, it is an address, not a name. */
const HOST_NAME = /^(?:\*\.)?[\p{L}\p{N}_](?:[\p{L}\p{N}_-]*)(?:\.[\p{L}\p{N}_-]+)*\.?$/u;
const ENDS_IN_NUMBER = /(?:^|\.)\d+\.?$/;

/** Returns whether a text is an IP address, or a CIDR range such as 10.0.0.0/8. */
export function isAddressOrRange(text: string): boolean {
  if (text.length > LONGEST) return false;
  if (text.includes('/')) return ipaddr.isValidCIDR(text);
  const address = text.replace(/^\[|\]$/g, '');
  return ipaddr.IPv4.isValidFourPartDecimal(address) || isIPv6(address);
}

/** Returns whether a text denotes hosts: a name, `*.domain`, an IP address or a CIDR range, but no port or URL. */
export const isHostEntry = (text: string): boolean =>
  isAddressOrRange(text) || (text.length <= LONGEST && HOST_NAME.test(text) && !ENDS_IN_NUMBER.test(text));
