import { createHmac } from 'node:crypto';
import { jest } from '@jest/globals';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { sql } from 'kysely';
import { Administrators } from '../src/access/accounts/administrators.service.js';
import { Database } from '../src/platform/database/database.js';
import { TcpProxy } from './faults/tcp-proxy.js';
import { freePort } from './harness/free-port.js';
import { CLIENT_ID, CLIENT_SECRET, CompanyProvider } from './support/company-provider.js';
import { describeOnEachDatabase } from './support/databases.js';
import { OAuthProgram } from './support/oauth-program.js';
import { describeEachOnNewPostgres, describeOnNewPostgres } from './support/postgres.js';
import { KEY, TestService } from './support/service.js';
import { ProgramMemory } from './support/sign-in-browser.js';
import { TokenIssuer } from './support/token-issuer.js';
import { until } from './support/until.js';
import { Visitor } from './support/visitor.js';

const PROVIDER = { name: 'company', title: 'Company', clientId: CLIENT_ID, secret: CLIENT_SECRET };
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

async function startWith(
  issuer: string,
  env: Record<string, string> = {},
  provider: object = {},
): Promise<TestService> {
  const service = await TestService.start({
    signsIn: true,
    env: { HTTP_ALLOWED_HOSTS: '["127.0.0.1"]', ...env },
  });
  const { status } = await service.admin('POST', 'login-providers', { ...PROVIDER, issuer, ...provider });
  if (status !== 201) throw new Error(`the provider could not be entered: ${status}`);
  await set(service, 'oauth.issuer', issuer);
  return service;
}

