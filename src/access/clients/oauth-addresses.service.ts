import { Injectable } from '@nestjs/common';
import { isLoopbackHost } from '#mcp-http';
import { SettingsService } from '../../platform/config/settings.service.js';
import { Environment } from '../../platform/environment/environment.js';

/** The only scope: a program may do whatever the policies let the person do. */
export const SCOPE = 'mcp';
/** The path of the authorization server, and that of the endpoint that accepts its tokens. */
export const ISSUER_PATH = '/oauth';
export const KEY_PATH = '/mcp';
export const TOKEN_PATH = '/mcp/oauth';

/** The reasons why nobody can sign in with a program. */
export const OAUTH_LACKS = ['off', 'no_public_url', 'not_https'] as const;
export type OAuthLack = (typeof OAUTH_LACKS)[number];

/** The URLs at which people sign in with their programs. */
@Injectable()
export class OAuthAddresses {
  private readonly base: string | null;

  constructor(
    environment: Environment,
    private readonly settings: SettingsService,
  ) {
    this.base = environment.PUBLIC_URL;
  }

  /** Returns why nobody can sign in; null when people can. */
  lack(): OAuthLack | null {
    if (this.settings.get('oauth.enabled') !== 'on') return 'off';
    if (this.base === null) return 'no_public_url';
    const { protocol, hostname } = new URL(this.base);
    return protocol === 'https:' || isLoopbackHost(hostname) ? null : 'not_https';
  }

  isOn(): boolean {
    return this.lack() === null;
  }

  /** Returns the external issuer whose tokens are accepted; null when the service has its own authorization server. */
  issuerElsewhere(): string | null {
    return this.settings.get('oauth.issuer') || null;
  }

  isServer(): boolean {
    return this.isOn() && this.issuerElsewhere() === null;
  }

  get publicUrl(): string {
    if (this.base === null) throw new TypeError('PUBLIC_URL is not set');
    return this.base;
  }

  /** The authorization server of this service. */
  get issuer(): string {
    return this.publicUrl + ISSUER_PATH;
  }

  scopes(): readonly string[] {
    return this.issuerElsewhere() === null ? [SCOPE] : this.settings.get('oauth.scopes');
  }

  /** Returns the paths of the endpoint that accept tokens. */
  paths(): readonly string[] {
    if (!this.isOn()) return [];
    return this.settings.get('oauth.on_mcp_path') === 'on' ? [TOKEN_PATH, KEY_PATH] : [TOKEN_PATH];
  }

  /** Returns the endpoint that is announced to programs first; null when nobody can sign in. */
  endpoint(): string | null {
    return this.isOn() ? this.resourceAt(TOKEN_PATH) : null;
  }

  /** Returns the URL of an endpoint, which is the audience of its tokens (RFC 8707). */
  resourceAt(path: string): string {
    return this.publicUrl + path;
  }

  /** Returns the audience that a token for an endpoint must have. */
  audienceAt(path: string): string {
    const isElsewhere = this.issuerElsewhere() !== null;
    return (isElsewhere && this.settings.get('oauth.audience')) || this.resourceAt(path);
  }

  /** Returns the endpoint that a program means, in any spelling; the default one when it names none; null for anything else. */
  resourceOf(indicator: string | undefined): string | null {
    const resources = this.paths().map((path) => this.resourceAt(path));
    if (indicator === undefined || indicator === '') return resources[0] ?? null;
    const wanted = URL.parse(indicator)?.href.replace(/\/+$/, '');
    return resources.find((resource) => new URL(resource).href === wanted) ?? null;
  }

  /** Returns the URL of the metadata of an endpoint (RFC 9728, section 3.1). */
  metadataOf(path: string): string {
    return `${this.publicUrl}/.well-known/oauth-protected-resource${path}`;
  }
}
