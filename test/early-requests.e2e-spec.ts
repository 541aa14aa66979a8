import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { ChildProcesses } from './harness/child-processes.js';
import { freePort } from './harness/free-port.js';
import { sendStateless } from './harness/stateless-message.js';
import { until } from './support/until.js';
import { temporaryFolder } from './support/temporary-folder.js';

const KEY = 'early-requests-key-0123';

describe('requests that come while the service starts', () => {
  const folder = temporaryFolder();
  const children = new ChildProcesses();
  const sockets: Socket[] = [];
  let silence: Server | undefined;

  afterEach(async () => {
    await children.kill();
    for (const socket of sockets.splice(0)) socket.destroy();
    silence?.close();
  });

  const launch = async (env: Record<string, string>) => {
    const port = await freePort();
    const child = spawn(process.execPath, ['bin/start.js'], {
      env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', MCP_API_KEY: KEY, PORT: String(port), ...env },
    });
    children.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    const origin = `http://127.0.0.1:${port}`;
    await until(() => child.exitCode !== null || isLive(origin));
    return { child, origin, output: () => output };
  };
  const isLive = (origin: string) =>
    fetch(`${origin}/health/live`).then(
      (res) => res.ok,
      () => false,
    );
  const listTools = (origin: string) => sendStateless(origin, KEY, 'tools/list');
  /** A database that accepts connections, and never responds. */
  const openSilence = async () => {
    silence = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silence, 'listening');
    return `postgres://agent@127.0.0.1:${(silence.address() as AddressInfo).port}/agents`;
  };

  it('are answered as soon as it runs, without a failure on the way', async () => {
    const { origin } = await launch({ DATA_DIR: folder });
    const answers = await Promise.all(Array.from({ length: 10 }, () => listTools(origin)));
    expect(answers.map((res) => res.status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(await answers[0]?.json()).toMatchObject({ result: { tools: expect.any(Array) as unknown } });
    expect((await fetch(`${origin}/health/ready`)).status).toBe(200);
  });

  it('are refused when it cannot start, which one line explains, and until then it lives without being ready', async () => {
    const { child, origin, output } = await launch({ DATABASE_URL: await openSilence(), DATA_DIR: folder });
    const ended = once(child, 'close');
    const waiting = listTools(origin);
    expect((await fetch(`${origin}/health/live`)).status).toBe(200);
    const ready = await fetch(`${origin}/health/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ status: 'error', error: { mcp: { message: 'starting' } } });
    const refused = await waiting;
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
    expect((await ended)[0]).toBe(1);
    expect(output().trim().split('\n')).toEqual([
      expect.stringMatching(/^Agent Service \d/),
      expect.stringMatching(/^Waiting for PostgreSQL at 127\.0\.0\.1:\d+\/agents$/),
      expect.stringMatching(/^Agent Service cannot start: /),
    ]);
  });
});
