import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { sql } from 'kysely';
import { Client } from 'pg';
import { Environment } from '../environment/environment.js';
import { Database } from './database.js';

/** What replicas tell each other: where to look again. What is new is in the database. */
export type ReplicaTopic = (typeof TOPICS)[number];

const TOPICS = ['settings', 'skills', 'changes', 'session.ended'] as const;

/** @param detail null when something may have been missed: then anything may be new */
type Listener = (detail: string | null) => Promise<void>;

interface Message {
  from: string;
  topic: ReplicaTopic;
  detail: string;
}

const CHANNEL = 'agent_service';
const RECONNECT_MS = 1_000;
/** Some poolers in between lose messages. */
const LOOK_ANYWAY_MS = 30_000;
/** To connect, and for each statement: a server that stalls is as good as gone. */
const PATIENCE_MS = 5_000;

/**
 * Tells the other replicas on the same PostgreSQL (LISTEN and NOTIFY) where something changed. On the embedded database
 * there are none. Nothing depends on a message: it only makes others look sooner.
 */
@Injectable()
export class ReplicaChannel implements OnApplicationShutdown {
  private readonly logger = new Logger(ReplicaChannel.name);
  private readonly self = randomUUID();
  private readonly listeners = new Map<ReplicaTopic, Listener>();
  private connection: Client | null = null;
  private reconnecting: NodeJS.Timeout | null = null;
  private lookingAnyway: NodeJS.Timeout | null = null;
  private isStopped = false;

  constructor(
    private readonly environment: Environment,
    private readonly database: Database,
  ) {}

  /** Begins to listen, once the listeners are known; each is called once, for what came before. */
  async open(): Promise<void> {
    if (this.environment.DATABASE_URL === null) return;
    this.lookingAnyway = setInterval(() => {
      this.lookEverywhere();
      this.assertListening().catch((error: unknown) => this.logger.warn(String(error)));
    }, LOOK_ANYWAY_MS).unref();
    await this.connect(this.environment.DATABASE_URL);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    if (this.reconnecting) clearTimeout(this.reconnecting);
    if (this.lookingAnyway) clearInterval(this.lookingAnyway);
    await this.connection?.end().catch(() => undefined);
  }

  /** One listener for each topic: the owner of what is looked at. */
  on(topic: ReplicaTopic, listener: Listener): void {
    this.listeners.set(topic, listener);
  }

  /** To be called after the change is durable. Failing to tell is not failing to change. */
  async tell(topic: ReplicaTopic, detail = ''): Promise<void> {
    if (this.environment.DATABASE_URL === null) return;
    const message: Message = { from: this.self, topic, detail };
    try {
      await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(message)})`.execute(this.database);
    } catch (error) {
      this.logger.warn(`other replicas will hear later that ${topic} changed: ${String(error)}`);
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
    // Errors and ends come together: what counts is that the connection is gone.
    connection.on('error', () => {});
    connection.on('end', () => this.reconnectLater(url));
    try {
      await connection.connect();
      await connection.query(`listen ${CHANNEL}`);
    } catch (error) {
      this.logger.warn(`not listening to other replicas: ${String(error)}`);
      await connection.end().catch(() => undefined);
      return this.reconnectLater(url);
    }
    this.connection = connection;
    this.lookEverywhere();
  }

  /** A connection that went away without a word is found out by asking. */
  private async assertListening(): Promise<void> {
    const { connection } = this;
    try {
      await connection?.query('select 1');
    } catch {
      await connection?.end();
    }
  }

  private lookEverywhere(): void {
    for (const topic of this.listeners.keys()) this.pass(topic, null);
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
    // Whoever may use the database may notify on this channel, and write there what they like.
    if (message === null) return this.logger.debug(`a notification that no replica sent: ${payload.slice(0, 100)}`);
    if (message.from !== this.self) this.pass(message.topic, message.detail);
  }

  private pass(topic: ReplicaTopic, detail: string | null): void {
    this.listeners
      .get(topic)?.(detail)
      .catch((error) => this.logger.error(error));
  }
}

/** Null when it is none. */
function parseMessage(payload: string): Message | null {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return null;
  }
  const { from, topic, detail } = Object(value) as Record<keyof Message, unknown>;
  const isMessage = typeof from === 'string' && TOPICS.some((known) => known === topic) && typeof detail === 'string';
  return isMessage ? (value as Message) : null;
}
