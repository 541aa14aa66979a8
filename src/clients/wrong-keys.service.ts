import { Injectable, Logger } from '@nestjs/common';
import ipaddr from 'ipaddr.js';

const WINDOW_MS = 60_000;
const FREE_IN_WINDOW = 30;
const MOST_ADDRESSES = 10_000;
/** The name under which all further addresses are counted when there is no room for more. */
const EVERYBODY_ELSE = 'everybody else';
/** A single home or machine has all addresses of a /64, so they count as one (RFC 6177). */
const IPV6_PARTS = 4;

/** Slows down clients that guess keys, by remote address. A right key always gets in, because it is checked first. */
@Injectable()
export class WrongKeys {
  private readonly logger = new Logger(WrongKeys.name);
  private readonly counts = new Map<string, number>();
  private windowEndsAtMs = 0;

  /** Counts a wrong key. Returns how long this address has to wait, in seconds; 0 = not at all. */
  record(address: string | undefined, nowMs: number): number {
    if (nowMs >= this.windowEndsAtMs) {
      this.counts.clear();
      this.windowEndsAtMs = nowMs + WINDOW_MS;
    }
    const known = networkOf(address);
    const network = this.counts.has(known) || this.counts.size < MOST_ADDRESSES ? known : EVERYBODY_ELSE;
    const count = (this.counts.get(network) ?? 0) + 1;
    this.counts.set(network, count);
    if (count === FREE_IN_WINDOW + 1) this.logger.warn(`Many wrong API keys from ${network}: it has to wait`);
    return count > FREE_IN_WINDOW ? Math.ceil((this.windowEndsAtMs - nowMs) / 1000) : 0;
  }
}

function networkOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'an unknown address';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4' || !('parts' in parsed)) return parsed.toString();
  const network = parsed.parts.slice(0, IPV6_PARTS).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
