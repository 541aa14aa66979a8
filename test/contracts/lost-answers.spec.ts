import { storesOn } from '../../src/features/workflows/engine/embedded/testing.js';
import { startedRun } from '../../src/features/workflows/engine/testing.js';
import { DatabaseUnavailable } from '../../src/platform/database/database.errors.js';
import { openPostgres } from '../../src/platform/database/open-database.js';
import { TcpProxy } from '../faults/tcp-proxy.js';
import { describeEachOnNewPostgres } from '../support/postgres.js';

const NOW = new Date('2026-01-01T00:00:00.000Z');

describeEachOnNewPostgres('a run whose cancellation loses its connection', (server) => {
  let proxy: TcpProxy;
  let database: Awaited<ReturnType<typeof openPostgres>>;
  beforeEach(async () => {
    proxy = await TcpProxy.before(new URL(server.url));
    database = await openPostgres(proxy.through(new URL(server.url)).href);
  });
  afterEach(async () => {
    await database.destroy();
    await proxy.close();
  });

  /** Cuts all connections once, in place of the first answer with these words. */
  function cutAt(words: string): void {
    proxy.rewrite = (answer) => {
      if (!answer.includes(words)) return answer;
      proxy.rewrite = (next) => next;
      proxy.reset();
      return Buffer.alloc(0);
    };
  }

  async function cancelCutAt(words: string) {
    const { states } = storesOn(database);
    await states.insert({ ...startedRun('a', 'test'), partition: 0, status: 'pending', createdAt: NOW }, NOW);
    cutAt(words);
    return states.cancel('a', NOW);
  }

  it('is reported as cancelled when only the answer was lost', async () => {
    const { cancelled } = await cancelCutAt('COMMIT');
    expect(cancelled.map(({ id }) => id)).toEqual(['a']);
  });

  it('is not when nothing was changed', async () => {
    await expect(cancelCutAt('UPDATE')).rejects.toThrow(DatabaseUnavailable);
    expect(await storesOn(database).states.listEndings(['a'])).toEqual(new Map());
  });
});
