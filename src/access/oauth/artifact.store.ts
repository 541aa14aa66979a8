import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import type { Tables } from '../../platform/database/tables.js';
import { affectedRows, countRows, hasEffect } from '../../platform/sql/affected-rows.js';
import { inParts } from '../../platform/periodic/in-parts.js';

/** A code, a token or a sign-in in progress. */
export interface Artifact {
  kind: string;
  /** The value that its owner presents; only its hash is stored. */
  id: string;
  grantId: string | null;
  payload: object;
  expiresAt: Date;
}

export interface StoredArtifact {
  payload: object;
  consumedAt: Date | null;
}

/** A valid token of a grant. */
export interface TokenInForce {
  payload: object;
  grantId: string;
  person: string;
  programName: string;
  /** The host that vouches for the program; empty = none. */
  proven: string;
  /** The end of the token or of its grant, whichever comes first. */
  expiresAt: Date;
}

/** Artifacts of one grant, except refresh tokens; beyond the limit, the oldest of the kind are deleted. */
const MOST_OF_A_GRANT = 200;
const [DELETED_AT_ONCE, GRANTS_AT_ONCE] = [500, 20];

/** Stores codes and tokens by their hashes. Finds no expired ones. */
@Injectable()
export class ArtifactStore {
  constructor(private readonly database: Database) {}

  /** Adds an artifact, or replaces it. Refresh tokens are kept until they expire: reuse of a used one must be detected. */
  async save(artifact: Artifact, now: Date): Promise<void> {
    const { kind, grantId } = artifact;
    await insert(this.database, artifact, now);
    if (grantId !== null && kind !== 'RefreshToken') await this.deleteBeyondLimit(kind, grantId);
  }

  /**
   * Adds the refresh token for a code, and marks the code as used: both, or neither. Returns false when the code already was used,
   * also by a concurrent request.
   */
  async saveForCode(token: Artifact, code: string, now: Date): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      const isFirst = await consume(transaction, 'AuthorizationCode', code, now);
      if (isFirst) await insert(transaction, token, now);
      return isFirst;
    });
  }

  async find(kind: string, id: string, now: Date): Promise<StoredArtifact | undefined> {
    const row = await this.database
      .selectFrom('oauth_artifacts')
      .select(['payload', 'consumed_at'])
      .where('kind', '=', kind)
      .where('id_hash', '=', hashOf(id))
      .where('expires_at', '>', now.toISOString())
      .executeTakeFirst();
    return row && { payload: JSON.parse(row.payload) as object, consumedAt: dateOrNull(row.consumed_at) };
  }

  /** Returns the number of unexpired refresh tokens of a grant, including used ones. */
  countRefreshTokens(grantId: string, now: Date): Promise<number> {
    const tokens = this.database
      .selectFrom('oauth_artifacts')
      .where('kind', '=', 'RefreshToken')
      .where('grant_id', '=', grantId)
      .where('expires_at', '>', now.toISOString());
    return countRows(tokens);
  }

  /** Returns an access token whose grant is in force; undefined for any other. @param tokenHash as returned by `hashOf` */
  async findToken(tokenHash: string, now: Date): Promise<TokenInForce | undefined> {
    const row = await this.database
      .selectFrom('oauth_artifacts as token')
      .innerJoin('oauth_grants as grant', 'grant.id', 'token.grant_id')
      .select(['token.payload', 'token.expires_at', 'grant.id', 'grant.person', 'grant.name', 'grant.proven'])
      .select('grant.expires_at as grant_expires_at')
      .where('token.kind', '=', 'AccessToken')
      .where('token.id_hash', '=', tokenHash)
      .where('token.expires_at', '>', now.toISOString())
      .where('grant.expires_at', '>', now.toISOString())
      .executeTakeFirst();
    return (
      row && {
        payload: JSON.parse(row.payload) as object,
        grantId: row.id,
        person: row.person,
        programName: row.name,
        proven: row.proven,
        expiresAt: new Date(Math.min(Date.parse(row.expires_at), Date.parse(row.grant_expires_at))),
      }
    );
  }

  /** Marks an artifact as used, unless it already was. */
  async consume(kind: string, id: string, now: Date): Promise<void> {
    await consume(this.database, kind, id, now);
  }

  async delete(kind: string, id: string): Promise<void> {
    await this.database
      .deleteFrom('oauth_artifacts')
      .where('kind', '=', kind)
      .where('id_hash', '=', hashOf(id))
      .execute();
  }

  /** Deletes expired artifacts and those of deleted grants, in batches. */
  async deleteEnded(now: Date): Promise<void> {
    await inParts(DELETED_AT_ONCE, (limit) => this.deleteExpired(now, limit));
    // This scans all artifacts, so it runs in a thread.
    const rows = await this.database.longReads
      .selectFrom('oauth_artifacts')
      .select('grant_id')
      .distinct()
      .where('grant_id', 'is not', null)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('oauth_grants')
              .select('oauth_grants.id')
              .whereRef('oauth_grants.id', '=', 'oauth_artifacts.grant_id'),
          ),
        ),
      )
      .execute();
    const grants = rows.flatMap(({ grant_id }) => grant_id ?? []);
    await inParts(GRANTS_AT_ONCE, async (limit) => {
      const some = grants.splice(0, limit);
      if (some.length > 0) await this.database.deleteFrom('oauth_artifacts').where('grant_id', 'in', some).execute();
      return some.length;
    });
  }

  private async deleteExpired(now: Date, limit: number): Promise<number> {
    return affectedRows(
      this.database.deleteFrom('oauth_artifacts').where((where) => {
        const expired = where
          .selectFrom('oauth_artifacts as expired')
          .select(['expired.kind', 'expired.id_hash'])
          .where('expired.expires_at', '<=', now.toISOString())
          .limit(limit);
        return sql<boolean>`${where.refTuple('kind', 'id_hash')} in ${expired}`;
      }),
    );
  }

  private async deleteBeyondLimit(kind: string, grantId: string): Promise<void> {
    const kept = this.database
      .selectFrom('oauth_artifacts')
      .select('id_hash')
      .where('kind', '=', kind)
      .where('grant_id', '=', grantId)
      .orderBy('created_at', 'desc')
      .orderBy('id_hash')
      .limit(MOST_OF_A_GRANT);
    await this.database
      .deleteFrom('oauth_artifacts')
      .where('kind', '=', kind)
      .where('grant_id', '=', grantId)
      .where('id_hash', 'not in', kept)
      .execute();
  }
}

async function insert(database: Kysely<Tables>, { kind, id, grantId, payload, expiresAt }: Artifact, now: Date) {
  const values = { payload: JSON.stringify(payload), expires_at: expiresAt.toISOString(), grant_id: grantId };
  await database
    .insertInto('oauth_artifacts')
    .values({ kind, id_hash: hashOf(id), created_at: now.toISOString(), consumed_at: null, ...values })
    .onConflict((conflict) => conflict.columns(['kind', 'id_hash']).doUpdateSet(values))
    .execute();
}

/** Returns whether the artifact was not used before. */
async function consume(database: Kysely<Tables>, kind: string, id: string, now: Date): Promise<boolean> {
  return hasEffect(
    database
      .updateTable('oauth_artifacts')
      .set({ consumed_at: now.toISOString() })
      .where('kind', '=', kind)
      .where('id_hash', '=', hashOf(id))
      .where('consumed_at', 'is', null),
  );
}

/** Returns the stored hash of a code or token. It has 256 random bits, so it needs no salt and no slow hash. */
export const hashOf = (id: string): string => hash('sha256', id, 'base64url');

const dateOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text));
