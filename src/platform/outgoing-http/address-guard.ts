import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isMetadataAddress, nonPublicRangeOf } from '../network/address.rules.js';
import { isAddressAllowed, isAddressNamed, isHostAllowed, isMetadataName } from './allowed-hosts.rules.js';
import type { HostResolver } from './host-resolver.service.js';
import { HostNotAllowed, NoPublicAddress } from './outgoing-http.errors.js';

/** Decides which addresses the requests of one call may connect to. */
export class AddressGuard {
  constructor(
    private readonly resolver: HostResolver,
    private readonly allowedHosts: readonly string[],
    /** Logs details that callers must not see: the addresses of a name. */
    private readonly log: (message: string) => void,
  ) {}

  /** Literal addresses are not resolved, so they are checked here. @throws HostNotAllowed */
  assertHost(hostname: string): void {
    const host = withoutBrackets(hostname);
    if (isIP(host)) this.assertAddress(host, host);
  }

  /** @throws HostNotAllowed, NoPublicAddress */
  assertAddress(host: string, address: string): void {
    const reason = this.reasonAgainst(host, address);
    if (reason === null) return;
    if (isIP(host)) throw new HostNotAllowed(host, reason);
    this.log(`${host} is at ${address}, which is not a public address (${reason}): no request is sent there`);
    throw new NoPublicAddress(host);
  }

  /** Resolves names for the socket itself, so that the checked address is the one used for the connection. */
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

  private reasonAgainst(host: string, address: string): string | null {
    // Only an entry with the exact address allows these; a range or a name does not.
    if (isMetadataAddress(address) || isMetadataName(host)) {
      return isAddressNamed(address, this.allowedHosts) ? null : 'cloud metadata';
    }
    const isAllowed = isHostAllowed(host, this.allowedHosts) || isAddressAllowed(address, this.allowedHosts);
    return isAllowed ? null : nonPublicRangeOf(address);
  }

  private async permittedAddresses(host: string, family: unknown): Promise<[LookupAddress, ...LookupAddress[]]> {
    const [first, ...others] = (await this.addressesOf(host)).filter(
      (one) => one.family === family || (family !== 4 && family !== 6),
    );
    if (!first) throw new NoPublicAddress(host);
    // One forbidden address suffices to refuse the host: a mixed answer is suspicious.
    for (const { address } of [first, ...others]) this.assertAddress(host, address);
    return [first, ...others];
  }

  private async addressesOf(host: string): Promise<LookupAddress[]> {
    try {
      return await this.resolver.resolve(host);
    } catch (error) {
      this.log(`${host} can't be looked up: ${String(error)}`);
      throw new NoPublicAddress(host);
    }
  }
}

export const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
