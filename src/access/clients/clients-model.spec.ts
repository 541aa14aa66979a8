import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { Random } from '../../../test/fuzz/random.js';
import type { Database } from '../../platform/database/database.js';
import { describeEachDatabase } from '../../platform/database/testing.js';
import { TooManyKeys } from './clients.errors.js';
import type { ClientWithKey } from './client-registry.service.js';
import { clientsOn, PLAIN_CLIENT } from './testing.js';

const NAMES = ['ada', 'bob', 'cyd', 'dan'] as const;
const GROUPS = ['red', 'green', 'blue'] as const;
const HOUR_MS = 3_600_000;

type Replica = Awaited<ReturnType<typeof clientsOn>>;

interface ModelKey {
  key: string;
  id: string;
  client: object;
  name: string;
  endsAtMs: number;
  isRevoked: boolean;
}

interface ModelClient {
  groups: readonly string[];
  endsAtMs: number;
}

/** Predicts as whom a key authenticates, and which sessions are live, without any of the code under test. */
class Model {
  nowMs = Date.UTC(2026, 0, 1);
  readonly clients = new Map<string, ModelClient>();
  readonly keys: ModelKey[] = [];
  /** Ids of sessions, each with the key that opened it. */
  readonly sessions = new Map<string, ModelKey>();

  isValid(key: ModelKey): boolean {
    const client = this.clients.get(key.name);
    return !key.isRevoked && client === key.client && this.nowMs < Math.min(key.endsAtMs, client.endsAtMs);
  }

  /** The keys of a client that have not expired, even if the client has. */
  kept(name: string): ModelKey[] {
    return this.keys.filter(
      (key) => key.client === this.clients.get(name) && !key.isRevoked && this.nowMs < key.endsAtMs,
    );
  }

  dropSessions(): void {
    for (const [id, key] of this.sessions) if (!this.isValid(key)) this.sessions.delete(id);
  }

  add(name: string, { client, key }: ClientWithKey): void {
    const owner = this.clients.get(name);
    const id = client.keys.at(-1)?.id;
    if (!owner || id === undefined) throw new Error('the key has no client');
    this.keys.push({ key, id, name, client: owner, endsAtMs: Infinity, isRevoked: false });
  }
}

class World {
  readonly model = new Model();
  private replicas: Replica[] = [];

  constructor(
    private readonly database: Database,
    private readonly random: Random,
  ) {
    jest.spyOn(Date, 'now').mockImplementation(() => this.model.nowMs);
  }

  async start(): Promise<void> {
    this.replicas = [await clientsOn({ database: this.database }), await clientsOn({ database: this.database })];
  }

  stop(): void {
    for (const { clients } of this.replicas) clients.onApplicationShutdown();
  }

  async step(): Promise<string> {
    const { model, random } = this;
    const [replica] = random.chance(0.5) ? this.replicas : [...this.replicas].reverse();
    if (!replica) throw new Error('it was not started');
    const name = random.pick(NAMES);
    const now = new Date(model.nowMs);
    const client = model.clients.get(name);
    const expiresAt = random.chance(0.3) ? new Date(model.nowMs + random.integer(1, 5) * HOUR_MS) : null;
    const groups = GROUPS.filter(() => random.chance(0.5));
    const details = { ...PLAIN_CLIENT, groups, expiresAt };
    const endsAtMs = expiresAt?.getTime() ?? Infinity;
    switch (random.integer(0, 8)) {
      case 0:
        if (client) break;
        model.clients.set(name, { groups, endsAtMs });
        model.add(name, await replica.registry.create(name, details, now));
        return `create ${name}`;
      case 1:
        if (!client || random.chance(0.5)) break;
        await replica.registry.remove(name);
        model.clients.delete(name);
        return `remove ${name}`;
      case 2:
        if (!client) break;
        await replica.registry.update(name, details, now);
        Object.assign(client, { groups, endsAtMs });
        return `update ${name}`;
      case 3:
        return client ? this.rotate(replica, name) : 'nothing';
      case 4: {
        const [key] = client ? model.kept(name) : [];
        if (!key) break;
        await replica.registry.revokeKey(name, key.id);
        key.isRevoked = true;
        return `revoke a key of ${name}`;
      }
      case 5:
        model.nowMs += random.integer(1, 4) * HOUR_MS - random.integer(0, 2);
        for (const one of this.replicas) await one.clients.expire();
        return 'time passes';
      case 6:
        return this.restart(random.integer(0, 2));
      default:
        return this.openSession();
    }
    return 'nothing';
  }

