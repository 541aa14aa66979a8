import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { DurableSteps } from '#open-workflow';
import type { Database } from '../../src/platform/database/database.js';
import { openPostgres } from '../../src/platform/database/open-database.js';
import { EmbeddedEngine } from '../../src/features/workflows/engine/embedded/embedded-engine.service.js';
import { PostgresOwnership } from '../../src/features/workflows/engine/embedded/postgres-ownership.js';
import { engineOn, interruptedStoresOn } from '../../src/features/workflows/engine/embedded/testing.js';
import { at, newRun, WrittenPrograms } from '../../src/features/workflows/engine/testing.js';
import type { RunsService } from '../../src/features/workflows/runs/runs.service.js';
import { Random } from '../fuzz/random.js';
import { describeEachOnNewPostgres } from '../support/postgres.js';
import { seedFrom } from '../support/seed.js';

const SEED = seedFrom('RUN_REPLICAS_SEED');
const SEQUENCES = Number(process.env['RUN_REPLICAS_SEQUENCES'] ?? 4);
const LENGTH = 200;
/** The maximum duration of a step or sleep, in milliseconds. */
const LONGEST = 40;
/** The maximum delay before and after an operation of the stores; most delays are shorter. */
const LATENESS = 500;
const PATIENCE = { timeoutMs: 100_000, signal: new AbortController().signal };

/** Replicas on one database that start and shut down cleanly, while runs are started on all of them. */
class Replicas {
  private readonly open: Replica[] = [];
  /** The steps of each run, in the order in which they started. */
  private readonly begun = new Map<string, string[]>();
  private readonly started: string[] = [];
  private readonly delays = new Random(SEED);

  constructor(
    private readonly url: string,
    private readonly random: Random,
    /** True when replicas lose the connections that hold their run locks. */
    private readonly areCut: boolean,
  ) {}

  async step(): Promise<void> {
    const choice = this.random.next();
    if (choice < 0.7) this.start();
    else if (choice < 0.87) this.look();
    else if (choice < 0.9) await this.cut();
    else if (choice < 0.95 && this.open.length < 4) await this.join();
    else if (this.open.length > 1) await this.leave();
    await pause(this.random.integer(0, 10));
  }

  async join(): Promise<void> {
    const database = await openPostgres(this.url);
    const stores = interruptedStoresOn(database, () => pause(this.delays.next() ** 30 * LATENESS));
    const { engine, runs } = await engineOn(
      database,
      this.programs(),
      new PostgresOwnership(this.url),
      stores,
      EmbeddedEngine,
    );
    await engine.onApplicationBootstrap();
    this.open.push({ database, engine, runs, calls: [] });
  }

  /** Waits until all runs have ended, and checks which of their steps were started. */
  async settle(): Promise<void> {
    for (const { calls } of this.open) await Promise.all(calls);
    for (const id of this.started) {
      const following = this.any().runs.follow(id, PATIENCE);
      expect({ seed: SEED, ...(await following) }).toMatchObject({ seed: SEED, status: 'completed' });
    }
    const strange = this.started.map((id) => this.begun.get(id) ?? []).filter((steps) => !this.isGood(steps));
    expect({ seed: SEED, strange }).toEqual({ seed: SEED, strange: [] });
  }

  async close(): Promise<void> {
    while (this.open.length > 0) await this.leave();
  }

  /** Each step starts once. A step that was running when a connection was lost may start again, before the next one. */
  private isGood(steps: readonly string[]): boolean {
    return this.areCut ? /^a+b+c+$/.test(steps.join('')) : steps.join('') === 'abc';
  }

  private start(): void {
    const { runs, calls } = this.any();
    const starting = runs.start(newRun(this.random.pick(['effects', 'naps'])));
    calls.push(starting.then(({ id }) => this.started.push(id)));
  }

  private look(): void {
    const { engine, calls } = this.any();
    calls.push(engine.tick());
  }

  private async cut(): Promise<void> {
    if (!this.areCut) return;
    const { database } = this.any();
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'agent-service runs' and datname = current_database() order by random() limit 1`.execute(
      database,
    );
  }

  private async leave(): Promise<void> {
    const [left] = this.open.splice(this.random.integer(0, this.open.length), 1);
    if (!left) return;
    await Promise.all([left.engine.beforeApplicationShutdown(), ...left.calls]);
    await left.database.destroy();
  }

  private any(): Replica {
    const one = this.open[this.random.integer(0, this.open.length)];
    if (!one) throw new Error('there is no replica');
    return one;
  }

  private programs(): WrittenPrograms {
    const act = (steps: DurableSteps, name: string) =>
      steps.effect(at(name), null, async () => {
        this.begun.set(steps.run.id, [...(this.begun.get(steps.run.id) ?? []), name]);
        await pause(this.delays.next() * LONGEST);
        return name;
      });
    return new WrittenPrograms({
      effects: async (steps) => {
        for (const name of ['a', 'b', 'c']) await act(steps, name);
        return null;
      },
      naps: async (steps) => {
        for (const name of ['a', 'b', 'c']) {
          await act(steps, name);
          await steps.sleep(at(`${name}/nap`), () => this.delays.next() * LONGEST);
        }
        return null;
      },
    });
  }
}

interface Replica {
  database: Database;
  engine: EmbeddedEngine;
  runs: RunsService;
  /** The requests that it has received so far. */
  calls: Promise<unknown>[];
}

describeEachOnNewPostgres('runs of replicas that come and go', (database) => {
  beforeAll(() => void process.stdout.write(`RUN_REPLICAS_SEED=${SEED}\n`));

  it.each(Array.from({ length: SEQUENCES }, (_, sequence) => ({ sequence, areCut: sequence % 2 === 1 })))(
    'are executed to their ends, and each step of them once (%o)',
    async ({ sequence, areCut }) => {
      const { url } = database;
      const replicas = new Replicas(url, new Random(SEED * 31 + sequence), areCut);
      await replicas.join();
      try {
        for (let step = 0; step < LENGTH; step++) await replicas.step();
        await replicas.settle();
      } finally {
        await replicas.close();
      }
    },
  );
});
