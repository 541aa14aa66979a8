import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import express from 'express';
import { AppError } from '../../platform/errors/app-error.js';
import { type Download, Downloads } from './downloads.service.js';

const FILE: Download = { bytes: Buffer.from('content'), type: 'text/plain', tag: 'tag' };

describe('downloads', () => {
  let server: Server;
  let port: number;
  /** Resolvers of the reads that have started. */
  let reads: ((outcome: Promise<Download>) => void)[];
  let asked: number;
  let gone: number;

  beforeEach(async () => {
    const downloads = new Downloads();
    reads = [];
    asked = 0;
    gone = 0;
    const app = express().get('/', async (request, response) => {
      asked += 1;
      response.once('close', () => (gone += 1));
      const read = () => new Promise<Download>((resolve) => reads.push(resolve));
      await downloads.send(request, response, read).catch((error: unknown) => {
        response.status(error instanceof AppError ? 503 : 500).end();
      });
    });
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const until = async (isSo: () => boolean) => {
    while (!isSo()) await nextTurn();
  };
  /** Sends a request, and returns the connection; the response is not read. */
  const ask = async () => {
    const before = asked;
    const connection = connect(port, '127.0.0.1');
    connection.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => asked > before);
    return connection;
  };
  const get = () => fetch(`http://127.0.0.1:${port}/`).then(async (answer) => [answer.status, await answer.text()]);

  it('are read four at a time, in the order in which they were asked for', async () => {
    const answers = [];
    for (let at = 0; at < 6; at += 1) {
      answers.push(get());
      await until(() => asked > at);
    }
    expect(reads).toHaveLength(4);
    reads[0]?.(Promise.resolve(FILE));
    expect(await answers[0]).toEqual([200, 'content']);
    await until(() => reads.length === 5);
    for (let at = 1; at < 6; at += 1) {
      await until(() => reads.length > at);
      reads[at]?.(Promise.resolve(FILE));
      expect(await answers[at]).toEqual([200, 'content']);
    }
  });

  it('leave their turn to others when they fail, or when who asked is gone', async () => {
    const reading = [await ask(), await ask(), await ask(), await ask()];
    for (const connection of [await ask(), await ask()]) connection.destroy();
    await until(() => gone === 2);
    const before = asked;
    const last = get();
    await until(() => asked > before);
    reads[0]?.(Promise.reject(new Error('the database is gone')));
    // Nothing is read for clients that have disconnected.
    await until(() => reads.length === 5);
    reads[4]?.(Promise.resolve(FILE));
    expect(await last).toEqual([200, 'content']);
    for (const connection of reading) connection.destroy();
    await until(() => gone >= 6);
    for (const at of [1, 2, 3]) reads[at]?.(Promise.resolve(FILE));
    const answers = [get(), get(), get(), get()];
    await until(() => reads.length === 9);
    for (const end of reads.slice(5)) end(Promise.resolve(FILE));
    for (const answer of answers) expect(await answer).toEqual([200, 'content']);
  });

  it('disconnect who takes more than a minute, so that others get their turn', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    try {
      for (let count = 0; count < 4; count += 1) await ask();
      const before = asked;
      const next = get();
      await until(() => asked > before);
      jest.advanceTimersByTime(60_000);
      await until(() => gone === 4);
      for (const end of reads) end(Promise.resolve(FILE));
      await until(() => reads.length === 5);
      reads[4]?.(Promise.resolve(FILE));
      expect(await next).toEqual([200, 'content']);
    } finally {
      jest.useRealTimers();
    }
  });
});