async function change(service: TestService, path: string, body: object): Promise<void> {
  const answer = await service.admin('PUT', path, body);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

const set = (service: TestService, setting: string, value: unknown): Promise<void> =>
  change(service, `config/${setting}`, { value });

describeOnEachDatabase('tokens of another issuer', (data) => {
  let service: TestService;
  let issuer: TokenIssuer;
  let people = 0;
  beforeAll(async () => {
    issuer = await TokenIssuer.start();
    const groups = { groupsClaim: 'groups', rules: [{ group: 'IT', role: 'admin', groups: ['ops'] }] };
    service = await startWith(issuer.origin, data.env, groups);
  });
  afterAll(async () => {
    await service.stop();
    await issuer.stop();
  });

  const endpoint = () => `${service.origin}/mcp/oauth`;
  /** The claims of a token for a new person, with changes. */
  const claims = (changed: object = {}) => {
    people += 1;
    return { aud: endpoint(), sub: `sub-${people}`, preferred_username: `person${people}`, ...changed };
  };
  const callWith = (token: string) => new OAuthProgram(service.origin).call(token);
  const statusOf = async (token: string) => (await callWith(token)).status;
  const account = (name: string) => service.app.get(Administrators, { strict: false }).get(name);

  it('names where people sign in, and is not an authorization server itself', async () => {
    const metadata = await fetch(`${service.origin}/.well-known/oauth-protected-resource/mcp/oauth`);
    expect(await metadata.json()).toMatchObject({ resource: endpoint(), authorization_servers: [issuer.origin] });
    for (const path of ['/oauth/authorize', '/oauth/token', '/.well-known/oauth-authorization-server/oauth'])
      expect((await fetch(service.origin + path)).status).toBe(404);
    const refused = await fetch(endpoint(), { method: 'POST' });
    expect(refused.headers.get('www-authenticate')).toContain('resource_metadata="');
    expect(refused.headers.get('www-authenticate')).not.toContain('scope=');
    expect((await new OAuthProgram(service.origin).call(KEY)).status).toBe(200);
    expect((await new OAuthProgram(service.origin).call(KEY, '/mcp')).status).toBe(200);
  });

  it('makes an account at first sight, and knows the person again', async () => {
    const mine = claims({ preferred_username: 'grace', groups: ['IT', 'Canteen'], iat: 1000 });
    expect(await statusOf(await issuer.sign(mine))).toBe(200);
    expect(await account('grace')).toMatchObject({ role: 'admin', groups: ['ops'], hasPassword: false });
    expect(await statusOf(await issuer.sign({ ...mine, preferred_username: 'other', iat: 1001 }))).toBe(200);
    await expect(account('other')).rejects.toThrow();
  });

  it('follows the groups of the newest token, and leaves the role to logins', async () => {
    const mine = claims({ preferred_username: 'linus', groups: [], iat: 2000 });
    const first = await issuer.sign(mine);
    expect(await statusOf(first)).toBe(200);
    expect(await account('linus')).toMatchObject({ role: 'member', groups: [] });
    const later = await issuer.sign({ ...mine, groups: ['IT'], iat: 2001 });
    expect(await statusOf(later)).toBe(200);
    expect(await account('linus')).toMatchObject({ role: 'member', groups: ['ops'] });
    // A token that was issued earlier does not describe the current groups, nor does one without the claim.
    for (const old of [
      { iat: 1999, groups: [] },
      { iat: 3000, groups: undefined },
    ])
      expect(await statusOf(await issuer.sign({ ...mine, ...old }))).toBe(200);
    expect(await account('linus')).toMatchObject({ groups: ['ops'] });
  });

  it('lets policies see the person, the groups and the program', async () => {
    const mine = claims({ preferred_username: 'probe' });
    expect(await statusOf(await issuer.sign(mine))).toBe(200);
    await change(service, 'administrators/probe', { groups: ['probed'] });
    const policy =
      'forbid (principal, action, resource) when { principal in Group::"probed" } unless { context has program && context.program == "claude" };';
    expect(await service.admin('POST', 'policies', { name: 'only-claude', policy })).toMatchObject({ status: 201 });
    const answers = async (azp: string) => JSON.stringify((await callWith(await issuer.sign({ ...mine, azp }))).body);
    expect(await answers('another')).toMatch(/not allowed|denied|polic/i);
    expect(await answers('claude')).toContain('"version"');
    await service.admin('DELETE', 'policies/only-claude');
  });

  it('ends with the account', async () => {
    const token = await issuer.sign(claims({ preferred_username: 'mallory' }));
    expect(await statusOf(token)).toBe(200);
    await change(service, 'administrators/mallory', { disabled: true });
    const { status, headers } = await callWith(token);
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('mallory is disabled')]);
    await change(service, 'administrators/mallory', { disabled: false });
    expect(await statusOf(token)).toBe(200);
  });

  it('ends when the person is linked to the account no more', async () => {
    const token = await issuer.sign(claims({ preferred_username: 'trudy' }));
    expect(await statusOf(token)).toBe(200);
    await change(service, 'login-providers/company', { makesAccounts: false });
    expect(await statusOf(token)).toBe(200);
    const identities = 'administrators/trudy/identities';
    const [{ id } = { id: '' }] = (await service.admin('GET', identities)).body['items'] as { id: string }[];
    expect((await service.admin('DELETE', `${identities}/${id}`)).status).toBe(204);
    expect(await statusOf(token)).toBe(401);
    await change(service, 'login-providers/company', { makesAccounts: true });
  });

  it('makes no account when the provider says so', async () => {
    await change(service, 'login-providers/company', { makesAccounts: false });
    const token = await issuer.sign(claims());
    expect((await callWith(token)).headers.get('www-authenticate')).toContain('has no account, and none is made');
    const { status, headers, body } = await callWith(await issuer.sign(claims({ sub: '\u738b\u5c0f\u660e "x"' })));
    expect([status, headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/="[ -~]+has no account/)]);
    expect(JSON.stringify(body)).toContain('\u738b\u5c0f\u660e');
    await change(service, 'login-providers/company', { makesAccounts: true });
    expect(await statusOf(token)).toBe(200);
  });

  it('knows people by another claim where the provider says so', async () => {
    await change(service, 'login-providers/company', { personClaim: 'oid' });
    const mine = claims({ oid: 'object-1', preferred_username: 'hedy' });
    expect(await statusOf(await issuer.sign(mine))).toBe(200);
    expect(await statusOf(await issuer.sign({ ...mine, sub: 'another', preferred_username: 'hedy2' }))).toBe(200);
    await expect(account('hedy2')).rejects.toThrow();
    expect((await callWith(await issuer.sign(claims()))).headers.get('www-authenticate')).toContain('the claim oid');
    await change(service, 'login-providers/company', { personClaim: 'email' });
    const byMail = claims({ email: 'hedy@example.com' });
    expect(await statusOf(await issuer.sign(byMail))).toBe(401);
    expect(await statusOf(await issuer.sign({ ...byMail, email_verified: true }))).toBe(200);
    await change(service, 'login-providers/company', { personClaim: 'sub' });
  });

  describe('invalid tokens', () => {
    const now = () => Math.floor(Date.now() / 1000);
    const wrong: Record<string, [object, object?]> = {
      'another audience': [{ aud: 'https://elsewhere.example/mcp' }],
      'no audience': [{ aud: undefined }],
      'another issuer': [{ iss: 'https://elsewhere.example' }],
      'no end': [{ exp: undefined }],
      'an end in the past': [{ exp: 1000 }],
      'a beginning in the future': [{ nbf: 32_000_000_000 }],
      'issued in the future': [{ iat: 32_000_000_000 }],
      'no subject': [{ sub: undefined }],
      'a subject that is a number': [{ sub: 7 }],
      'a subject that is too long': [{ sub: 'x'.repeat(256) }],
      'a subject with a lone surrogate': [{ sub: 'ada\ud800' }],
      'a subject with NUL': [{ sub: 'ada\0' }],
      'a program itself': [{ sub: 'robot', client_id: 'robot' }],
      'a program of Microsoft Entra': [{ idtyp: 'app' }],
      'an ID token': [{ nonce: 'a', at_hash: 'b' }, { typ: 'JWT' }],
      'an ID token of Keycloak': [{ typ: 'ID' }, { typ: 'JWT' }],
      'a refresh token of Keycloak': [{ typ: 'Refresh' }, { typ: 'JWT' }],
      'a logout token': [{}, { typ: 'logout+jwt' }],
      'bound to a key': [{ cnf: { jkt: 'thumbprint' } }],
      'an unknown key': [{}, { kid: 'of nobody' }],
    };
    it.each(Object.entries(wrong))('%s', async (_name, [changed, header = {}]) => {
      const { status, headers, body } = await callWith(await issuer.sign(claims(changed), header));
      expect([status, headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringContaining('error="invalid_token"'),
      ]);
      expect(JSON.stringify(body)).toMatch(/The token is not valid here: .+\. Refresh it, or sign in again/);
    });

    it('one for /mcp, where keys are accepted', async () => {
      const { status, body } = await callWith(await issuer.sign(claims({ aud: `${service.origin}/mcp` })));
      expect([status, JSON.stringify(body)]).toEqual([401, expect.stringContaining('unexpected \\"aud\\"')]);
    });

    it('one that is a minute late is still taken', async () => {
      expect(await statusOf(await issuer.sign(claims({ exp: now() - 40, nbf: now() + 40 })))).toBe(200);
    });

    it('algorithms that anybody can sign with', async () => {
      const payload = base64url({ iss: issuer.origin, exp: now() + 600, ...claims() });
      const kid = issuer.published[0]?.kid;
      const unsigned = `${base64url({ alg: 'none', kid, typ: 'at+jwt' })}.${payload}.`;
      const input = `${base64url({ alg: 'HS256', kid, typ: 'at+jwt' })}.${payload}`;
      // Signed with the public key as an HMAC secret.
      const confused = `${input}.${createHmac('sha256', JSON.stringify(issuer.published[0])).update(input).digest('base64url')}`;
      const extended = `${base64url({ alg: 'ES256', kid, crit: ['b64', 'x'], b64: false, x: 1 })}.${payload}.AAAA`;
      for (const token of [unsigned, confused, extended]) expect(await statusOf(token)).toBe(401);
    });

    it('keys that the token brings along', async () => {
      const other = await TokenIssuer.start();
      const jwk = other.published[0] ?? {};
      for (const header of [
        { jwk },
        { jku: `${other.origin}/jwks` },
        { x5u: `${other.origin}/jwks` },
        { kid: '../../jwks' },
      ])
        expect(await statusOf(await other.sign(claims({ iss: issuer.origin }), header))).toBe(401);
      const { kid = '' } = issuer.published[0] ?? {};
      expect(await statusOf(await other.sign(claims({ iss: issuer.origin }), { kid }))).toBe(401);
      expect(other.paths).toEqual([]);
      await other.stop();
    });

    it('changed after it was signed, cut, or none at all', async () => {
      const token = await issuer.sign(claims());
      const [head = '', payload = '', signature = ''] = token.split('.');
      const raised = base64url({
        ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object),
        sub: 'root',
      });
      const broken = [
        `${head}.${raised}.${signature}`,
        `${head}.${payload}.`,
        `${head}.${payload}`,
        'eyJ.eyJ.x',
        'x'.repeat(13_000),
      ];
      for (const one of broken) expect(await statusOf(one)).toBe(401);
    });

    it('a key, about which the issuer is not asked', async () => {
      const before = issuer.askedAbout.length;
      expect(await statusOf(`ask_${'a'.repeat(49)}`)).toBe(401);
      expect(issuer.askedAbout).toHaveLength(before);
    });
  });

  describe('the keys of the issuer', () => {
    it('rotate without a restart', async () => {
      expect(await statusOf(await issuer.sign(claims()))).toBe(200);
      const old = await issuer.sign(claims());
      await issuer.rotate();
      await forgetKeys();
      expect(await statusOf(await issuer.sign(claims()))).toBe(200);
      expect(await statusOf(old)).toBe(401);
    });

    it('are found for tokens that do not name theirs', async () => {
      const [mine] = issuer.published;
      const other = await TokenIssuer.start();
      issuer.published = [...other.published, ...(mine ? [mine] : [])];
      await forgetKeys();
      expect(await statusOf(await issuer.sign(claims(), { kid: undefined as never }))).toBe(200);
      expect(
        await statusOf(await other.sign(claims({ iss: issuer.origin, sub: 'x' }), { kid: undefined as never })),
      ).toBe(200);
      issuer.published = mine ? [mine] : [];
      await other.stop();
      await forgetKeys();
    });

    it('go on while the issuer is down, and without them nobody is refused for good', async () => {
      expect(await statusOf(await issuer.sign(claims()))).toBe(200);
      issuer.mood = 'cuts';
      expect(await statusOf(await issuer.sign(claims()))).toBe(200);
      await forgetKeys();
      for (const mood of ['cuts', 'fails'] as const) {
        issuer.mood = mood;
        const { status, headers } = await callWith(await issuer.sign(claims()));
        expect([status, headers.get('retry-after')]).toEqual([503, '5']);
      }
      const asked = issuer.paths.length;
      await Promise.all(Array.from({ length: 20 }, async () => statusOf(await issuer.sign(claims()))));
      // Failures are cached: not every request waits for an issuer that is down.
      expect(issuer.paths.length - asked).toBeLessThan(20);
      issuer.mood = 'well';
      await until(async () => (await statusOf(await issuer.sign(claims()))) === 200);
    });

    it('are read where the issuer says, and nowhere that it redirects to, as the test of the provider reports', async () => {
      issuer.mood = 'moves';
      await forgetKeys();
      expect(await statusOf(await issuer.sign(claims()))).toBe(503);
      const { body } = await service.admin('POST', 'login-providers/company/test', {});
      expect(body['problems']).toEqual([expect.stringContaining('/jwks answers with status 302')]);
      issuer.mood = 'well';
      await forgetKeys();
    });

    it.each<[string, () => object[]]>([
      ['none', () => []],
      ['more than anybody has', () => Array.from({ length: 101 }, () => issuer.published[0] ?? {})],
      ['of a kind that nobody knows', () => [{ ...issuer.published[0], kty: 'XX' }]],
      ['broken', () => [{ ...issuer.published[0], x: 'AA' }]],
    ])('that are %s cause no server error', async (_name, keys) => {
      const real = issuer.published;
      issuer.published = keys();
      await forgetKeys();
      expect([401, 503]).toContain(await statusOf(await issuer.sign(claims())));
      issuer.published = real;
      await forgetKeys();
      await until(async () => (await statusOf(await issuer.sign(claims()))) === 200);
    });

    /** Simulates an administrator who knows that the keys have changed. */
    const forgetKeys = () => change(service, 'login-providers/company', { title: `Company ${(people += 1)}` });
  });

  describe('tokens that say nothing themselves', () => {
    const opaque = (said: object) => {
      const token = `opaque-${(people += 1)}`;
      issuer.opaque.set(token, { active: true, exp: Math.floor(Date.now() / 1000) + 600, ...said });
      return token;
    };

    it('are asked about once for many requests', async () => {
      const token = opaque(claims({ preferred_username: 'opal', client_id: 'claude' }));
      const answers = await Promise.all(Array.from({ length: 10 }, () => statusOf(token)));
      expect(new Set(answers)).toEqual(new Set([200]));
      expect(issuer.askedAbout.filter((one) => one === token)).toHaveLength(1);
      expect(await account('opal')).toMatchObject({ role: 'member' });
    });

    it.each<[string, object]>([
      ['not active', { active: false }],
      ['active by a text', { active: 'true' }],
      ['of another issuer', { iss: 'https://elsewhere.example' }],
      ['for somebody else', { aud: ['https://elsewhere.example'] }],
      ['without an audience', { aud: undefined }],
      ['without an end', { exp: undefined }],
      ['over', { exp: 1000 }],
      ['from the future', { iat: 32_000_000_000 }],
      ['of a program', { sub: 'robot', client_id: 'robot' }],
    ])('are refused when they are %s', async (_name, said) => {
      expect(await statusOf(opaque(claims(said)))).toBe(401);
    });

    it('end half a minute after the issuer has ended them', async () => {
      const token = opaque(claims());
      for (let times = 0; times < 3; times += 1) expect(await statusOf(token)).toBe(200);
      issuer.opaque.delete(token);
      expect(await statusOf(token)).toBe(200);
      const real = performance.now.bind(performance);
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => real() + 31_000);
      try {
        expect(await statusOf(token)).toBe(401);
      } finally {
        clock.mockRestore();
      }
    });

    it('are refused without a server error while the issuer is down', async () => {
      const token = opaque(claims());
      issuer.mood = 'cuts';
      expect(await statusOf(token)).toBe(503);
      issuer.mood = 'well';
      await until(async () => (await statusOf(token)) === 200);
    });

    it('are refused when too many wait for an issuer that stalls, while tokens that are known and keys go on', async () => {
      const known = opaque(claims());
      // The first call creates an account, which invalidates the cache.
      for (let times = 0; times < 3; times += 1) expect(await statusOf(known)).toBe(200);
      issuer.mood = 'stalls';
      const asked = issuer.paths.length;
      const waiting = Array.from({ length: 40 }, () => statusOf(opaque(claims())));
      const early = await Promise.race(waiting);
      expect(early).toBe(503);
      expect(await statusOf(known)).toBe(200);
      expect(await statusOf(KEY)).toBe(200);
      expect(issuer.paths.length - asked).toBeLessThanOrEqual(32);
      issuer.mood = 'well';
      expect([200, 503]).toEqual(expect.arrayContaining([...new Set(await Promise.all(waiting))]));
      await until(async () => (await statusOf(opaque(claims()))) === 200);
    });
  });

  it('asks for scopes, and says which ones a token lacks', async () => {
    await set(service, 'oauth.scopes', ['api://agents/mcp', 'profile']);
    const metadata = await fetch(`${service.origin}/.well-known/oauth-protected-resource/mcp/oauth`);
    expect(await metadata.json()).toMatchObject({ scopes_supported: ['api://agents/mcp', 'profile'] });
    const { status, headers, body } = await callWith(await issuer.sign(claims({ scope: 'profile' })));
    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toMatch(
      /error="insufficient_scope".*resource_metadata=".*scope="api:\/\/agents\/mcp profile"/,
    );
    expect(JSON.stringify(body)).toContain('the token lacks the scope api://agents/mcp');
    expect(await statusOf(await issuer.sign(claims({ scp: 'mcp profile' })))).toBe(200);
    expect(await statusOf(await issuer.sign(claims({ scope: ['api://agents/mcp', 'profile'] })))).toBe(200);
    await set(service, 'oauth.scopes', []);
  });

  it('takes another audience where it is set, and that one only', async () => {
    await set(service, 'oauth.audience', 'api://agents');
    expect(await statusOf(await issuer.sign(claims({ aud: ['api://agents', 'other'] })))).toBe(200);
    expect(await statusOf(await issuer.sign(claims()))).toBe(401);
    await set(service, 'oauth.audience', '');
  });

  it('accepts no tokens of an issuer that is not a provider, or is disabled', async () => {
    const token = await issuer.sign(claims());
    expect(await statusOf(token)).toBe(200);
    await change(service, 'login-providers/company', { enabled: false });
    expect(await statusOf(token)).toBe(503);
    await change(service, 'login-providers/company', { enabled: true });
    expect(await statusOf(token)).toBe(200);
  });

  it('survives a restart', async () => {
    const mine = claims({ preferred_username: 'ken' });
    const token = await issuer.sign(mine);
    expect(await statusOf(token)).toBe(200);
    service = await service.restart();
    expect(await statusOf(token)).toBe(200);
    expect(await statusOf(await issuer.sign({ ...mine, preferred_username: 'ken2' }))).toBe(200);
    await expect(account('ken2')).rejects.toThrow();
  });
});

