import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { Client } from '#skill-kit';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { PeriodicWork } from '../../platform/periodic/periodic-work.js';
import { type ClientUse, ClientUseStore } from './client-use.store.js';

const TICK_EVERY_MS = 5_000;
const WRITE_EVERY_MS = 60_000;

/** A use seen by this process. `writtenAtMs`: when this process last stored a use of the client. */
interface Seen {
  atMs: number;
  address: string | null;
  program: string;
  writtenAtMs: number;
  isNew: boolean;
}

/** Tracks the last call of each client: when, from where and with which program. Stores it at most once a minute. */
@Injectable()
export class ClientUses extends PeriodicWork implements BeforeApplicationShutdown {
  private readonly seenHere = new Map<string, Seen>();

  constructor(
    private readonly store: ClientUseStore,
    events: EventBus,
  ) {
    super(TICK_EVERY_MS);
    events.on('client.revoked', ({ client }) => this.seenHere.delete(client));
  }

  /** Records a request. Called for every one, so it must be fast. */
  seen(client: string, address: string | null, program: string, nowMs: number): void {
    const seen = this.seenHere.get(client);
    if (!seen) {
      this.seenHere.set(client, { atMs: nowMs, address, program, writtenAtMs: -Infinity, isNew: true });
      return;
    }
    seen.atMs = nowMs;
    seen.address = address;
    seen.program = program;
    seen.isNew = true;
  }

  /** Returns the last use of each client that was ever used, on any replica. */
  async list(): Promise<ReadonlyMap<string, ClientUse>> {
    const uses = await this.store.list();
    for (const [client, seen] of this.seenHere) {
      const recorded = uses.get(client);
      if (!recorded || recorded.at.getTime() < seen.atMs) uses.set(client, toUse(seen));
    }
    return uses;
  }

  async tick(now: Date): Promise<void> {
    await this.record((seen) => now.getTime() - seen.writtenAtMs >= WRITE_EVERY_MS, now);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.record(() => true, new Date()).catch((error: unknown) =>
      this.logger.warn(`the last calls of clients could not be stored: ${String(error)}`),
    );
  }

  private async record(isDue: (seen: Seen) => boolean, now: Date): Promise<void> {
    for (const [client, seen] of this.seenHere) {
      if (!seen.isNew || !isDue(seen)) continue;
      seen.isNew = false; // a use during the write is new again
      try {
        await this.store.save(client, toUse(seen));
        seen.writtenAtMs = now.getTime();
      } catch (error) {
        seen.isNew = true;
        throw error;
      }
    }
  }
}

const toUse = ({ atMs, address, program }: Seen): ClientUse => ({ at: new Date(atMs), address, program });

const MOST_PROGRAMS = 500;
/** How long a program without an open stream counts as connected after its last request. */
const CONNECTED_FOR_MS = 15 * 60_000;
/** Stored characters of a name, which comes from outside; enough to distinguish programs. */
const LONGEST_NAME = 200;

/** How a program identifies itself. */
export interface ProgramIdentity {
  /** Name of the client whose key it uses. */
  client: string;
  name: string;
  version: string;
  protocolVersion: string;
}

export interface ConnectedProgram extends ProgramIdentity {
  lastSeenAt: Date;
  /** Number of streams that it holds open in this process. */
  streams: number;
}

export interface ProgramStream extends ProgramIdentity {
  sessionId: string | null; // null = the protocol version has no sessions
}

interface Sighting extends ProgramIdentity {
  lastSeenMs: number;
}

/** Tracks the MCP client programs that have called this process since it started, regardless of their protocol version. */
@Injectable()
export class ConnectedClients {
  private readonly sightings = new Map<string, Sighting>();
  /** The last sighting of each client: most use one program. */
  private readonly lastOf = new Map<string, Sighting>();
  private openStreams: () => readonly ProgramStream[] = () => [];

  constructor(private readonly uses: ClientUses) {}

  /** Records that a program has called. Called for every request, so it must be fast. */
  seen({ name: client, origin }: Client, program: Omit<ProgramIdentity, 'client'>, nowMs: number): void {
    const name = program.name.slice(0, LONGEST_NAME);
    const version = program.version.slice(0, LONGEST_NAME);
    const identity = { client, name, version, protocolVersion: program.protocolVersion };
    this.uses.seen(client, origin?.address ?? null, name, nowMs);
    const last = this.lastOf.get(client);
    const sighting = last && isSame(last, identity) ? last : this.sightingOf(identity);
    sighting.lastSeenMs = nowMs;
    this.lastOf.set(client, sighting);
  }

  /** Sets the function that returns the streams that are open right now. */
  reportStreams(report: () => readonly ProgramStream[]): void {
    this.openStreams = report;
  }

  streamCount(): number {
    return this.openStreams().length;
  }

  /** Returns the number of open streams of each session, keyed by session id; leaves out sessions without any. */
  streamsBySession(): ReadonlyMap<string, number> {
    return tally(this.openStreams().flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId])));
  }

  /** Returns at most `limit` programs that hold a stream open or have called in the last 15 minutes, last seen first. */
  list(limit: number, nowMs: number): ConnectedProgram[] {
    const streams = tally(this.openStreams().map(keyOf));
    return [...this.sightings]
      .filter(([key, { lastSeenMs }]) => streams.has(key) || nowMs - lastSeenMs < CONNECTED_FOR_MS)
      .sort(([, a], [, b]) => b.lastSeenMs - a.lastSeenMs)
      .slice(0, limit)
      .map(([key, { lastSeenMs, ...program }]) => ({
        ...program,
        lastSeenAt: new Date(lastSeenMs),
        streams: streams.get(key) ?? 0,
      }));
  }

  private sightingOf(program: ProgramIdentity): Sighting {
    const key = keyOf(program);
    const known = this.sightings.get(key);
    if (known) return known;
    if (this.sightings.size >= MOST_PROGRAMS) this.forgetOldest();
    const sighting = { ...program, lastSeenMs: 0 };
    this.sightings.set(key, sighting);
    return sighting;
  }

  // Searches for the oldest only when a new program finds no room, so that recording a call needs no reordering.
  private forgetOldest(): void {
    let oldest: Sighting | null = null;
    for (const sighting of this.sightings.values()) {
      if (!oldest || sighting.lastSeenMs < oldest.lastSeenMs) oldest = sighting;
    }
    if (!oldest) return;
    this.sightings.delete(keyOf(oldest));
    if (this.lastOf.get(oldest.client) === oldest) this.lastOf.delete(oldest.client);
  }
}

const isSame = (one: ProgramIdentity, other: ProgramIdentity): boolean =>
  one.client === other.client &&
  one.name === other.name &&
  one.version === other.version &&
  one.protocolVersion === other.protocolVersion;

const keyOf = ({ client, name, version, protocolVersion }: ProgramIdentity): string =>
  `${client}\n${protocolVersion}\n${name.slice(0, LONGEST_NAME)}\n${version.slice(0, LONGEST_NAME)}`;

function tally(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
