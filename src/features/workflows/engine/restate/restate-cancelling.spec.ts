import { createServer, type Server } from 'node:http';
import type { Database } from '../../../../platform/database/database.js';
import { memoryDatabase } from '../../../../platform/database/testing.js';
import { until } from '../../../../../test/support/until.js';
import { ON_RESTATE } from '../../runs/execution/claimed-run.js';

import { startedRun, WrittenPrograms } from '../testing.js';
import { engineOnRestate } from './testing.js';
import { listenOnLoopback, stopServer } from '../../../../../test/support/loopback.js';

const RUNS = 40;

describe('runs on Restate that are cancelled at once', () => {
  let cluster: Server;
  let url: string;
  let database: Database;
  let cancelled: string[];
  beforeEach(async () => {
    cancelled = [];
    database = await memoryDatabase();
    cluster = createServer((request, response) => {
      const [, invocation] = /^\/invocations\/(.*)\/cancel$/.exec(request.url ?? '') ?? [];
      if (invocation !== undefined) cancelled.push(invocation);
      // The invocation of a run has the id of the run.
      response.end(JSON.stringify({ invocationId: request.headers['idempotency-key'] }));
    });
    url = await listenOnLoopback(cluster);
  });
  afterEach(async () => {
    await stopServer(cluster);
    await database.destroy();
  });

  it('are each sent to the cluster once', async () => {
    const { engine, stores } = engineOnRestate(
      database,
      new WrittenPrograms({}, {}, {}),
      { ingressUrl: url, adminUrl: url },
      1,
    );
    const ids = Array.from({ length: RUNS }, (_, n) => `run-${n}`).sort();
    for (const id of ids) {
      const run = { ...startedRun(id, 'short'), partition: ON_RESTATE, status: 'pending' } as const;
      await stores.states.insert(run, new Date());
    }
    await Promise.all(ids.map((id) => engine.cancel(id)));
    await until(() => new Set(cancelled).size === RUNS);
    expect(cancelled.sort()).toEqual(ids);
  });
});