/** Cached tokens still work while the database fails; nobody is asked to sign in again, and nothing is lost. */
async function throughFault(service: TestService, issuer: TokenIssuer, fault: { begin(): unknown; end(): unknown }) {
  const call = (token: string) => new OAuthProgram(service.origin).call(token);
  const claims = (sub: string) => ({ aud: `${service.origin}/mcp/oauth`, sub, preferred_username: sub });
  const known = await issuer.sign(claims('known'));
  // The first call creates an account, which invalidates the cache.
  for (let times = 0; times < 3; times += 1) expect((await call(known)).status).toBe(200);
  await fault.begin();
  const newcomer = await issuer.sign(claims('newcomer'));
  const { status, headers } = await call(newcomer);
  expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true]);
  expect((await call(known)).status).toBe(200);
  await fault.end();
  await until(async () => (await call(newcomer)).status === 200);
}

describe('tokens of another issuer while the disk is full', () => {
  it('are checked again later, where nothing can be stored', async () => {
    const issuer = await TokenIssuer.start();
    const service = await startWith(issuer.origin);
    const database = service.app.get(Database, { strict: false });
    const limitTo = (pages: number) => sql.raw(`pragma max_page_count = ${pages}`).execute(database);
    await throughFault(service, issuer, {
      begin: async () => {
        const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database);
        await limitTo(rows[0]?.page_count ?? 0);
        // Fills the free pages of the file, then those of the accounts table.
        const isStored = (statement: { execute(): Promise<unknown> }) =>
          statement.execute().then(
            () => true,
            () => false,
          );
        const artifact = (id: string) =>
          database.insertInto('oauth_artifacts').values({
            ...{ kind: 'x', id_hash: id, payload: 'x'.repeat(4_000), grant_id: null },
            ...{ consumed_at: null, created_at: '', expires_at: '9' },
          });
        const account = (name: string, size: number) =>
          database.insertInto('administrators').values({
            ...{ name, role: 'member', groups: '[]', disabled: 1, password_hash: 'x'.repeat(size), stamp: 's' },
            ...{ created_at: '', password_changed_at: '', last_login_at: null },
          });
        for (let count = 0; await isStored(artifact(`filler-${count}`));) count += 1;
        for (const size of [900, 90, 0])
          for (let count = 0; await isStored(account(`filler-${size}-${count}`, size));) count += 1;
      },
      end: async () => {
        await limitTo(1_000_000);
        await database.deleteFrom('oauth_artifacts').where('kind', '=', 'x').execute();
        await database.deleteFrom('administrators').where('name', 'like', 'filler-%').execute();
      },
    });
    await service.stop();
    await issuer.stop();
  });
});

