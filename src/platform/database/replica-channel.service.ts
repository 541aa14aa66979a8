import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { sql } from 'kysely';
import { Client } from 'pg';
import { parsedOrNull } from '#bounded-json';
import { Environment } from '../environment/environment.js';
import { Database } from './database.js';
import { explained } from './database-failure.rules.js';
import { ended } from './postgres-pool.js';

/** The topics of messages between replicas: which data to reload. The data itself is in the database. */
export type ReplicaTopic = (typeof TOPICS)[number];

const TOPICS = [
  ...(['settings', 'skills', 'clients', 'workflows', 'packages', 'modules'] as const),
  ...(['changes', 'relay', 'runs', 'policies', 'grants', 'providers'] as const),
] as const;

/** @param detail what changed; null = messages may have been missed, so anything may have changed */
type Listener = (detail: string | null) => Promise<void>;

interface Message {
  from: string;
  topic: ReplicaTopic;
  detail: string | null;
}

const CHANNEL = 'agent_service';
const RECONNECT_MS = 1_000;
/** How soon a listener is called again that has failed. */
const RETRY_MS = 1_000;
/** How soon everything is reloaded when the answer to a change was lost: by then, PostgreSQL has made it or not. */
const LOST_MS = 1_000;
/** How often every listener is called even without messages, because some poolers lose messages. */
const RELOAD_EVERY_MS = 30_000;
/** Timeout for connecting and for each statement; after that, the server is considered gone. */
const PATIENCE_MS = 5_000;

/**
 * Notifies the other replicas on the same PostgreSQL of changes (LISTEN and NOTIFY); does nothing on the embedded database, which
 * has only one process. Nothing depends on a message: it only makes the others reload the data sooner.
 */
@Injectable()
export class ReplicaChannel implements OnApplicationShutdown {
  private readonly logger = new Logger(ReplicaChannel.name);
  /** Identifies this process among the replicas. */
  readonly self = randomUUID();
  private readonly listeners = new Map<ReplicaTopic, Listener>();
  private connection: Client | null = null;
  private reconnecting: NodeJS.Timeout | null = null;
  private reloadTimer: NodeJS.Timeout | null = null;
  private readonly retries = new Map<ReplicaTopic, NodeJS.Timeout>();
  private lostTimer: NodeJS.Timeout | null = null;
  private isStopped = false;

  constructor(
    private readonly environment: Environment,
    private readonly database: Database,
  ) {}

  /** True when other processes may share the database. */
  get hasOthers(): boolean {
    return this.environment.DATABASE_URL !== null;
  }

  /** Starts to listen. Call it after `on`: it calls each listener once, for earlier changes. */
  async open(): Promise<void> {
    if (this.environment.DATABASE_URL === null) return;
    this.reloadTimer = setInterval(() => {
      this.reloadAll();
      this.assertListening().catch((error: unknown) => this.logger.warn(String(error)));
    }, RELOAD_EVERY_MS).unref();
    this.database.onAnswerLost = () => this.reloadSoon();
    await this.connect(this.environment.DATABASE_URL);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    if (this.reconnecting) clearTimeout(this.reconnecting);
    if (this.reloadTimer) clearInterval(this.reloadTimer);
    if (this.lostTimer) clearTimeout(this.lostTimer);
    for (const retry of this.retries.values()) clearTimeout(retry);
    if (this.connection) await ended(this.connection);
  }

  /** Sets the only listener of a topic: the owner of the data. When it fails, it is called again. */
  on(topic: ReplicaTopic, listener: Listener): void {
    this.listeners.set(topic, listener);
  }

  /**
   * Notifies the other replicas of a change. Call it when the change is durable; a failure is only logged.
   * @param detail what changed; null = anything may have changed
   */
  async notify(topic: ReplicaTopic, detail: string | null = ''): Promise<void> {
    if (this.environment.DATABASE_URL === null) return;
    const message: Message = { from: this.self, topic, detail };
    try {
      await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(message)})`.execute(this.database);
    } catch (error) {
      this.logger.warn(`other replicas will notice later that ${topic} changed: ${String(error)}`);
    }
  }

  private async connect(url: string): Promise<void> {
    const connection = new Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    connection.on('notification', ({ payload = '' }) => this.receive(payload));
    // Every error is followed by an end event, which is handled below.
    connection.on('error', () => {});
    connection.on('end', () => this.reconnectLater(url));
    try {
      await connection.connect();
      await connection.query(`listen ${CHANNEL}`);
    } catch (error) {
      this.logger.warn({ err: explained(error) }, 'not listening to other replicas');
      await connection.end().catch(() => undefined);
      return this.reconnectLater(url);
    }
    this.connection = connection;
    this.reloadAll();
  }

  /** Sends a query to check the connection, and closes it when it is broken. */
  private async assertListening(): Promise<void> {
    const { connection } = this;
    try {
      await connection?.query('select 1');
    } catch {
      await connection?.end();
    }
  }

  private reloadAll(): void {
    for (const topic of this.listeners.keys()) this.pass(topic, null);
  }

  /** Reloads everything, also on the other replicas: whoever asked for the change could not announce it. */
  private reloadSoon(): void {
    if (this.isStopped) return;
    this.lostTimer ??= setTimeout(() => {
      this.lostTimer = null;
      this.reloadAll();
      Promise.all([...this.listeners.keys()].map((topic) => this.notify(topic, null))).catch((error: unknown) =>
        this.logger.error(error),
      );
    }, LOST_MS).unref();
  }

  private reconnectLater(url: string): void {
    this.connection = null;
    if (this.isStopped || this.reconnecting) return;
    this.reconnecting = setTimeout(() => {
      this.reconnecting = null;
      this.connect(url).catch((error: unknown) => this.logger.error(error));
    }, RECONNECT_MS).unref();
  }

  private receive(payload: string): void {
    const message = parseMessage(payload);
    // Any user of the database may send arbitrary text on this channel.
    if (message === null)
      return this.logger.debug(`ignored a notification that is not from a replica: ${payload.slice(0, 100)}`);
    if (message.from !== this.self) this.pass(message.topic, message.detail);
  }

  private pass(topic: ReplicaTopic, detail: string | null): void {
    this.listeners
      .get(topic)?.(detail)
      .catch((error) => {
        this.logger.error(error);
        this.passAgain(topic);
      });
  }

  private passAgain(topic: ReplicaTopic): void {
    if (this.isStopped || this.retries.has(topic)) return;
    const retry = setTimeout(() => {
      this.retries.delete(topic);
      // Without a connection, everything is reloaded when there is one.
      if (this.connection) this.pass(topic, null);
    }, RETRY_MS).unref();
    this.retries.set(topic, retry);
  }
}

function parseMessage(payload: string): Message | null {
  const value = parsedOrNull(payload);
  const { from, topic, detail } = Object(value) as Record<keyof Message, unknown>;
  const isMessage =
    typeof from === 'string' &&
    TOPICS.some((known) => known === topic) &&
    (typeof detail === 'string' || detail === null);
  return isMessage ? (value as Message) : null;
}
