import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { ArtifactStore } from './artifact.store.js';
import type { Grants } from './grants.service.js';
import type { RegisteredPrograms } from './registered-programs.service.js';

/**
 * How long a refresh token may be presented again once it was used: its answer may be lost, and two processes of a program
 * may refresh at the same time. After that, whoever presents it has stolen it.
 */
const GRACE_MS = 60_000;
/** Of a grant, within their lifetime: one for each hour, and more. A program with so many asks its person again. */
const MOST_REFRESH_TOKENS = 2_000;

export interface AdapterStores {
  artifacts: ArtifactStore;
  grants: Grants;
  programs: RegisteredPrograms;
  /** Returns what is thrown at a program that must ask its person again. */
  invalidGrant: (why: string) => Error;
}

/**
 * Keeps what the authorization server stores in the tables of the service.
 * @param kind the name of one of its models
 */
export function adapterFor(kind: string, stores: AdapterStores): Adapter {
  switch (kind) {
    case 'Client':
      return new ProgramAdapter(stores.programs);
    case 'Grant':
      return new GrantAdapter(stores.grants);
    // Whoever signs in is asked each time, so the server remembers nobody.
    case 'Session':
      return new NothingKept();
    default:
      return new ArtifactAdapter(kind, stores);
  }
}

class NothingKept implements Adapter {
  async upsert(_id: string, _payload: AdapterPayload, _expiresIn?: number): Promise<void> {}
  async find(_id: string): Promise<AdapterPayload | undefined> {
    return undefined;
  }
  async findByUserCode(): Promise<undefined> {}
  async findByUid(): Promise<undefined> {}
  async consume(_id: string): Promise<void> {}
  async destroy(_id: string): Promise<void> {}
  async revokeByGrantId(_grantId: string): Promise<void> {}
}

/** Codes, tokens, and sign-ins that are going on. */
class ArtifactAdapter extends NothingKept {
  constructor(
    private readonly kind: string,
    private readonly stores: AdapterStores,
  ) {
    super();
  }

  override async upsert(id: string, { jti: _, ...payload }: AdapterPayload, expiresIn = 0): Promise<void> {
    const now = new Date();
    const grantId = payload.grantId ?? null;
    const expiresAt = new Date(now.getTime() + expiresIn * 1000);
    if (this.kind === 'RefreshToken' && grantId !== null) await this.assertRoom(grantId, now);
    await this.stores.artifacts.save({ kind: this.kind, id, grantId, payload, expiresAt }, now);
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.stores.artifacts.find(this.kind, id, new Date());
    if (!found) return undefined;
    return { ...found.payload, jti: id, ...(this.isConsumed(found.consumedAt) && { consumed: true }) };
  }

  override async consume(id: string): Promise<void> {
    const isFirst = await this.stores.artifacts.consume(this.kind, id, new Date());
    // Somebody else presents the same code at the same moment.
    if (!isFirst && this.kind === 'AuthorizationCode')
      throw this.stores.invalidGrant('authorization code already consumed');
  }

  override async destroy(id: string): Promise<void> {
    await this.stores.artifacts.delete(this.kind, id);
    if (this.kind === 'AccessToken') await this.stores.grants.tokenEnded();
  }

  /** Without its grant, nothing is of use. */
  override revokeByGrantId(grantId: string): Promise<void> {
    return this.stores.grants.endIfAny(grantId);
  }

  private async assertRoom(grantId: string, now: Date): Promise<void> {
    const { artifacts, grants, invalidGrant } = this.stores;
    if ((await artifacts.countRefreshTokens(grantId, now)) < MOST_REFRESH_TOKENS) return;
    await grants.endIfAny(grantId);
    throw invalidGrant('too many refresh tokens');
  }

  private isConsumed(at: Date | null): boolean {
    if (at === null) return false;
    return this.kind !== 'RefreshToken' || Date.now() - at.getTime() > GRACE_MS;
  }
}

class GrantAdapter extends NothingKept {
  constructor(private readonly grants: Grants) {
    super();
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const payload = await this.grants.payloadOf(id);
    return payload && { ...payload, jti: id };
  }

  override destroy(id: string): Promise<void> {
    return this.grants.endIfAny(id);
  }
}

/** Programs that have registered. Those with a metadata document of their own are not stored. */
class ProgramAdapter extends NothingKept {
  constructor(private readonly programs: RegisteredPrograms) {
    super();
  }

  override upsert(id: string, metadata: AdapterPayload): Promise<void> {
    return this.programs.add(id, { ...metadata });
  }

  override find(id: string): Promise<AdapterPayload | undefined> {
    return this.programs.find(id);
  }

  override destroy(id: string): Promise<void> {
    return this.programs.remove(id);
  }
}
