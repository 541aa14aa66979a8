import { hash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from '../../platform/database/tables.js';

/** Rows per statement: databases limit its parameters. */
const AT_ONCE = 200;

/** Returns the URIs that each of these sessions watches; sessions without any are left out. */
export async function subscriptionsOf(
  database: Kysely<Tables>,
  sessionIds: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await database
    .selectFrom('mcp_subscriptions')
    .select(['session_id', 'uri'])
    .where('session_id', 'in', sessionIds)
    .orderBy('uri_hash')
    .execute();
  const found = new Map<string, string[]>();
  for (const { session_id: id, uri } of rows) {
    const uris = found.get(id);
    if (uris) uris.push(uri);
    else found.set(id, [uri]);
  }
  return found;
}

/** Adds URIs to those that a session watches. */
export async function addSubscriptions(
  transaction: Transaction<Tables>,
  sessionId: string,
  uris: readonly string[],
): Promise<void> {
  for (const some of chunksOf(uris)) {
    await transaction
      .insertInto('mcp_subscriptions')
      .values(some.map((uri) => ({ session_id: sessionId, uri_hash: hash('sha256', uri), uri })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function removeSubscriptions(
  transaction: Transaction<Tables>,
  sessionId: string,
  uris: readonly string[],
): Promise<void> {
  for (const some of chunksOf(uris)) {
    const hashes = some.map((uri) => hash('sha256', uri));
    await transaction
      .deleteFrom('mcp_subscriptions')
      .where('session_id', '=', sessionId)
      .where('uri_hash', 'in', hashes)
      .execute();
  }
}

function* chunksOf(uris: readonly string[]): Generator<readonly string[]> {
  for (let first = 0; first < uris.length; first += AT_ONCE) yield uris.slice(first, first + AT_ONCE);
}
