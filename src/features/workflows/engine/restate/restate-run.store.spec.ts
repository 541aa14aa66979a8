import { describeEachDatabase } from '../../../../platform/database/testing.js';
import { ON_RESTATE } from '../../runs/execution/claimed-run.js';
import { RunStateStore } from '../run-state.store.js';
import { type StepRecord, StepStore } from '../step.store.js';
import { at, startedRun } from '../testing.js';
import { RestateRunStore } from './restate-run.store.js';

const START = new Date('2026-01-01T00:00:00.000Z');
const WAITING: StepRecord = { kind: 'sleep', status: 'waiting', startedAt: START.toISOString() };

describeEachDatabase('what runs on Restate keep', (open) => {
  it('stops the steps of a block, and none of a later attempt, visit or iteration whose name begins alike', async () => {
    const database = await open();
    const [states, steps] = [new RunStateStore(database), new StepStore(database)];
    await states.insert({ ...startedRun('r', 'test'), partition: ON_RESTATE, status: 'running' }, START);
    const run = { ...startedRun('r', 'test'), partition: ON_RESTATE, epoch: 1 };
    const within = ['/1/b', '/1/b!2', '/1/b?key', '/1/b?key!2', '/1/b/do/0/c', '/1/b/retry~2', '/1/b/use/functions/f'];
    const others = ['/1/b/timeout', '/1/b~2', '/1/b~2/timeout', '/1/b@2', '/1/b#1/do/0/c', '/1/bb', '/11/b', '/1'];
    for (const name of [...within, ...others]) await steps.record(run, at(name), WAITING);
    const blocks = { runId: 'r', blocks: ['/1/b'], watcher: '/1/b/timeout' };
    await new RestateRunStore(database).cancelWithin(blocks, START);
    const found = [...(await steps.load('r')).values()].filter(({ status }) => status === 'cancelled');
    expect(found.map(({ name }) => name).sort()).toEqual([...within].sort());
  });
});
