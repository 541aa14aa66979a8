import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { ArtifactStore } from './artifact.store.js';
import type { Grants } from './grants.service.js';
import type { RegisteredPrograms } from './registered-programs.service.js';

/**
 * How long a used refresh token may be presented again: the response may have been lost, or two processes of a program may
 * refresh at the same time. Later use means that it was stolen.
 */
const GRACE_MS = 60_000;
/**
 * Limit for each grant, within the lifetime of the tokens: more than one per hour. Beyond it, the program has to ask its person
 * again.
 */
const MOST_REFRESH_TOKENS = 2_000;

export interface AdapterStores {
  artifacts: ArtifactStore;
  grants: Grants;
  programs: RegisteredPrograms;
  /** Returns the code that the current request exchanges; undefined when it exchanges none. */
  exchangedCode: () => string | undefined;
  /** Makes the error for a program that must ask its person again. */
  invalidGrant: (why: string) => Error;
}

/**
 * Stores a model of the authorization server in the tables of the service.
 * @param kind the name of one of its models
 */
export function adapterFor(kind: string, stores: AdapterStores): Adapter {
  switch (kind) {
    case 'Client':
      return new ProgramAdapter(stores.programs);
    case 'Grant':
      return new GrantAdapter(stores.grants);
    // People are asked at each sign-in, so the server keeps no sessions.
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

/** Codes, tokens, and sign-ins in progress. */
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
    const artifact = { kind: this.kind, id, grantId, payload, expiresAt };
    if (this.kind !== 'RefreshToken' || grantId === null) return this.stores.artifacts.save(artifact, now);
    await this.assertRoom(grantId, now);
    const code = this.stores.exchangedCode();
    if (code === undefined) return this.stores.artifacts.save(artifact, now);
    if (await this.stores.artifacts.saveForCode(artifact, code, now)) return;
    // Another request has exchanged the same code concurrently.
    await this.revokeByGrantId(grantId);
    throw this.stores.invalidGrant('authorization code already consumed');
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.stores.artifacts.find(this.kind, id, new Date());
    if (!found) return undefined;
    return { ...found.payload, jti: id, ...(this.isConsumed(found.consumedAt) && { consumed: true }) };
  }

  override async consume(id: string): Promise<void> {
    // A code is used up together with storing its refresh token, the last step: if a step before fails, the program tries again.
    if (this.kind !== 'AuthorizationCode') await this.stores.artifacts.consume(this.kind, id, new Date());
  }

  override async destroy(id: string): Promise<void> {
    await this.stores.artifacts.delete(this.kind, id);
    if (this.kind === 'AccessToken') await this.stores.grants.tokenEnded();
  }

  /** Without its grant, no artifact is valid. */
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

/** Registered programs. Those with a metadata document are not stored. */
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
