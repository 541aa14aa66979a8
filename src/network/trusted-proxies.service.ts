import { Injectable } from '@nestjs/common';
import { SettingsService } from '../config/settings.service.js';
import { Environment } from '../environment/environment.js';
import { isInRange } from './address.rules.js';

const rangesOf = (entry: string): string[] => (entry === 'loopback' ? ['127.0.0.0/8', '::1'] : [entry]);

/** Decides who is believed about where a request comes from (X-Forwarded-For, X-Forwarded-Proto). */
@Injectable()
export class TrustedProxies {
  constructor(
    private readonly environment: Environment,
    private readonly settings: SettingsService,
  ) {}

  /**
   * Whether the address is a proxy that is believed about the address before it. Each entry of the setting vouches for one
   * hop, counted from this service: what somebody further away claims is not looked at.
   */
  isTrusted(address: string, hop: number): boolean {
    const entries = this.settings.get('http.trusted_proxies');
    // Without a public address, and unless somebody says so, there is no proxy: who names another address made it up.
    if (this.environment.PUBLIC_URL === null && !this.settings.isSet('http.trusted_proxies')) return false;
    if (hop >= entries.length) return false;
    return entries.flatMap(rangesOf).some((range) => isInRange(address, range));
  }
}
