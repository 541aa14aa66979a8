import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { ServiceManager } from './harness/service-manager.js';
import { statelessMessage } from './harness/stateless-message.js';
import { describeOnNewPostgres } from './support/postgres.js';
import { until } from './support/until.js';
import { temporaryFolder } from './support/temporary-folder.js';

const KEY = 'given-socket-key-0123';

describe('the service on a socket of the service manager', () => {
  let folder: string;
  let manager: ServiceManager | undefined;

  const openPort = async (more: Record<string, string> = {}) => {
    // PORT and HOST differ from those of the socket: the socket takes precedence.
    const env = { DATA_DIR: folder, MCP_API_KEY: KEY, LOG_LEVEL: 'warn', PORT: '1', HOST: '0.0.0.0', ...more };
    return (manager = await ServiceManager.start(env));
  };

  beforeEach(() => void (folder = temporaryFolder()));
  afterEach(async () => {
    await manager?.stop();
    manager = undefined;
  });

  /** Calls a tool over a new connection. Returns the status of the response. */
  const call = async (port: number, headers: Record<string, string> = {}) => {
    const message = statelessMessage(KEY, 'tools/call', { name: 'system_info', arguments: {} });
    const req = request({
      host: '127.0.0.1',
      port,
      path: '/mcp',
      method: 'POST',
      agent: new Agent({ keepAlive: false }),
      headers: { ...message.headers, 'content-length': Buffer.byteLength(message.body), ...headers },
    });
    req.end(message.body);
    const [res] = (await once(req, 'response')) as [IncomingMessage];
    const answer = await text(res);
    return answer.includes('"result"') ? 'answered' : `${res.statusCode} ${answer}`;
  };

  /** Calls in a loop, several at once, until stopped. Returns the results of the calls. */
  const keepCalling = (port: number, atOnce: number) => {
    const outcomes: string[] = [];
    let stopped = false;
    const loop = async () => {
      while (!stopped) outcomes.push(await call(port).catch((error: unknown) => String(error)));
    };
    const loops = Array.from({ length: atOnce }, loop);
    const stop = async () => {
      stopped = true;
      await Promise.all(loops);
      return outcomes;
    };
    return { outcomes, stop };
  };

  it('loses no request while it is restarted', async () => {
    const service = await openPort();
    const calls = keepCalling(service.port, 4);
    for (let restart = 0; restart < 3; restart += 1) {
      const pid = await service.launch();
      const before = calls.outcomes.length;
      await until(() => calls.outcomes.length > before + 20);
      await service.end(pid, 'SIGTERM');
    }
    await service.launch();
    const outcomes = await calls.stop();
    expect(outcomes.filter((outcome) => outcome !== 'answered')).toEqual([]);
  });

  it('has requests that come after a crash wait for the next process', async () => {
    const service = await openPort();
    const first = await service.launch();
    expect(await call(service.port)).toBe('answered');
    await service.end(first, 'SIGKILL');
    const waiting = [call(service.port), call(service.port), call(service.port)];
    await service.launch();
    expect(await Promise.all(waiting)).toEqual(['answered', 'answered', 'answered']);
  });

  it('knows its address from the socket', async () => {
    const service = await openPort();
    await service.launch('bin/start.js');
    expect(await call(service.port)).toBe('answered');
    expect(await call(service.port, { host: 'evil.example.com' })).toMatch(/^403 /);
    await until(() => service.lastOutput.includes(`http://127.0.0.1:${service.port}/mcp`));
  });

  describeOnNewPostgres('with PostgreSQL', (database) => {
    it('hands over to a process that is ready, without losing a request', async () => {
      const service = await openPort({ DATABASE_URL: database.url });
      const calls = keepCalling(service.port, 4);
      const answered = async (count: number) => {
        const before = calls.outcomes.length;
        await until(() => calls.outcomes.length > before + count);
      };
      let serving = await service.launch();
      for (let handOver = 0; handOver < 3; handOver += 1) {
        await answered(50);
        const successor = await service.launch();
        await answered(200);
        await service.end(serving, 'SIGTERM');
        serving = successor;
      }
      const outcomes = await calls.stop();
      await service.stop();
      expect(outcomes.filter((outcome) => outcome !== 'answered')).toEqual([]);
    });
  });

  it('says what to do when the descriptor is not a socket', async () => {
    const child = spawn('sh', ['-c', 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" bin/start.js', process.execPath], {
      env: { PATH: process.env['PATH'], DATA_DIR: folder },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stderr?.on('data', (chunk) => (said += String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(1);
    expect(said.trim()).toMatch(/^Agent Service cannot start: the service manager passed a socket .*ListenStream=/);
  });
});