describeEachOnNewPostgres('tokens of another issuer while the database is gone', (database) => {
  it.each(['refuse', 'stall'] as const)('are checked again later, where they are not known (%s)', async (fault) => {
    const issuer = await TokenIssuer.start();
    const proxy = await TcpProxy.before(new URL(database.url));
    const service = await startWith(issuer.origin, { DATABASE_URL: proxy.through(new URL(database.url)).href });
    await throughFault(service, issuer, { begin: () => proxy[fault](), end: () => proxy.heal() });
    await service.stop();
    await proxy.close();
    await issuer.stop();
  });
});

describe.each(['jwt', 'opaque'])(
  'a program at the authorization server of a company that gives %s tokens',
  (format) => {
    let service: TestService;
    let company: CompanyProvider;
    beforeAll(async () => {
      const port = await freePort();
      const origin = `http://127.0.0.1:${port}`;
      company = await CompanyProvider.start([origin], { TOKENS: format, RESOURCE: `${origin}/mcp/oauth` });
      service = await startWith(company.issuer, { PORT: String(port), OAUTH_SCOPES: '["mcp"]' });
    });
    afterAll(async () => {
      await service.stop();
      await company.stop();
    });

    it('goes from a refusal to a call, and past an expired token', async () => {
      await company.set({ person: { sub: 'ada-7', preferred_username: 'ada' } });
      const memory = new ProgramMemory('http://127.0.0.1:33418/callback');
      const url = new URL('/mcp/oauth', service.origin);
      const transport = new StreamableHTTPClientTransport(url, { authProvider: memory });
      const program = () => new Client({ name: 'program', version: '1.0.0' });
      await expect(program().connect(transport)).rejects.toThrow(UnauthorizedError);
      const back = await new Visitor().follow(memory.link ?? '', ({ port }) => port === '33418');
      await transport.finishAuth(new URL(back).searchParams);
      const connected = program();
      await connected.connect(new StreamableHTTPClientTransport(url, { authProvider: memory }));
      expect((await connected.callTool({ name: 'system_info', arguments: {} })).content).toHaveLength(1);
      expect(memory.saved?.access_token.startsWith('eyJ')).toBe(format === 'jwt');
      expect((await service.admin('GET', 'administrators')).body['items']).toContainEqual(
        expect.objectContaining({ name: 'ada-7', role: 'member' }),
      );
      const former = memory.saved?.access_token ?? '';
      await set(service, 'oauth.audience', 'nobody');
      await set(service, 'oauth.audience', '');
      memory.saved = { ...memory.saved, access_token: `${former.slice(0, -8)}AAAAAAAA`, token_type: 'Bearer' };
      expect((await connected.callTool({ name: 'system_info', arguments: {} })).content).toHaveLength(1);
      expect(memory.saved.access_token).not.toBe(former);
      await connected.close();
    });
  },
);

