import { freePort } from './harness/free-port.js';
import { ServerProcess } from './harness/server-process.js';
import { until } from './support/until.js';
import { temporaryFolder } from './support/temporary-folder.js';

describe('an error that no code handles', () => {
  it.each([
    ['a rejected promise', 'reject'],
    ['an exception', 'throw'],
  ] as const)('is logged and counted when it is %s, and the service continues', async (_title, probe) => {
    const [dataDir, port] = [temporaryFolder(), await freePort()];
    const health = `http://127.0.0.1:${port}/health`;
    const server = await ServerProcess.start({
      env: { PORT: String(port), DATA_DIR: dataDir, MCP_API_KEY: 'a-key-for-this-test', LOG_LEVEL: 'error' },
    });
    const escaped = async () => ((await (await fetch(health)).json()) as { escapedErrors: number }).escapedErrors;
    expect(await escaped()).toBe(0);
    await server.ask(probe);
    await until(async () => (await escaped()) === 1);
    expect(server.isRunning).toBe(true);
    await expect(server.stop()).rejects.toThrow(/An error escaped its owner|by the probe/);
  });
});
