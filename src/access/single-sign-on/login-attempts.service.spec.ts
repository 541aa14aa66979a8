import { createServer, type Server } from 'node:http';
import express from 'express';
import { Random } from '../../../test/fuzz/random.js';
import { Visitor } from '../../../test/support/visitor.js';
import { AdminCookies } from '../accounts/admin-cookies.service.js';
import { memoryDatabase } from '../../platform/database/testing.js';
import { parseEnvironment } from '../../platform/environment/environment.js';
import { SecretStore } from '../../platform/secrets/secret.store.js';
import { SecretsService } from '../../platform/secrets/secrets.service.js';
import { AccountIdentityStore } from './account-identity.store.js';
import { LoginAttempts } from './login-attempts.service.js';
import { listenOnLoopback } from '../../../test/support/loopback.js';

const SEED = 20_261_127;
const STEPS = 400;
const PLACES = 4;
const ATTEMPT_MS = 10 * 60_000;

describe('logins at providers that browsers have begun', () => {
  let server: Server;
  let origin: string;
  let now = Date.parse('2026-11-27T00:00:00Z');
  beforeAll(async () => {
    const database = await memoryDatabase();
    const secrets = new SecretsService(new SecretStore(database));
    const cookies = await AdminCookies.load(parseEnvironment({}), secrets);
    const attempts = await LoginAttempts.load(cookies, new AccountIdentityStore(database), secrets);
    const attempt = {
      nonce: 'n',
      verifier: 'v',
      redirectUri: 'r',
      provider: 'company',
      issuer: 'i',
      to: '/admin/',
      link: null,
    };
    const app = express()
      .get('/begin/:state', (request, response) => {
        attempts.remember(request, response, { ...attempt, state: request.params.state }, new Date(now));
        response.end();
      })
      .get('/finish/:state', async (request, response) => {
        const found = attempts.find(request, request.params.state, new Date(now));
        response.json(found !== null && (await attempts.use(request, response, found, new Date(now))));
      });
    server = createServer(app);
    origin = await listenOnLoopback(server);
  });
  afterAll(() => server.close());

  it(`are what a plain model says, in ${STEPS} random steps (seed ${SEED})`, async () => {
    const random = new Random(SEED);
    // Copied cookies cannot be used for an attempt that has ended.
    const browsers = [new Visitor(), new Visitor()].map((visitor) => ({
      visitor,
      open: [] as { state: string; until: number }[],
      copies: [''],
    }));
    const used = new Set<string>();
    let count = 0;
    let finished = 0;
    const finish = async (visitor: Visitor, state: string, headers = {}): Promise<unknown> =>
      JSON.parse((await visitor.get(`${origin}/finish/${state}`, headers)).body);
    for (let step = 0; step < STEPS; step += 1) {
      now += 1;
      const browser = random.pick(browsers);
      browser.open = browser.open.filter(({ until }) => until > now);
      const kind = random.pick(['begin', 'begin', 'finish', 'finish', 'finish', 'replay', 'wait']);
      if (kind === 'begin') {
        const state = `s${(count += 1)}`;
        await browser.visitor.get(`${origin}/begin/${state}`);
        browser.open = [...browser.open, { state, until: now + ATTEMPT_MS }].slice(-PLACES);
        browser.copies.push(browser.visitor.cookieFor(origin));
      }
      if (kind === 'finish') {
        const state = `s${Math.max(1, count - random.integer(0, 8))}`;
        const expected = browser.open.some((one) => one.state === state) && !used.has(state);
        expect([step, state, await finish(browser.visitor, state)]).toEqual([step, state, expected]);
        browser.open = browser.open.filter((one) => one.state !== state);
        if (expected) used.add(state);
        finished += expected ? 1 : 0;
      }
      if (kind === 'replay' && used.size > 0) {
        const cookie = random.pick(browser.copies);
        expect(await finish(new Visitor(), random.pick([...used]), { cookie })).toBe(false);
      }
      if (kind === 'wait') now += random.integer(1, 200) * 1_000;
      expect(browser.visitor.cookieFor(origin).split(';').length).toBeLessThanOrEqual(PLACES);
    }
    expect(finished).toBeGreaterThan(STEPS / 20);
  });
});
