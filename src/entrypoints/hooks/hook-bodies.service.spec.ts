import { createServer, type Server } from 'node:http';
import express from 'express';
import { HookBodies } from './hook-bodies.service.js';
import { listenOnLoopback } from '../../../test/support/loopback.js';

const LARGEST = Buffer.from(`"${'x'.repeat(256 * 1024 - 2)}"`);

describe('the bodies of messages', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    const bodies = new HookBodies();
    const app = express().post('/', async (request, response) => {
      try {
        response.json({ bytes: (await bodies.read(request)).length });
      } catch (error) {
        response.status(400).json({ problem: error instanceof Error ? error.message : String(error) });
      }
    });
    server = createServer(app);
    url = await listenOnLoopback(server);
  });
  afterAll(() => server.close());

  const send = async (body: Buffer, headers: Record<string, string> = {}) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body };
    return (await fetch(url, init)).json();
  };

  it('take no room once they are read, or refused', async () => {
    const tooLarge = Buffer.concat([LARGEST, Buffer.from(' ')]);
    // Together, more than one address may send at a time.
    for (let sent = 0; sent < 10; sent += 1) {
      expect(await send(tooLarge)).toEqual({ problem: 'the body is larger than 256 KB' });
      expect(await send(LARGEST)).toEqual({ bytes: LARGEST.length });
    }
  });

  it.each([
    ['of another type', '{}', { 'content-type': 'text/plain' }],
    ['of another charset', '{}', { 'content-type': 'application/json; charset=latin1' }],
    ['of another charset that they do not name', '{"name":"Zo\xeb"}', {}],
    ['that are compressed', '{}', { 'content-encoding': 'gzip' }],
  ])('are refused %s', async (_title, body, headers: Record<string, string>) => {
    expect(await send(Buffer.from(body, 'latin1'), headers)).toEqual({
      problem: expect.stringContaining('must be JSON') as unknown,
    });
  });
});
