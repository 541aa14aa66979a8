import { createServer, type Server } from 'node:http';
import express from 'express';
import { memoryDatabase } from '../../platform/database/testing.js';
import { parseEnvironment } from '../../platform/environment/environment.js';
import { SecretStore } from '../../platform/secrets/secret.store.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import { AdminCookies } from './admin-cookies.service.js';
import { listenOnLoopback } from '../../../test/support/loopback.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const YEAR_MS = 365 * 24 * 60 * 60_000;

describe('the cookie of a browser that has logged in', () => {
  let server: Server;
  let url: string;
  let cookies: AdminCookies;
  beforeAll(async () => {
    const secrets = new SecretsService(new SecretStore(await memoryDatabase()));
    cookies = await AdminCookies.load(parseEnvironment({}), secrets);
    const app = express()
      .post('/:user', (request, response) => {
        cookies.rememberDevice(request, response, request.params.user, NOW);
        response.end();
      })
      .get('/:user/:at', (request, response) => {
        response.json(cookies.deviceOf(request, request.params.user, new Date(Number(request.params.at))));
      });
    server = createServer(app);
    url = await listenOnLoopback(server);
  });
  afterAll(() => server.close());

  const remembered = async () => {
    const response = await fetch(`${url}/ada`, { method: 'POST' });
    return (response.headers.get('set-cookie') ?? '').split(';', 1).join();
  };
  const deviceOf = async (cookie: string, user = 'ada', afterMs = 0): Promise<unknown> =>
    (await fetch(`${url}/${user}/${NOW.getTime() + afterMs}`, { headers: { cookie } })).json();

  it('names it for a year', async () => {
    const cookie = await remembered();
    expect(await deviceOf(cookie, 'ada', YEAR_MS - 1)).toEqual(expect.stringMatching(/^[\w-]{22}$/));
    expect(await deviceOf(cookie, 'ada', YEAR_MS)).toBeNull();
  });

  it('names it for nobody else, and not when it was changed', async () => {
    const cookie = await remembered();
    expect(await deviceOf(cookie, 'eve')).toBeNull();
    const until = String(NOW.getTime() + YEAR_MS);
    expect(cookie).toContain(until);
    expect(await deviceOf(cookie.replace(until, String(NOW.getTime() + 2 * YEAR_MS)))).toBeNull();
    expect(await deviceOf(cookie.replace(/=./, (first) => (first === '=A' ? '=B' : '=A')))).toBeNull();
    expect(await deviceOf('')).toBeNull();
  });
});
