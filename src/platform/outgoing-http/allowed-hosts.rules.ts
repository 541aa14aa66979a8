import { isInRange, isSameAddress } from '../network/address.rules.js';

/** Host names of cloud metadata services, which give machines their credentials. */
const METADATA_NAMES: readonly string[] = [
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'instance-data',
  'instance-data.ec2.internal',
];

export const isMetadataName = (host: string): boolean => METADATA_NAMES.includes(normalized(host));

/** Returns whether the setting http.allowed_hosts contains the host: `feeds.corp`, `*.corp`. */
export function isHostAllowed(host: string, entries: readonly string[]): boolean {
  const name = normalized(host);
  return entries.map(normalized).some((entry) => {
    if (entry.startsWith('*.')) return name.endsWith(entry.slice(1)) && name.length > entry.length - 1;
    return name === entry;
  });
}

/** Returns whether the setting http.allowed_hosts contains the address, alone or in a range: `10.1.2.3`, `10.0.0.0/8`, `fd00::/8`. */
export function isAddressAllowed(address: string, entries: readonly string[]): boolean {
  return entries.some((entry) => isInRange(address, entry));
}

/** Returns whether the setting http.allowed_hosts contains exactly this address, not only a range or a name. */
export function isAddressNamed(address: string, entries: readonly string[]): boolean {
  return entries.some((entry) => isSameAddress(address, entry));
}

const normalized = (host: string): string => host.toLowerCase().replace(/\.$/, '');
