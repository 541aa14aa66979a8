import { setTimeout as pause } from 'node:timers/promises';
import { ANSWER_EVENT, type Json, type JsonObject, standardError } from '#open-workflow';
import type { Database } from '../../src/platform/database/database.js';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { engineOn, interruptedStoresOn } from '../../src/features/workflows/engine/embedded/testing.js';
import { at, WrittenPrograms } from '../../src/features/workflows/engine/testing.js';
import { hasEnded, type Run } from '../../src/features/workflows/runs/run.js';
import type { RunsService } from '../../src/features/workflows/runs/runs.service.js';
import { Random } from '../fuzz/random.js';
import { seedFrom } from '../support/seed.js';

const SEED = seedFrom('RUNS_SEED');
const SEQUENCES = Number(process.env['RUNS_SEQUENCES'] ?? 5);
const LENGTH = 60;
/** The maximum delay before and after an operation of the stores, in milliseconds; used in every other sequence. */
const LATENESS = 60;
const PATIENCE = { timeoutMs: 100_000, signal: new AbortController().signal };
const KINDS = ['add', 'nap', 'rain', 'ask', 'parent', 'fail'] as const;
type Kind = (typeof KINDS)[number];

/** The expected state of a run, from the operations on it. */
interface Known {
  id: string;
  kind: Kind;
  n: number;
  key: string | null;
  /** The events that it has received, in order. */
  heard: string[];
  answer: JsonObject | null;
  /** `perhaps`: it was cancelled when it may already have ended. */
  cancelled: 'no' | 'yes' | 'perhaps';
}

/** The expected end of a run after the operations so far; null = it must not end. */
function endingOf({ kind, n, heard, answer }: Known): { status: string; output: Json } | null {
  switch (kind) {
    case 'add':
    case 'nap':
      return { status: 'completed', output: n + 1 };
    case 'fail':
      return { status: 'failed', output: null };
    case 'rain':
      return heard.length < 2 ? null : { status: 'completed', output: heard.slice(0, 2) };
    case 'ask':
    case 'parent':
      return answer && { status: 'completed', output: answer };
  }
}

/** The engine on a database, and a model that predicts the outcome of each operation. */
class World {
  readonly known: Known[] = [];
  /** How often each effect was started, by the input of its run. */
  private readonly effects = new Map<string, number>();
  private readonly published: string[] = [];
  private readonly delays = new Random(SEED);
  private started!: Awaited<ReturnType<typeof engineOn>>;

  constructor(
    private readonly database: Database,
    private readonly random: Random,
    private readonly isLate: boolean,
  ) {}

  get runs(): RunsService {
    return this.started.runs;
  }

  async open(): Promise<void> {
    const late = interruptedStoresOn(this.database, () => pause(this.delays.next() ** 6 * LATENESS));
    this.started = await engineOn(this.database, this.programs(), undefined, this.isLate ? late : undefined);
    await this.started.engine.onApplicationBootstrap();
  }

  close(): Promise<void> {
    return this.started.engine.beforeApplicationShutdown();
  }

  async step(): Promise<void> {
    const { random } = this;
    const choice = random.next();
    if (choice < 0.4) return this.start();
    if (choice < 0.6) return this.publish();
    if (choice < 0.78) return this.answer();
    if (choice < 0.9) return this.cancel();
    if (choice < 0.95) return this.look();
    await this.close();
    return this.open();
  }

  /** Completes all pending work, and checks how each run ends. */
  async settle(): Promise<void> {
    while (this.known.some((run) => run.kind === 'rain' && this.isOpen(run))) await this.publish(true);
    for (const run of this.known) if (this.isAsking(run)) await this.answerOne(run);
    for (const run of this.known) await this.check(await this.runs.follow(run.id, PATIENCE), run);
    for (const [name, count] of this.effects) expect([name, count]).toEqual([name, 1]);
    await this.checkLists();
  }

