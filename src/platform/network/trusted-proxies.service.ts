import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import addressOf from 'proxy-addr';
import { SettingsService } from '../config/settings.service.js';
import { Environment } from '../environment/environment.js';
import { isInRange } from './address.rules.js';

const rangesOf = (entry: string): string[] => (entry === 'loopback' ? ['127.0.0.0/8', '::1'] : [entry]);

/** Decides which proxies are trusted to report the origin of a request (X-Forwarded-For, X-Forwarded-Proto). */
@Injectable()
export class TrustedProxies {
  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsService,
  ) {}

  /** Returns the sender's address, as `req.ip` of Express does; null when the connection is closed. */
  senderOf(req: IncomingMessage): string | null {
    // Fast path: without the header, no proxy reports an origin.
    if (req.headers['x-forwarded-for'] === undefined) return req.socket.remoteAddress ?? null;
    return addressOf(req, (address, hop) => this.isTrusted(address, hop)) ?? null;
  }

  /**
   * Returns whether the address is a proxy trusted to report the address before it. Each entry of the setting covers one hop,
   * counted from this service; claims from further away are ignored.
   */
  isTrusted(address: string, hop: number): boolean {
    const entries = this.settings.get('http.trusted_proxies');
    // Without a public address or an explicit setting there is no proxy, so forwarding headers are forged.
    if (this.environment.PUBLIC_URL === null && !this.settings.isSet('http.trusted_proxies')) return false;
    if (hop >= entries.length) return false;
    return entries.flatMap(rangesOf).some((range) => isInRange(address, range));
  }
}