  private async rotate(replica: Replica, name: string): Promise<string> {
    const { model, random } = this;
    const overlapHours = random.integer(0, 4);
    const former = model.kept(name);
    const rotation = replica.registry.rotate(name, overlapHours, new Date(model.nowMs));
    if (former.length >= 2) {
      await expect(rotation).rejects.toThrow(TooManyKeys);
      return `cannot rotate ${name}`;
    }
    const made = await rotation;
    for (const key of former) key.endsAtMs = Math.min(key.endsAtMs, model.nowMs + overlapHours * HOUR_MS);
    model.add(name, made);
    return `rotate ${name} with ${overlapHours} h`;
  }

  private async restart(which: number): Promise<string> {
    this.replicas[which]?.clients.onApplicationShutdown();
    const before = this.model.nowMs;
    if (this.random.chance(0.5)) this.model.nowMs += this.random.integer(1, 3) * HOUR_MS;
    this.replicas[which] = await clientsOn({ database: this.database });
    for (const one of this.replicas) await one.clients.expire();
    return `restart ${which} after ${(this.model.nowMs - before) / HOUR_MS} h`;
  }

  private async openSession(): Promise<string> {
    const { model, random } = this;
    const [first, ...rest] = model.keys.filter((key) => model.isValid(key));
    if (!first) return 'nothing';
    const key = random.pick([first, ...rest]);
    const id = randomUUID();
    await this.replicas[0]?.sessions.create({
      id,
      client: key.name,
      key: key.key.slice(0, 12),
      protocolVersion: '2025-11-25',
      initialize: {},
      logLevel: null,
      subscriptions: [],
      eventSeq: 0,
      lastSeenAt: new Date(model.nowMs),
    });
    model.sessions.set(id, key);
    return `a session of ${key.name}`;
  }

  /** Compares both replicas, and the session rows, with the model. */
  async check(): Promise<void> {
    const { model } = this;
    model.dropSessions();
    const known = model.keys.map((key) => {
      const groups = model.clients.get(key.name)?.groups;
      return model.isValid(key) ? [key.name, groups, key.key.slice(0, 12)] : null;
    });
    const withKey = new Set(model.keys.filter((key) => model.isValid(key)).map(({ name }) => name));
    for (const { clients } of this.replicas) {
      await clients.reload({ isFromElsewhere: true });
      const told = model.keys.map((key) => {
        // Each is sent repeatedly over its own connection.
        const client = clients.authenticate(`Bearer ${key.key}`, key);
        return client && [client.name, client.groups, client.origin?.key];
      });
      expect(told).toEqual(known);
      expect(clients.list().map(({ name }) => name)).toEqual([...model.clients.keys()].sort());
      expect(NAMES.filter((name) => clients.find(name) !== null)).toEqual(NAMES.filter((name) => withKey.has(name)));
      expect([clients.count(), clients.isConfigured()]).toEqual([withKey.size, withKey.size > 0]);
    }
    const rows = await this.database.selectFrom('mcp_sessions').select('id').execute();
    expect(rows.map(({ id }) => id).sort()).toEqual([...model.sessions.keys()].sort());
    this.checkRevoked();
  }

  /** Whatever a replica has reported as revoked is revoked, and it was reported once. */
  private checkRevoked(): void {
    for (const { sent } of this.replicas) {
      for (const [name, event] of sent.splice(0)) {
        if (name !== 'client.revoked') continue;
        const key = this.model.keys.find((one) => one.name === event.client && one.key.startsWith(event.key ?? '-'));
        expect(key && this.model.isValid(key)).toBe(false);
      }
    }
  }
}

describeEachDatabase('clients under random changes', (open) => {
  let world: World | null = null;
  afterEach(() => {
    world?.stop();
    jest.restoreAllMocks();
  });

  it.each([1, 2, 3])('are what a plain model says, with seed %d', async (seed) => {
    world = new World(await open(), new Random(seed));
    await world.start();
    const steps: string[] = [];
    for (let n = 0; n < 120; n += 1) {
      steps.push(await world.step());
      await world.check().catch((error: unknown) => {
        throw new Error(`after ${steps.slice(-6).join(', ')}`, { cause: error });
      });
    }
    expect(new Set(steps.map((step) => step.split(' ')[0])).size).toBeGreaterThanOrEqual(8);
  });
});
