import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { nonPublicRangeOf } from './address.rules.js';
import { isAddressAllowed, isHostAllowed } from './allowed-hosts.rules.js';
import type { HostResolver } from './host-resolver.provider.js';
import { HostNotAllowed } from './http.errors.js';

/** Decides about the addresses that the requests of one call may connect to. */
export class AddressGuard {
  constructor(
    private readonly resolver: HostResolver,
    private readonly allowedHosts: readonly string[],
  ) {}

  /** Hosts that are addresses are connected to without a look-up. @throws HostNotAllowed */
  assertHost(hostname: string): void {
    const host = withoutBrackets(hostname);
    if (isIP(host)) this.assertAddress(host, host);
  }

  /** @throws HostNotAllowed */
  assertAddress(host: string, address: string): void {
    const range = nonPublicRangeOf(address);
    if (range === null || isHostAllowed(host, this.allowedHosts) || isAddressAllowed(address, this.allowedHosts))
      return;
    throw new HostNotAllowed(host, address, range);
  }

  /** The look-up of the socket itself: what is checked here is what is connected to. */
  readonly lookup: LookupFunction = (host, options, callback) => {
    this.permittedAddresses(host, options.family).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };

  private async permittedAddresses(host: string, family: unknown): Promise<[LookupAddress, ...LookupAddress[]]> {
    const found = await this.resolver.resolve(host);
    const [first, ...others] = found.filter((one) => one.family === family || (family !== 4 && family !== 6));
    if (!first) throw new Error('it has no address');
    // One that is not permitted spoils the host: a mixed answer is no accident.
    for (const { address } of [first, ...others]) this.assertAddress(host, address);
    return [first, ...others];
  }
}

export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
