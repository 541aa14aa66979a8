import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import addressOf from 'proxy-addr';
import { SettingsService } from '../config/settings.service.js';
import { Environment } from '../environment/environment.js';
import { isInRange } from './address.rules.js';

const rangesOf = (entry: string): string[] => (entry === 'loopback' ? ['127.0.0.0/8', '::1'] : [entry]);

/** Decides which proxies are trusted about the origin of a request (X-Forwarded-For, X-Forwarded-Proto). */
@Injectable()
export class TrustedProxies {
  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsService,
  ) {}

  /** Returns the address that a request comes from, as `req.ip` of Express does; null when its connection is gone. */
  senderOf(req: IncomingMessage): string | null {
    // Without the header, no proxy says anything.
    if (req.headers['x-forwarded-for'] === undefined) return req.socket.remoteAddress ?? null;
    return addressOf(req, (address, hop) => this.isTrusted(address, hop)) ?? null;
  }

  /**
   * Returns whether the address is a proxy that is trusted about the address before it. Each entry of the setting stands for
   * one hop, counted from this service; claims from further away are ignored.
   */
  isTrusted(address: string, hop: number): boolean {
    const entries = this.settings.get('http.trusted_proxies');
    // Without a public address there is no proxy, unless the setting says so: then forwarding headers are made up.
    if (this.environment.PUBLIC_URL === null && !this.settings.isSet('http.trusted_proxies')) return false;
    if (hop >= entries.length) return false;
    return entries.flatMap(rangesOf).some((range) => isInRange(address, range));
  }
}