  private programs(): WrittenPrograms {
    const value = async (outcome: Promise<{ ok: boolean; value?: Json }>): Promise<Json> =>
      (await outcome).value ?? null;
    const act = (run: { id: string; input: Json }, name: string, result: Json) => async () => {
      const key = `${run.id} ${name}`;
      this.effects.set(key, (this.effects.get(key) ?? 0) + 1);
      return result;
    };
    const numberOf = (input: Json): number => (input as { n: number }).n;
    return new WrittenPrograms(
      {
        add: async (steps, run) => {
          const first = await value(steps.effect(at('a'), null, act(run, 'a', numberOf(run.input))));
          return value(steps.effect(at('b'), null, act(run, 'b', Number(first) + 1)));
        },
        nap: async (steps, run) => {
          await value(steps.effect(at('a'), null, act(run, 'a', null)));
          await steps.sleep(at('nap'), () => 10);
          return value(steps.effect(at('b'), null, act(run, 'b', numberOf(run.input) + 1)));
        },
        rain: async (steps) => {
          const first = await steps.waitEvent(at('first'), { with: { type: 'rain' } });
          const second = await steps.waitEvent(at('second'), { with: { type: 'rain' } });
          return [first.event.id, second.event.id];
        },
        ask: async (steps, run) => {
          await value(steps.effect(at('before'), null, act(run, 'before', null)));
          const question = { message: 'Go?', schema: { type: 'object', properties: { go: { type: 'boolean' } } } };
          const asked = await steps.waitEvent(at('ask'), { with: { type: ANSWER_EVENT, subject: 'ask' }, question });
          await value(steps.effect(at('after'), null, act(run, 'after', null)));
          return asked.event.data ?? null;
        },
        parent: async (steps, run) => {
          const call = { namespace: 'test', name: 'ask', version: '1.0.0', input: run.input };
          const outcome = await steps.child(at('child'), call, { await: true });
          if (!outcome.ok) throw standardError('runtime', 'the child failed');
          return outcome.value;
        },
        fail: async (steps, run) => {
          await value(steps.effect(at('a'), null, act(run, 'a', null)));
          throw standardError('validation', `no ${numberOf(run.input)}`);
        },
      },
      { rain: ['rain'] },
    );
  }

  private async start(): Promise<void> {
    const kind = this.random.pick(KINDS);
    const key = this.random.chance(0.5) ? `key-${this.random.integer(0, 4)}` : null;
    const n = this.known.length;
    const { id } = await this.runs.start({
      program: 'workflow',
      name: kind,
      version: '1.0.0',
      input: { n },
      origin: 'call',
      client: { name: 'ada', groups: [] },
      idempotencyKey: key,
      isTest: false,
    });
    const same = key === null ? undefined : this.known.find((run) => run.kind === kind && run.key === key);
    if (same) expect(id).toBe(same.id);
    else this.known.push({ id, kind, n, key, heard: [], answer: null, cancelled: 'no' });
  }

  /** Publishes an event, or repeats an earlier one, which must not be delivered twice. */
  private async publish(isNew = this.random.chance(0.8)): Promise<void> {
    const earlier = isNew ? undefined : this.published.at(this.random.integer(0, this.published.length || 1));
    const id = earlier ?? `event-${this.published.length}`;
    const listening = this.known.filter((run) => run.kind === 'rain' && this.isOpen(run));
    await this.runs.publish({ specversion: '1.0', id, source: 'sky', type: 'rain' });
    for (const run of listening) if (!run.heard.includes(id)) run.heard.push(id);
    if (earlier === undefined) this.published.push(id);
  }

  private async answer(): Promise<void> {
    const asking = this.known.filter((run) => this.isAsking(run));
    const answered = this.known.filter(({ answer }) => answer !== null);
    const [again] = answered;
    if (again && this.random.chance(0.2)) {
      const attempt = this.started.answers.give(again.id, 'ask', { action: 'accept', content: {}, by: 'eve' });
      await expect(attempt).rejects.toThrow('does not wait for an answer');
    }
    const [first, ...others] = asking;
    if (first) await this.answerOne(this.random.pick([first, ...others]));
  }

