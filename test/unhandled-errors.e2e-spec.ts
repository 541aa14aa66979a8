import { ServerProcess } from './harness/server-process.js';
import { until } from './support/until.js';
import { temporaryFolder } from './support/temporary-folder.js';

describe('an error that no code handles', () => {
  it.each([
    ['a rejected promise', 'reject'],
    ['an exception', 'throw'],
  ] as const)('is logged and counted when it is %s, and the service continues', async (_title, probe) => {
    const server = await ServerProcess.start({
      env: { DATA_DIR: temporaryFolder(), MCP_API_KEY: 'a-key-for-this-test', LOG_LEVEL: 'error' },
    });
    const health = async () => (await fetch(`${server.origin}/health`)).json() as Promise<{ escapedErrors: number }>;
    const escaped = async () => (await health()).escapedErrors;
    expect(await escaped()).toBe(0);
    await server.ask(probe);
    await until(async () => (await escaped()) === 1);
    expect(server.isRunning).toBe(true);
    await expect(server.stop()).rejects.toThrow(/An error escaped its owner|by the probe/);
  });
});
