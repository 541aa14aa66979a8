import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Interaction, Provider } from 'oidc-provider';
import { AuthorizationServer } from './authorization-server.service.js';
import { Grants } from './grants.service.js';
import { OAuthAddresses, SCOPE } from '../clients/oauth-addresses.service.js';
import { OAuthIsOff, SignInNotFound } from './oauth.errors.js';
import { shownName } from './program-metadata.rules.js';
import { ProgramStore } from './program.store.js';
import { GRANT_LIFETIME_S } from './provider-configuration.js';
import { isDocumentUrl, placeOf } from './redirect-uri.rules.js';

/** A question to a person: may this program act for them? */
export interface SignIn {
  id: string;
  program: string; // the client_id
  /** The name that the program gives itself; it is not verified. */
  name: string;
  /** The host that vouches for the program; empty = none. */
  proven: string;
  /** The target of the redirect: a host, or the scheme of a program on the person's machine. */
  host: string;
  /** The endpoints that the program wants to use. */
  resources: readonly string[];
}

/** The result of a person's decision. */
export interface Decided {
  program: string; // the client_id
  /** The next URL for the browser. */
  to: string;
}

@Injectable()
export class SignIns {
  constructor(
    private readonly server: AuthorizationServer,
    private readonly addresses: OAuthAddresses,
    private readonly grants: Grants,
    private readonly programs: ProgramStore,
  ) {}

  /** @throws SignInNotFound, OAuthIsOff */
  async get(id: string): Promise<SignIn> {
    const { signIn } = await this.find(id);
    return signIn;
  }

  /**
   * Records that a person allows the request of a program. Returns the next URL for the browser. @throws SignInNotFound,
   * OAuthIsOff
   */
  async allow(id: string, person: string): Promise<Decided> {
    const now = new Date();
    const { provider, interaction, signIn } = await this.find(id);
    const grant = new provider.Grant({ accountId: person, clientId: signIn.program });
    for (const resource of signIn.resources) grant.addResourceScope(resource, SCOPE);
    const grantId = randomBytes(32).toString('base64url');
    const expiresAt = new Date(now.getTime() + GRANT_LIFETIME_S * 1000);
    const seconds = (at: Date) => Math.floor(at.getTime() / 1000);
    const payload = {
      kind: 'Grant',
      accountId: person,
      clientId: signIn.program,
      resources: grant.resources,
      iat: seconds(now),
      exp: seconds(expiresAt),
    };
    const { program, name, host, proven } = signIn;
    await this.grants.add({ id: grantId, person, program, name, host, proven, payload, createdAt: now, expiresAt });
    await this.programs.noteUse(program, now);
    interaction.result = { login: { accountId: person, remember: false }, consent: { grantId } };
    await interaction.persist();
    return { program, to: interaction.returnTo };
  }

  /** Records that a person denies the request. Returns the next URL for the browser. @throws SignInNotFound, OAuthIsOff */
  async deny(id: string): Promise<Decided> {
    const { interaction, signIn } = await this.find(id);
    interaction.result = { error: 'access_denied', error_description: 'the person has not allowed it' };
    await interaction.persist();
    return { program: signIn.program, to: interaction.returnTo };
  }

  private async find(id: string): Promise<{ provider: Provider; interaction: Interaction; signIn: SignIn }> {
    if (!this.addresses.isServer())
      throw new OAuthIsOff('signing in with programs is off: an administrator can switch it on');
    const provider = await this.server.provider();
    const interaction = await provider.Interaction.find(id);
    // A decision is final.
    if (!interaction || interaction.result) throw new SignInNotFound();
    const { client_id: program, redirect_uri: uri, resource } = interaction.params;
    const client = await provider.Client.find(String(program));
    if (!client) throw new SignInNotFound();
    const host = placeOf(String(uri));
    const proven = isDocumentUrl(client.clientId) ? new URL(client.clientId).host : '';
    const name = shownName(client.clientName ?? '');
    return {
      provider,
      interaction,
      signIn: { id, program: client.clientId, name, proven, host, resources: [resource].flat().map(String) },
    };
  }
}
