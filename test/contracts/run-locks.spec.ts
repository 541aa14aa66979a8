import type { CloudEvent } from '#open-workflow';
import type { ClaimedRun } from '../../src/features/workflows/runs/execution/claimed-run.js';
import type { EngineStores } from '../../src/features/workflows/engine/engine-stores.service.js';
import type { StepRecord } from '../../src/features/workflows/engine/step.store.js';
import { storesOn } from '../../src/features/workflows/engine/embedded/testing.js';
import { at, startedRun } from '../../src/features/workflows/engine/testing.js';
import { Random } from '../fuzz/random.js';
import { describeReplicas } from '../support/postgres.js';
import { seedFrom } from '../support/seed.js';

const SEED = seedFrom('RUN_LOCKS_SEED');
const ROUNDS = Number(process.env['RUN_LOCKS_ROUNDS'] ?? 20);
/** Number of concurrent operations on a family of runs. */
const AT_ONCE = 40;
const NOW = new Date('2026-01-01T00:00:00.000Z');
const ASKING: StepRecord = { seq: 1, kind: 'question', status: 'waiting', startedAt: NOW.toISOString() };

describeReplicas('replicas that change runs of one family at once', (databases) => {
  it('never wait for each other for ever', async () => {
    const random = new Random(SEED);
    const replicas = databases.map(storesOn);
    for (let round = 0; round < ROUNDS; round += 1) {
      const family = await newFamily(random.pick(replicas), `${round}`, random);
      const work = Array.from({ length: AT_ONCE }, (_, count) => randomWork(random, family, `${round}-${count}`));
      const done = await Promise.allSettled(work.map((one) => one(random.pick(replicas))));
      const failed = done.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
      expect({ seed: SEED, round, failed }).toEqual({ seed: SEED, round, failed: [] });
    }
  });
});

/** Creates a run, three children that it waits for, and two children of the first of these; their ids are in random order. */
async function newFamily(stores: EngineStores, round: string, random: Random): Promise<ClaimedRun[]> {
  const family: ClaimedRun[] = [];
  for (const above of [null, 0, 0, 0, 1, 1]) {
    const parent = above === null ? undefined : family[above];
    const id = `${random.integer(100, 1_000)}-${round}-${family.length}`.padStart(32, '0');
    const step = at(`child${family.length}`);
    const place = parent && { parent: parent.id, parentStep: step.name, depth: parent.depth + 1, root: parent.root };
    const run = { ...startedRun(id, 'test'), ...place, partition: 0, status: 'pending', eventTypes: ['rain'] } as const;
    if (parent) {
      const waiting = {
        seq: 1,
        kind: 'child',
        status: 'waiting',
        wait: { child: id },
        startedAt: NOW.toISOString(),
      } as const;
      await stores.steps.recordChild(parent, step, waiting, run, NOW);
    } else await stores.states.insert({ ...run, createdAt: NOW }, NOW);
    const claimed = await stores.states.claim(id, [0], NOW);
    if (!claimed) throw new Error(`${id} cannot be claimed`);
    family.push(claimed);
  }
  return family;
}

function randomWork(random: Random, family: readonly ClaimedRun[], name: string) {
  const run = random.pick(family);
  const ids = family.map(({ id }) => id).sort();
  const rain: CloudEvent = { specversion: '1.0', id: name, source: 'sky', type: 'rain' };
  const isOften = random.chance(0.9);
  return random.pick<(stores: EngineStores) => Promise<unknown>>([
    ({ events }) => events.deliver(ids, rain, NOW),
    ({ steps }) => steps.record(run, at(name), { ...ASKING, kind: 'effect', status: 'started' }),
    ({ steps }) => steps.recordQuestion(run, at(random.pick(['a', 'b', name])), ASKING),
    ({ steps }) =>
      steps.cancelWithin({ runId: run.id, epoch: isOften ? run.epoch : null, blocks: ['a'], watcher: 'w' }, NOW),
    ({ events }) => events.answer(run.id, 'b', rain, NOW),
    ({ states }) => states.claim(run.id, [0], NOW),
    ({ states }) => states.suspend(run, null, null, NOW),
    ({ states }) =>
      isOften ? states.claim(run.id, [0], NOW) : states.end(run, { status: 'completed', output: 1 }, NOW),
    ({ states }) => (isOften ? states.countBelow(run.root) : states.cancel(run.id, NOW)),
  ]);
}
