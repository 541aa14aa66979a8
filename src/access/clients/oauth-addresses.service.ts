import { Injectable } from '@nestjs/common';
import { isLoopbackHost } from '#mcp-http';
import { SettingsService } from '../../platform/config/settings.service.js';
import { Environment } from '../../platform/environment/environment.js';

/** The one permission that a program asks for: to do what the policies let the person do. */
export const SCOPE = 'mcp';
/** The path of the authorization server, and that of the endpoint that takes its tokens. */
export const ISSUER_PATH = '/oauth';
export const KEY_PATH = '/mcp';
export const TOKEN_PATH = '/mcp/oauth';

/** Why nobody can sign in with a program. */
export const OAUTH_LACKS = ['off', 'no_public_url', 'not_https'] as const;
export type OAuthLack = (typeof OAUTH_LACKS)[number];

/** Knows under which URLs people sign in with their programs. */
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

  /** Returns the issuer elsewhere whose tokens are taken; null when the service has its own authorization server. */
  issuerElsewhere(): string | null {
    return this.settings.get('oauth.issuer') || null;
  }

  /** Returns whether the service is the authorization server itself. */
  isServer(): boolean {
    return this.isOn() && this.issuerElsewhere() === null;
  }

  /** The address of the service as its users see it. */
  get publicUrl(): string {
    if (this.base === null) throw new TypeError('PUBLIC_URL is not set');
    return this.base;
  }

  /** The authorization server of this service. */
  get issuer(): string {
    return this.publicUrl + ISSUER_PATH;
  }

  /** Returns the scopes that programs ask for. */
  scopes(): readonly string[] {
    return this.issuerElsewhere() === null ? [SCOPE] : this.settings.get('oauth.scopes');
  }

  /** Returns the paths of the endpoint that take tokens. */
  paths(): readonly string[] {
    if (!this.isOn()) return [];
    return this.settings.get('oauth.on_mcp_path') === 'on' ? [TOKEN_PATH, KEY_PATH] : [TOKEN_PATH];
  }

  /** Returns the endpoint that programs are told of first; null when nobody can sign in. */
  endpoint(): string | null {
    return this.isOn() ? this.resourceAt(TOKEN_PATH) : null;
  }

  /** Returns the URL of an endpoint, which the tokens for it name as their audience (RFC 8707). */
  resourceAt(path: string): string {
    return this.publicUrl + path;
  }

  /** Returns whom a token for an endpoint must be for. */
  audienceAt(path: string): string {
    const isElsewhere = this.issuerElsewhere() !== null;
    return (isElsewhere && this.settings.get('oauth.audience')) || this.resourceAt(path);
  }

  /** Returns the endpoint that a program means, however it writes it; the default one when it names none; null for anything else. */
  resourceOf(indicator: string | undefined): string | null {
    const resources = this.paths().map((path) => this.resourceAt(path));
    if (indicator === undefined || indicator === '') return resources[0] ?? null;
    const wanted = URL.parse(indicator)?.href.replace(/\/+$/, '');
    return resources.find((resource) => new URL(resource).href === wanted) ?? null;
  }

  /** Returns where the metadata of an endpoint is (RFC 9728, section 3.1). */
  metadataOf(path: string): string {
    return `${this.publicUrl}/.well-known/oauth-protected-resource${path}`;
  }
}
