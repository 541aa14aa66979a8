import { type Begun, beginSignIn, registerItself } from './begin';
import { finishSignIn } from './finish';
import { type Bench, StepFailed } from './oauth-steps';
import type { StepResult } from '../test/connection-test';
import type { Answer, Send } from '../test/exchange';

const ORIGIN = 'https://agents.example.com';
const RESOURCE = `${ORIGIN}/mcp/oauth`;
const ISSUER = `${ORIGIN}/oauth`;
const ANSWERS: Readonly<Record<string, object>> = {
  '/.well-known/oauth-protected-resource/mcp/oauth': { resource: RESOURCE, authorization_servers: [ISSUER] },
  '/.well-known/oauth-authorization-server/oauth': {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/authorize`,
    token_endpoint: `${ISSUER}/token`,
    registration_endpoint: `${ISSUER}/register`,
    revocation_endpoint: `${ISSUER}/revoke`,
    code_challenge_methods_supported: ['S256'],
  },
  '/oauth/register': { client_id: 'the-test' },
  '/oauth/token': { access_token: 'access', refresh_token: 'refresh', expires_in: 3600 },
  '/oauth/revoke': {},
};

/** A fake service that responds like the real one, except where the test overrides it. */
function bench(except: Readonly<Record<string, object | string | number>> = {}) {
  const steps: StepResult[] = [];
  const asked: { path: string; form: Record<string, string> }[] = [];
  const fetch: Bench['fetch'] = async (input, init) => {
    const path = new URL(input instanceof Request ? input.url : input).pathname;
    const { body } = init ?? {};
    asked.push({ path, form: body instanceof URLSearchParams ? Object.fromEntries(body) : {} });
    const answer = except[path] ?? ANSWERS[path] ?? 404;
    if (typeof answer === 'number') return new Response('<h1>No</h1>', { status: answer });
    return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer));
  };
  return {
    steps,
    asked,
    bench: { fetch, now: () => 0, report: (step: StepResult) => steps.push(step) } satisfies Bench,
  };
}

const begin = (one: Bench) => beginSignIn(one, RESOURCE, registerItself(one));

describe('beginSignIn', () => {
  it('leads to the question, with a challenge whose verifier stays here', async () => {
    const { bench: one, steps } = bench();
    const { begun, link } = await begin(one);
    const { origin, pathname, searchParams: asked } = new URL(link);
    expect(origin + pathname).toBe(`${ISSUER}/authorize`);
    expect(Object.fromEntries(asked)).toMatchObject({
      client_id: 'the-test',
      code_challenge_method: 'S256',
      redirect_uri: `${ORIGIN}/admin/connect/sign-in-test`,
      resource: RESOURCE,
      state: begun.state,
    });
    expect(asked.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    expect(link).not.toContain(begun.verifier);
    expect(steps.map(({ failure }) => failure)).toEqual([null, null, null]);
  });

  it.each<[string, Record<string, object | string | number>, RegExp, RegExp]>([
    [
      'a proxy answers at a well-known path',
      { '/.well-known/oauth-protected-resource/mcp/oauth': 404 },
      /HTTP 404/,
      /proxy/,
    ],
    [
      'a page comes back',
      { '/.well-known/oauth-protected-resource/mcp/oauth': '<html>' },
      /does not answer with JSON/,
      /proxy/,
    ],
    [
      'the metadata is that of another address',
      { '/.well-known/oauth-protected-resource/mcp/oauth': { resource: 'https://other.example/mcp/oauth' } },
      /other\.example/,
      /PUBLIC_URL/,
    ],
    [
      'the server has another issuer',
      { '/.well-known/oauth-authorization-server/oauth': { issuer: ORIGIN } },
      /not of/,
      /PUBLIC_URL/,
    ],
    ['programs may not register', { '/oauth/register': 429 }, /HTTP 429/, /wait/],
  ])('says what is wrong when %s, and stops there', async (_what, except, problem, fix) => {
    const { bench: one, steps } = bench(except);
    await expect(begin(one)).rejects.toThrow(StepFailed);
    expect(steps.at(-1)?.failure).toEqual({
      problem: expect.stringMatching(problem) as string,
      fix: expect.stringMatching(fix) as string,
    });
  });
});

describe('finishSignIn', () => {
  const begun: Begun = {
    clientId: 'the-test',
    redirectUri: `${ORIGIN}/admin/connect/sign-in-test`,
    verifier: 'verifier',
    state: 'state',
    issuer: ISSUER,
    resource: RESOURCE,
    tokenEndpoint: `${ISSUER}/token`,
    revocationEndpoint: `${ISSUER}/revoke`,
  };
  const back = (query: object = {}) => new URLSearchParams({ code: 'code', state: 'state', iss: ISSUER, ...query });
  const answer = (status: number): Answer => ({
    status,
    sessionId: null,
    message: status === 200 ? { result: {} } : null,
  });
  const endpoint =
    (afterRevocation = 401) =>
    (): Send =>
    async ({ body }) =>
      answer(body?.['method'] === 'ping' ? afterRevocation : 200);
  const failures = (steps: readonly StepResult[]) => steps.flatMap(({ failure }) => (failure ? [failure.problem] : []));

  it('gets tokens with the verifier, refreshes them, and gives them back', async () => {
    const { bench: one, steps, asked } = bench();
    await finishSignIn(one, begun, back(), endpoint());
    expect(failures(steps)).toEqual([]);
    expect(asked).toMatchObject([
      { path: '/oauth/token', form: { grant_type: 'authorization_code', code: 'code', code_verifier: 'verifier' } },
      { path: '/oauth/token', form: { grant_type: 'refresh_token', refresh_token: 'refresh' } },
      { path: '/oauth/revoke', form: { token: 'refresh' } },
    ]);
  });

  it.each([
    [{ state: 'another' }, /another sign-in/],
    [{ iss: 'https://evil.example' }, /evil\.example answers/],
    [{ error: 'access_denied' }, /did not allow/],
    [{ error: 'server_error', error_description: 'no' }, /server_error: no/],
  ])('does not exchange a code when %j comes back', async (query, problem) => {
    const { bench: one, steps, asked } = bench();
    await expect(finishSignIn(one, begun, back(query), endpoint())).rejects.toThrow(problem);
    expect([failures(steps).length, asked]).toEqual([1, []]);
  });

  it('notices a token that still works once it was given back', async () => {
    const { bench: one, steps } = bench();
    await expect(finishSignIn(one, begun, back(), endpoint(200))).rejects.toThrow(StepFailed);
    expect(failures(steps)).toEqual(['HTTP 200 instead of 401']);
  });
});
