import { stringify } from 'yaml';
import type { Json, JsonObject } from './json.js';
import { Scenario, TestHost } from './testing.js';
import { WorkflowError } from './workflow-error.js';
import { numbersBelow } from '../../../test/fuzz/random.js';

/** Generates workflows of mixed structure, whose data is a text that each task appends to. */
class Generator {
  private tasks = 0;

  constructor(private readonly random: (below: number) => number) {}

  workflow(): string {
    return stringify({
      timeout: { after: 'P10D' },
      use: { functions: { twice: { do: this.list(0) } } },
      do: [...this.list(3), this.call()],
    });
  }

  private list(depth: number): JsonObject[] {
    return Array.from({ length: 1 + this.random(3) }, () => this.task(depth));
  }

  private call(): JsonObject {
    return this.named({
      call: 'work',
      with: { text: '${ . }' },
      ...(this.random(4) === 0 && { timeout: { after: 'P1D' } }),
    });
  }

  private task(depth: number): JsonObject {
    const text = `\${ . + "${this.tasks}" }`;
    switch (this.random(depth > 0 ? 12 : 5)) {
      case 0:
      case 1:
        return this.call();
      case 2:
        return this.named({ set: text });
      case 3:
        return this.named({ wait: { minutes: this.random(5) } });
      case 4:
        return this.named({
          emit: { event: { with: { type: 'noted', data: '${ . }' } } },
          output: { as: '.data + "e"' },
        });
      case 5:
        return this.named({ do: this.list(depth - 1) });
      case 6:
        return this.named({
          for: { in: '["x", "y"]' },
          do: [...this.list(depth - 1), this.named({ set: '${ . + $item }' })],
        });
      case 7:
        return this.named({ fork: { branches: this.list(depth - 1) }, output: { as: 'map(tostring) | join("|")' } });
      case 8: {
        const branch = (minutes: number) => this.named({ do: [this.named({ wait: { minutes } }), ...this.list(0)] });
        return this.named({ fork: { compete: true, branches: [branch(900), branch(5)] } });
      }
      case 9: {
        const retry = { delay: { seconds: this.random(2) }, limit: { attempt: { count: 2 } } };
        return this.named({
          try: [...this.list(depth - 1), this.named({ call: 'flaky', with: { text: '${ . }' } })],
          catch: { retry },
        });
      }
      case 10:
        return this.named({
          try: [this.named({ fork: { branches: [...this.list(depth - 1), this.named({ call: 'broken' })] } })],
          catch: { do: [this.named({ set: '${ . + "c" }' })] },
        });
      default:
        return this.named({ call: 'twice' });
    }
  }

  private named(task: JsonObject): JsonObject {
    this.tasks += 1;
    return { [`t${this.tasks}`]: task };
  }
}

const refused = new WorkflowError({ type: 'https://example.com/refused', status: 503 });

/** Functions that return the same for the same step, and record their executions. */
function world(isRecorded: (step: string) => boolean): { host: TestHost; repeated: string[] } {
  const repeated: string[] = [];
  const watch = (key: string) => {
    if (isRecorded(key.slice('run-1:'.length))) repeated.push(key);
  };
  const host = new TestHost({
    work: async ({ text = null }, { idempotencyKey }) => {
      watch(idempotencyKey);
      await Promise.resolve();
      return `${typeof text === 'string' ? text : JSON.stringify(text)}w`;
    },
    flaky: ({ text = null }, { idempotencyKey }) => {
      watch(idempotencyKey);
      if (!idempotencyKey.endsWith('~2')) throw refused;
      return text;
    },
    broken: () => Promise.reject(refused),
  });
  return { host, repeated };
}

function scenarioOf(yaml: string): Scenario & { repeated: string[] } {
  const { host, repeated } = world((step) => (scenario.run.records.get(step)?.result ?? null) !== null);
  const scenario = Object.assign(new Scenario(yaml, { input: 'start', host }), { repeated });
  return scenario;
}

/** Executes a run until it has ended, however often its process dies. */
async function outcomeOf(scenario: Scenario): Promise<{ output: Json; crashes: number }> {
  for (let crashes = 0; ; crashes++) {
    const ended = await scenario.execute();
    if (ended.status === 'completed') return { output: ended.value, crashes };
    if (ended.status !== 'crashed') throw new Error(`${ended.status}: ${JSON.stringify(ended)}`);
  }
}

const callsOf = (scenario: Scenario): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { key } of scenario.host.calls) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
};

describe('a run whose process dies', () => {
  it.each(Array.from({ length: 8 }, (_, seed) => seed))(
    'continues where it was, wherever that is (generated workflow %i)',
    async (seed) => {
      const yaml = new Generator(numbersBelow(seed * 7919 + 1)).workflow();
      const whole = scenarioOf(yaml);
      let moments = 0;
      whole.run.dies = () => {
        moments += 1;
        return false;
      };
      const { output } = await outcomeOf(whole);
      let deaths = 0;
      for (let fatal = 1; fatal <= moments; fatal += 1 + Math.floor(moments / 12)) {
        const scenario = scenarioOf(yaml);
        let moment = 0;
        scenario.run.dies = () => (moment += 1) === fatal;
        const crashed = await outcomeOf(scenario);
        expect({ fatal, output: crashed.output }).toEqual({ fatal, output });
        // Concurrent steps may complete at once, so a run has fewer crash points.
        expect(crashed.crashes).toBe(moment >= fatal ? 1 : 0);
        deaths += crashed.crashes;
        expect(scenario.repeated).toEqual([]);
        expect([...callsOf(scenario).keys()].sort()).toEqual([...callsOf(whole).keys()].sort());
        expect(Math.max(0, ...callsOf(scenario).values())).toBeLessThanOrEqual(2);
      }
      expect(deaths).toBeGreaterThan(0);
    },
  );

  it.each(Array.from({ length: 8 }, (_, seed) => seed))(
    'continues however often it dies (generated workflow %i)',
    async (seed) => {
      const random = numbersBelow(seed * 104_729 + 7);
      const yaml = new Generator(random).workflow();
      const { output } = await outcomeOf(scenarioOf(yaml));
      for (let round = 0; round < 4; round++) {
        const scenario = scenarioOf(yaml);
        scenario.run.dies = () => random(6) === 0;
        expect((await outcomeOf(scenario)).output).toEqual(output);
        expect(scenario.repeated).toEqual([]);
      }
    },
  );
});
