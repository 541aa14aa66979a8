import type { EndpointTiming } from './endpoint-options.js';
import { memoryStorage } from './memory-storage.js';
import type { Relay, RelayedNews } from './relay.js';
import { around, startEndpoint, type TestEndpoint } from './testing.js';

/** Endpoints that share a storage. They receive each other's news at once, or not at all while `isCut`. */
export class Processes {
  readonly storage = memoryStorage();
  readonly all: TestEndpoint[] = [];
  readonly dead = new Set<string>();
  isCut = false;
  private readonly halted = new Set<TestEndpoint>();

  constructor(private readonly timing: Partial<EndpointTiming> = {}) {}

  async start(): Promise<TestEndpoint> {
    const process = nameOf(this.all.length);
    const relay: Relay = {
      process,
      send: (news) => this.pass(process, news),
      isAtWork: async (name) => !this.dead.has(name),
    };
    // A killed process writes nothing more.
    const sessions = around(this.storage.sessions, (method, call) =>
      this.dead.has(process) ? Promise.reject(new Error(`${method}: it was killed`)) : call(),
    );
    const started = await startEndpoint({
      storage: { ...this.storage, sessions, relay },
      timing: { followEveryMs: 10, keepAliveMs: 20, ...this.timing },
      limits: { maxSubscriptions: 1_000, maxSubscriptionBytes: 100_000 },
    });
    this.all.push(started);
    return started;
  }

  at(index: number): TestEndpoint {
    const found = this.all[index];
    if (!found) throw new Error(`${nameOf(index)} did not start`);
    return found;
  }

  async publish(index: number, uri: string): Promise<void> {
    await this.at(index).endpoint.publish({ kind: 'resource_updated', uri });
    for (const { endpoint } of this.living()) await endpoint.follow();
  }

  async catchUp(): Promise<void> {
    for (const { endpoint } of this.living()) await endpoint.receive(null);
  }

  /** Kills a process without giving it time to write anything. */
  async kill(index: number): Promise<void> {
    this.dead.add(nameOf(index));
    await this.halt(this.at(index));
  }

  /** Stops a process in the regular way. */
  async end(index: number): Promise<void> {
    await this.halt(this.at(index));
    this.dead.add(nameOf(index));
  }

  /** Stops all processes, also those that only seem to be dead. */
  async stop(): Promise<void> {
    for (const one of this.all) await this.halt(one);
  }

  private async halt(one: TestEndpoint): Promise<void> {
    if (this.halted.has(one)) return;
    this.halted.add(one);
    await one.stop();
  }

  private living(): TestEndpoint[] {
    return this.all.filter((_one, index) => !this.dead.has(nameOf(index)));
  }

  private async pass(from: string, news: RelayedNews): Promise<void> {
    if (this.isCut || this.dead.has(from)) return;
    // As on the wire.
    const told = JSON.parse(JSON.stringify(news)) as RelayedNews;
    for (const [index, { endpoint }] of this.all.entries()) {
      const name = nameOf(index);
      if (name !== from && !this.dead.has(name)) await endpoint.receive(told);
    }
  }
}

const nameOf = (index: number): string => `process ${index}`;
