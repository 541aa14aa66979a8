import { Logger } from '@nestjs/common';
import { Client } from 'pg';
import { explained } from '../../../../platform/database/database-failure.rules.js';
import { ended } from '../../../../platform/database/postgres-pool.js';
import { PARTITIONS } from '../../runs/execution/claimed-run.js';
import { type Executions, Ownership } from './ownership.js';

/** The first half of the keys of our advisory locks: the table, because services in other schemas of the database own other runs. */
const LOCK_SPACE = `'workflow_runs'::regclass::oid::int4`;
/** The shared lock that every replica holds, for counting the replicas. */
const PRESENCE = PARTITIONS;
/** Timeout of connecting and of each statement; after that, the server counts as gone. */
const PATIENCE_MS = 5_000;

/** Frees the locks of a vanished host within 15 s, regardless of the server's settings. */
const SESSION =
  'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3; ' +
  "set client_connection_check_interval = '10s'; set tcp_user_timeout = '15s'; set statement_timeout = '4s'";

/**
 * Owns the partitions whose session-level advisory locks a dedicated connection holds. PostgreSQL frees them immediately when the
 * process dies. Losing the connection means losing all partitions.
 */
export class PostgresOwnership extends Ownership {
  private readonly logger = new Logger('RunOwnership');
  private connection: Client | null = null;
  private readonly held = new Set<number>();
  private leaving = new Set<number>();
  private isClosed = false;

  private notifyLost: () => void = () => {};

  constructor(private readonly url: string) {
    super();
  }

  onLost(listener: () => void): void {
    this.notifyLost = listener;
  }

  owned(): readonly number[] {
    return [...this.held];
  }

  isLeaving(partition: number): boolean {
    return this.leaving.has(partition);
  }

  partitionForNew(): number {
    const candidates = [...this.held].filter((partition) => !this.leaving.has(partition));
    const any = Math.floor(Math.random() * PARTITIONS);
    return candidates[Math.floor(Math.random() * candidates.length)] ?? any;
  }

  async refresh(executions: Executions): Promise<void> {
    if (this.isClosed) return;
    const connection = this.connection ?? (await this.connect());
    if (!connection) return;
    try {
      const share = Math.ceil(PARTITIONS / (await countReplicas(connection)));
      if (this.held.size < share) await this.takeFree(connection, share);
      await this.releaseSurplus(connection, share, executions);
    } catch (error) {
      if (this.connection === connection)
        this.logger.warn(`lost the lock connection; releasing all runs: ${String(error)}`);
      this.drop(connection);
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.held.clear();
    const { connection } = this;
    this.connection = null;
    if (connection) await ended(connection);
  }

  private async connect(): Promise<Client | null> {
    const connection = new Client({
      connectionString: this.url,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
      application_name: 'agent-service runs',
    });
    connection.on('error', () => this.drop(connection));
    connection.on('end', () => this.drop(connection));
    try {
      await connection.connect();
      await connection.query(SESSION);
      await connection.query(`select pg_advisory_lock_shared(${LOCK_SPACE}, $1)`, [PRESENCE]);
      if (!this.isClosed) return (this.connection = connection);
    } catch (error) {
      this.logger.warn({ err: explained(error) }, 'cannot own runs');
    }
    connection.end().catch(() => undefined);
    return null;
  }

  /** Drops a connection, and all partitions that it owned. */
  private drop(connection: Client): void {
    if (this.connection !== connection) return;
    this.connection = null;
    this.held.clear();
    this.leaving.clear();
    connection.end().catch(() => undefined);
    this.notifyLost();
  }

  /** Tries partitions in a different order on each replica, so that replicas that start together do not compete for the same ones. */
  private async takeFree(connection: Client, share: number): Promise<void> {
    const first = Math.floor(Math.random() * PARTITIONS);
    const wanted = Array.from({ length: PARTITIONS }, (_, n) => (first + n) % PARTITIONS).filter(
      (partition) => !this.held.has(partition),
    );
    for (const partition of wanted) {
      if (this.held.size >= share) return;
      const { rows } = await connection.query<{ taken: boolean }>(
        `select pg_try_advisory_lock(${LOCK_SPACE}, $1) as taken`,
        [partition],
      );
      if (rows[0]?.taken && this.connection === connection) this.held.add(partition);
    }
  }

  /** No execution may start in a partition that is being released: the next owner starts immediately. */
  private async releaseSurplus(connection: Client, share: number, executions: Executions): Promise<void> {
    const surplus = [...this.held].slice(share);
    this.leaving = new Set(surplus);
    const unused = surplus.filter((partition) => !executions.areIn(partition));
    if (unused.length === 0) return;
    for (const partition of unused) this.held.delete(partition);
    const isKnown = await executions.settle();
    for (const partition of unused) {
      if (this.connection !== connection) return;
      if (!isKnown || executions.areIn(partition)) this.held.add(partition);
      else await connection.query(`select pg_advisory_unlock(${LOCK_SPACE}, $1)`, [partition]);
    }
  }
}

/** @throws Error on a standby, which grants locks, too, but the primary and the replicas there do not know them */
async function countReplicas(connection: Client): Promise<number> {
  const { rows } = await connection.query<{ count: string; read_only: string }>(
    `select count(distinct pid) as count, current_setting('transaction_read_only') as read_only from pg_locks
     where locktype = 'advisory' and classid = (${LOCK_SPACE})::oid and objid = $1::oid and objsubid = 2 and granted
       and database = (select oid from pg_database where datname = current_database())`,
    [PRESENCE],
  );
  if (rows[0]?.read_only === 'on') throw new Error('PostgreSQL is read-only');
  return Math.max(1, Number(rows[0]?.count));
}
