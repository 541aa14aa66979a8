import { Injectable } from '@nestjs/common';
import type { Client } from '#skill-kit';
import { KEY_PREFIX, keyIn } from '../../access/clients/client-key.rules.js';
import { ExternalTokens } from '../../access/external-issuer/external-tokens.service.js';
import { AccessTokens } from '../../access/oauth/access-tokens.service.js';
import { KEY_PATH, OAuthAddresses, TOKEN_PATH } from '../../access/clients/oauth-addresses.service.js';
import type { EndpointRequest } from './endpoint.guard.js';

/** Identifies people by the access tokens of their programs, at the paths of the endpoint that accept tokens. */
@Injectable()
export class SignedIn {
  constructor(
    private readonly tokens: AccessTokens,
    private readonly externalTokens: ExternalTokens,
    private readonly addresses: OAuthAddresses,
  ) {}

  /** Returns whether a request is for the sign-in endpoint while nobody can sign in. */
  isClosed(req: EndpointRequest): boolean {
    return pathOf(req) === TOKEN_PATH && !this.addresses.isOn();
  }

  /**
   * Returns the person whose token a request has; null when it has none, or the path accepts none.
   * @throws TokenRefused, ScopeMissing, IssuerUnavailable
   */
  find(req: EndpointRequest): Client | null | Promise<Client | null> {
    const path = this.signInPathOf(req);
    const token = keyIn(req.headers.authorization ?? '');
    if (path === null || token === undefined) return null;
    const audience = this.addresses.audienceAt(path);
    if (this.addresses.issuerElsewhere() === null) return this.tokens.authenticate(token, audience);
    // Never send keys to an external issuer.
    return token.startsWith(KEY_PREFIX) ? null : this.externalTokens.authenticate(token, audience);
  }

  /** Returns the part of a challenge that says where to sign in (RFC 9728, section 5.1); null where nobody can. */
  challengeOf(req: EndpointRequest): string | null {
    const path = this.signInPathOf(req);
    if (path === null) return null;
    const scopes = this.addresses.scopes().join(' ');
    return `, resource_metadata="${this.addresses.metadataOf(path)}"${scopes && `, scope="${scopes}"`}`;
  }

  private signInPathOf(req: EndpointRequest): string | null {
    const path = pathOf(req);
    return this.addresses.paths().includes(path) ? path : null;
  }
}

/** Returns the path of the endpoint that a request used, one of two. */
function pathOf({ url = '' }: EndpointRequest): string {
  return url.startsWith(TOKEN_PATH) ? TOKEN_PATH : KEY_PATH;
}
