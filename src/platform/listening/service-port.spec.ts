import { once } from 'node:events';
import { jest } from '@jest/globals';
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { freePort } from '../../../test/harness/free-port.js';
import { until } from '../../../test/support/until.js';
import { ServicePort } from './service-port.js';

/**
 * A thread that connects, reports when the kernel has accepted all connections, sends the given data over each, and reports
 * the responses.
 */
const CLIENTS = `
  const { once } = require('node:events');
  const { connect } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const { PORT, connected, count } = workerData;
  const sockets = Array.from({ length: count }, () => connect(Number(PORT), '127.0.0.1'));
  const answers = sockets.map((socket) => once(socket, 'data').then(String, (error) => error.code));
  Promise.all(sockets.map((socket) => once(socket, 'connect'))).then(() => {
    Atomics.store(connected, 0, 1);
    Atomics.notify(connected, 0);
  });
  parentPort.once('message', async (text) => {
    for (const socket of sockets) socket.write(text);
    parentPort.postMessage(await Promise.all(answers));
  });
`;

describe('ServicePort', () => {
  const opened: ServicePort[] = [];
  const open = async (environment: NodeJS.ProcessEnv): Promise<ServicePort> => {
    const port = await ServicePort.open(environment, process.pid);
    opened.push(port);
    return port;
  };
  afterEach(async () => {
    for (const port of opened.splice(0)) await port.close(0);
  });

  it('takes requests before there is an application', async () => {
    const PORT = String(await freePort());
    const port = await open({ PORT });
    const answer = fetch(`http://127.0.0.1:${PORT}/x`);
    port.serve((_req, res) => void res.end('served'));
    expect(await (await answer).text()).toBe('served');
  });

  it('fails when another process has the port', async () => {
    const PORT = String(await freePort());
    await open({ PORT });
    await expect(ServicePort.open({ PORT }, process.pid)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it.each([{ PORT: '0' }, { PORT: 'many' }, { PORT: '70000' }, { HOST: 'a b' }])(
    'opens nothing for %j, which the environment explains',
    async (environment) => {
      expect((await open(environment)).server.listening).toBe(false);
    },
  );

  it('passes a socket that is given to another process by', async () => {
    const PORT = String(await freePort());
    const port = await open({ PORT, LISTEN_PID: String(process.pid + 1), LISTEN_FDS: '1' });
    expect(port.isGiven).toBe(false);
    expect(port.server.address()).toMatchObject({ port: Number(PORT) });
  });

  it('tells waiting clients that it cannot start, and does not wait for silent ones', async () => {
    const PORT = String(await freePort());
    const port = await open({ PORT });
    const silent = connect(Number(PORT), '127.0.0.1');
    await once(silent, 'connect');
    const answer = fetch(`http://127.0.0.1:${PORT}/x`);
    const asked = once(port.server, 'request');
    await asked;
    const refused = port.refuse();
    expect((await answer).status).toBe(503);
    await refused;
    await once(silent.resume(), 'close');
  });

  it('completes running requests, and keeps no connection for a next one, when it closes', async () => {
    const PORT = String(await freePort());
    const port = await open({ PORT });
    const answers: (() => void)[] = [];
    port.serve((_req, res) => void answers.push(() => res.end('late')));
    const agent = new Agent({ keepAlive: true });
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      get({ port: PORT, host: '127.0.0.1', agent }, resolve).on('error', reject);
    });
    await until(() => answers.length === 1);
    const closed = port.close();
    await until(() => !port.server.listening);
    await expect(fetch(`http://127.0.0.1:${PORT}/`)).rejects.toThrow();
    answers[0]?.();
    const res = await answer;
    expect(res.statusCode).toBe(200);
    await once(res.resume(), 'end');
    await closed;
    agent.destroy();
  });

  it('announces on an open connection that the response is the last', async () => {
    const PORT = String(await freePort());
    const port = await open({ PORT });
    const answers: (() => void)[] = [];
    port.serve((_req, res) => void answers.push(() => res.end('answer')));
    const client = new RawClient(PORT);
    client.ask();
    await until(() => answers.length === 1);
    const closed = port.close();
    await until(() => !port.server.listening);
    client.ask();
    await until(() => answers.length === 2);
    answers.forEach((answer) => answer());
    await closed;
    await until(() => client.received.split('answer').length === 3);
    expect(client.received.match(/^connection: .*$/gim)).toEqual(['Connection: keep-alive', 'Connection: close']);
  });

  it('refuses new connections when it hands over, and serves once what comes over open ones', async () => {
    const PORT = String(await freePort());
    const port = await open({ PORT });
    port.serve((_req, res) => void res.end('served'));
    const [busy, idle] = [new RawClient(PORT), new RawClient(PORT)];
    for (const client of [busy, idle]) client.ask();
    await until(() => [busy, idle].every(({ received }) => received.endsWith('served')));
    const handedOver = port.handOver();
    await until(() => !port.server.listening);
    await expect(fetch(`http://127.0.0.1:${PORT}/`)).rejects.toThrow();
    busy.ask();
    await busy.ended;
    expect(busy.received.match(/^connection: .*$/gim)).toEqual(['Connection: keep-alive', 'Connection: close']);
    await handedOver;
    // An idle connection is not waited for.
    await port.close();
    expect(idle.received.split('served')).toHaveLength(2);
  });

  it('serves connections that wait to be accepted when it hands over', async () => {
    const PORT = String(await freePort());
    const port = await open({ PORT });
    port.serve((_req, res) => void res.end('served'));
    const connected = new Int32Array(new SharedArrayBuffer(4));
    const clients = new Worker(CLIENTS, { eval: true, workerData: { PORT, connected, count: 50 } });
    const received = once(clients, 'message');
    Atomics.wait(connected, 0, 0); // this thread accepts no connections while it waits
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0); // every turn is short
    const handedOver = port.handOver();
    await until(() => !port.server.listening);
    clock.mockRestore();
    clients.postMessage('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect((await received)[0]).toEqual(Array<unknown>(50).fill(expect.stringContaining('served')));
    await handedOver;
    await clients.terminate();
  });

  it('refuses new connections soon, also while every turn of the event loop takes long', async () => {
    const PORT = String(await freePort());
    const port = await open({ PORT });
    port.serve((_req, res) => void res.end('served'));
    let [now, turns] = [0, 0];
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    const handedOver = port.handOver();
    while (port.server.listening) {
      now += 5;
      turns += 1;
      await new Promise(setImmediate);
    }
    clock.mockRestore();
    expect(turns).toBeLessThan(250);
    await handedOver;
  });

  it('ends no connection over which a request has come that it has not read yet', async () => {
    const PORT = String(await freePort());
    const port = await open({ PORT });
    port.serve((_req, res) => void res.end('served'));
    const client = new RawClient(PORT);
    client.ask();
    await until(() => client.received.endsWith('served'));
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0); // every turn is short
    const { closed, look } = await closingByHand(port);
    for (let looks = 1; looks < 5; looks += 1) look();
    setTimeout(() => {
      client.ask(); // it is in the kernel's buffer now
      look();
    });
    await client.ended;
    clock.mockRestore();
    expect(client.received.split('served')).toHaveLength(3);
    await closed;
  });

  it('ends no connection right after an answer: a proxy soon sends over it', async () => {
    const PORT = String(await freePort());
    const port = await open({ PORT });
    const answers: ServerResponse[] = [];
    port.serve((_req, res) => {
      answers.push(res);
      res.write('begun ');
    });
    const client = new RawClient(PORT);
    client.ask();
    await until(() => client.received.includes('begun'));
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0); // every turn is short
    const { closed, look } = await closingByHand(port);
    for (let looks = 1; looks <= 10; looks += 1) look();
    await someTurns(); // their effects are complete
    answers[0]?.end('over');
    await until(() => client.received.includes('over'));
    for (let looks = 1; looks < 5; looks += 1) {
      look();
      await someTurns();
    }
    client.ask();
    await until(() => client.received.split('begun').length === 3);
    answers[1]?.end();
    await client.ended;
    clock.mockRestore();
    await closed;
  });

  it('cuts connections that get no answer in time when it closes', async () => {
    const PORT = String(await freePort());
    const port = await open({ PORT });
    const asked = once(port.server, 'request');
    port.serve(() => undefined);
    const answer = fetch(`http://127.0.0.1:${PORT}/`);
    const outcome = expect(answer).rejects.toThrow();
    await asked;
    await port.close(10);
    await outcome;
  });
});

/** Sends requests over one connection without waiting for responses, and collects the received data. */
class RawClient {
  received = '';
  readonly ended: Promise<unknown>;
  private readonly socket: Socket;

  constructor(port: string) {
    this.socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
    this.socket.on('data', (chunk: string) => (this.received += chunk));
    this.ended = once(this.socket, 'close');
  }

  ask(): void {
    this.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  }
}

/** More turns than a check for idle connections needs to close them. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}

/** Closes a port; the test triggers the checks for idle connections. */
async function closingByHand(port: ServicePort): Promise<{ closed: Promise<void>; look: () => void }> {
  const intervals = jest.spyOn(globalThis, 'setInterval').mockReturnValue(setTimeout(() => undefined, 0));
  const closed = port.close(60_000);
  await until(() => intervals.mock.calls.length > 0);
  const [look] = intervals.mock.calls[0] ?? [];
  intervals.mockRestore();
  return { closed, look: () => look?.() };
}