describeOnNewPostgres('two replicas that take tokens of another issuer', (database) => {
  it('agree on who a person is, and on what was ended', async () => {
    const issuer = await TokenIssuer.start();
    const [port, publicPort] = [await freePort(), await freePort()];
    const env = { DATABASE_URL: database.url, PUBLIC_URL: `http://127.0.0.1:${publicPort}` };
    const one = await startWith(issuer.origin, { ...env, PORT: String(publicPort) });
    const two = await TestService.start({
      env: {
        ...env,
        OAUTH_ENABLED: 'on',
        HTTP_ALLOWED_HOSTS: '["127.0.0.1"]',
        PORT: String(port),
      },
    });
    try {
      const statusAt = async (service: TestService, token: string) =>
        (await new OAuthProgram(service.origin).call(token)).status;
      const claims = { aud: `${env.PUBLIC_URL}/mcp/oauth`, sub: 'a-person', preferred_username: 'barbara' };
      const tokens = await Promise.all(
        Array.from({ length: 10 }, () => issuer.sign({ ...claims, jti: crypto.randomUUID() })),
      );
      const answers = await Promise.all(tokens.map((token, index) => statusAt(index % 2 ? one : two, token)));
      expect(new Set(answers)).toEqual(new Set([200]));
      const { body } = await one.admin('GET', 'administrators');
      expect((body['items'] as { name: string }[]).filter(({ name }) => name.startsWith('barbara'))).toHaveLength(1);
      const [token = ''] = tokens;
      await change(one, 'administrators/barbara', { disabled: true });
      await until(async () => (await statusAt(two, token)) === 401);
      await change(one, 'administrators/barbara', { disabled: false });
      await until(async () => (await statusAt(two, token)) === 200);
      await change(one, 'login-providers/company', { enabled: false });
      await until(async () => (await statusAt(two, token)) === 503);
    } finally {
      await one.stop();
      await two.stop();
      await issuer.stop();
    }
  });
});