  private async answerOne(run: Known): Promise<void> {
    const id = run.kind === 'ask' ? run.id : await this.childOf(run.id);
    expect(await this.runs.follow(id, PATIENCE)).toMatchObject({ endedAt: null, questions: 1 });
    const wrong = this.started.answers.give(id, 'ask', { action: 'accept', content: { go: 'far' }, by: 'eve' });
    await expect(wrong).rejects.toThrow('does not fit');
    const content = { go: this.random.chance(0.5) };
    const asked = async () => {
      // More questions may be asked between the count and the list.
      const { items } = await this.runs.openQuestions();
      return items.some((question) => question.runId === id && question.step === 'ask');
    };
    expect(await asked()).toBe(true);
    await this.started.answers.give(id, 'ask', { action: 'accept', content, by: 'eve' });
    expect(await asked()).toBe(false);
    run.answer = { action: 'accept', content, by: 'eve' };
  }

  private async childOf(id: string): Promise<string> {
    for (;;) {
      const [step] = await this.runs.steps(id);
      if (step?.child) return step.child;
      await new Promise((wake) => setTimeout(wake, 5));
    }
  }

  private async cancel(): Promise<void> {
    const [first, ...others] = this.known;
    if (!first) return;
    const run = this.random.pick([first, ...others]);
    const mayHaveEnded = endingOf(run) !== null;
    await this.runs.cancel(run.id);
    if (run.cancelled === 'no') run.cancelled = mayHaveEnded ? 'perhaps' : 'yes';
    const { status } = await this.runs.get(run.id);
    expect([status, hasEnded(status)]).toEqual([status, true]);
    if (run.cancelled === 'yes') expect(status).toBe('cancelled');
    if (run.kind !== 'parent' || status !== 'cancelled') return;
    for (const { child } of await this.runs.steps(run.id)) {
      if (child !== null && run.answer === null) expect((await this.runs.get(child)).status).toBe('cancelled');
    }
  }

  private async look(): Promise<void> {
    for (const run of this.known) await this.check(await this.runs.get(run.id), run);
  }

  private async check(run: Run, known: Known): Promise<void> {
    const about = { seed: SEED, kind: known.kind, status: run.status };
    expect({ ...about, isTooOld: run.createdAt > run.updatedAt, isOver: run.endedAt !== null }).toEqual({
      ...about,
      isTooOld: false,
      isOver: hasEnded(run.status),
    });
    if (!hasEnded(run.status))
      return expect({ ...about, cancelled: known.cancelled }).not.toMatchObject({ cancelled: 'yes' });
    const steps = await this.runs.steps(run.id);
    expect(steps.filter(({ endedAt }) => endedAt === null)).toEqual([]);
    if (run.status === 'cancelled')
      return expect({ ...about, cancelled: known.cancelled }).not.toMatchObject({ cancelled: 'no' });
    expect({ ...about, output: run.output, cancelled: known.cancelled !== 'yes' }).toEqual({
      ...about,
      ...endingOf(known),
      cancelled: true,
    });
    if (run.status === 'failed') expect(run.error).toMatchObject({ status: 400, detail: `no ${known.n}` });
  }

  private async checkLists(): Promise<void> {
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.runs.listPage({ limit: 7, cursor });
      listed.push(...page.items.filter(({ parent }) => parent === null).map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect([...listed].sort()).toEqual(this.known.map(({ id }) => id).sort());
    expect((await this.runs.listPage({ limit: 9, isAsking: true })).items).toEqual([]);
  }

  private isOpen(run: Known): boolean {
    return run.cancelled === 'no' && endingOf(run) === null;
  }

  private isAsking(run: Known): boolean {
    return (run.kind === 'ask' || run.kind === 'parent') && this.isOpen(run);
  }
}

describeEachDatabase('runs in any order of calls', (open, dialect) => {
  beforeAll(() => void process.stdout.write(`RUNS_SEED=${SEED} on ${dialect}\n`));

  it.each(Array.from({ length: SEQUENCES }, (_, sequence) => sequence))(
    'are what the model says they are (sequence %i)',
    async (sequence) => {
      const world = new World(await open(), new Random(SEED * 31 + sequence), sequence % 2 === 1);
      await world.open();
      try {
        for (let step = 0; step < LENGTH; step++) await world.step();
        await world.settle();
      } finally {
        await world.close();
      }
    },
  );
});
