import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Database } from '../src/platform/database/database.js';
import { OAuthProgram, tokensOf } from './support/oauth-program.js';
import { KEY, TestService } from './support/service.js';
import { ProgramMemory, SignInBrowser } from './support/sign-in-browser.js';
import { until } from './support/until.js';

const CALLBACK = 'http://127.0.0.1:33418/callback';
const PASSWORD = 'a-long-password-of-ada';
const METADATA = [
  '/.well-known/oauth-authorization-server/oauth',
  '/.well-known/openid-configuration/oauth',
  '/oauth/.well-known/openid-configuration',
  '/oauth/.well-known/oauth-authorization-server',
];
const PROTECTED = '/.well-known/oauth-protected-resource/mcp/oauth';

/** The metadata that real programs send when they register (observed, or from their sources), and their redirect URIs. */
const PROGRAMS: Record<string, { metadata: object; back: string; link?: Record<string, string | null> }> = {
  'Claude.ai': {
    metadata: { client_name: 'Claude', token_endpoint_auth_method: 'client_secret_post', scope: 'claudeai' },
    back: 'https://claude.ai/api/mcp/auth_callback',
    link: { scope: 'claudeai', prompt: 'consent' },
  },
  'Claude Code': {
    metadata: {
      client_name: 'Claude Code',
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    back: 'http://localhost:54545/callback',
    link: { resource: '/mcp/oauth', scope: 'mcp offline_access', prompt: 'consent' },
  },
  ChatGPT: {
    metadata: { client_name: 'ChatGPT', token_endpoint_auth_method: 'client_secret_basic', application_type: 'web' },
    back: 'https://chatgpt.com/connector_platform_oauth_redirect',
    link: { resource: '/mcp/oauth/', nonce: 'a-nonce', max_age: '600' },
  },
  'VS Code': {
    metadata: {
      client_name: 'Visual Studio Code',
      redirect_uris: [
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
        'http://localhost/',
      ],
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    back: 'http://127.0.0.1:61234/',
  },
  'VS Code by its page': {
    metadata: { redirect_uris: ['https://vscode.dev/redirect', 'http://127.0.0.1:33418/'] },
    back: 'https://vscode.dev/redirect',
  },
  'Cursor, old': {
    metadata: { client_name: 'Cursor', token_endpoint_auth_method: 'none' },
    back: 'cursor://anysphere.cursor-retrieval/oauth/user-agents/callback',
    link: { scope: null },
  },
  'Cursor, new': {
    metadata: {
      client_name: 'Cursor',
      redirect_uris: ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://localhost:8787/callback'],
    },
    back: 'http://localhost:8787/callback',
  },
  opencode: {
    metadata: { client_name: 'OpenCode', client_uri: 'https://opencode.ai' },
    back: 'http://127.0.0.1:19876/mcp/oauth/callback',
  },
  'Gemini CLI': {
    metadata: {
      client_name: 'Gemini CLI MCP Client',
      grant_types: ['authorization_code', 'refresh_token'],
      code_challenge_method: ['S256'],
    },
    back: 'http://localhost:7777/oauth/callback',
    link: { resource: '/mcp/oauth' },
  },
  'Copilot CLI': { metadata: { client_name: 'GitHub Copilot CLI' }, back: 'http://127.0.0.1:49152/' },
  Codex: { metadata: { client_name: 'Codex', response_types: ['code'] }, back: 'http://127.0.0.1:1455/callback' },
  Inspector: {
    metadata: {
      client_name: 'MCP Inspector',
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      scope: '',
    },
    back: 'http://localhost:6274/oauth/callback',
  },
  'mcp-remote': {
    metadata: {
      client_name: 'MCP CLI Proxy',
      software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d',
      software_version: '0.1.38',
    },
    back: 'http://localhost:3334/oauth/callback',
    link: { scope: 'openid email profile' },
  },
  'the SDK 1.10': {
    metadata: { token_endpoint_auth_method: 'client_secret_post', grant_types: ['authorization_code'] },
    back: 'http://localhost:8090/callback',
  },
};

describe('signing in with a program', () => {
  let service: TestService;
  let origin: string;
  beforeAll(async () => {
    service = await TestService.start({ signsIn: true });
    origin = service.origin;
    for (const name of ['ada', 'bob'])
      await service.admin('POST', 'administrators', { name, role: 'member', password: PASSWORD });
  });
  afterAll(() => service.stop());

  const asAda = () => new SignInBrowser(origin, 'ada', PASSWORD);
  const newProgram = (back?: string) => new OAuthProgram(origin, back);
  const registered = async (back?: string) => {
    const program = newProgram(back);
    expect((await program.register()).status).toBe(201);
    return program;
  };
  const grantsOf = async (person: string) =>
    (await service.admin('GET', `grants?person=${person}`)).body['items'] as {
      id: string;
      program: string;
      name: string;
    }[];
  const dataOf = () => service.app.get(Database, { strict: false });

  it('is ready without any key: people can call', async () => {
    const bare = await TestService.start({ signsIn: true, env: { MCP_API_KEY: '' } });
    const { status } = await fetch(`${bare.origin}/health/ready`);
    const health = await fetch(`${bare.origin}/health`);
    expect([status, await health.json()]).toEqual([200, expect.objectContaining({ mcp: 'running' })]);
    await bare.stop();
  });

  describe('real clients', () => {
    it('of the SDK v2 go from a refusal to a call, and past an expired token', async () => {
      const memory = new ProgramMemory(CALLBACK);
      const url = new URL('/mcp/oauth', origin);
      const transport = new TransportV2(url, { authProvider: memory });
      const client = new ClientV2({ name: 'program', version: '1.0.0' });
      await expect(client.connect(transport)).rejects.toThrow(UnauthorizedError);
      const back = await asAda().signIn(memory.link ?? '');
      expect(Object.fromEntries(back.searchParams)).toMatchObject({ iss: `${origin}/oauth` });
      await transport.finishAuth(back.searchParams);
      const connected = new ClientV2({ name: 'program', version: '1.0.0' });
      await connected.connect(new TransportV2(url, { authProvider: memory }));
      const before = memory.saved?.access_token ?? '';
      await expireTokens();
      expect((await connected.callTool({ name: 'system_info', arguments: {} })).content).toHaveLength(1);
      expect(memory.saved?.access_token).not.toBe(before);
      await connected.close();
    });

    it('of the SDK v1 go from a refusal to a call, with a session', async () => {
      const memory = new ProgramMemory(CALLBACK);
      const serverUrl = new URL('/mcp/oauth', origin);
      expect(await auth(memory, { serverUrl })).toBe('REDIRECT');
      const back = await asAda().signIn(memory.link ?? '');
      await auth(memory, { serverUrl, authorizationCode: back.searchParams.get('code') ?? '' });
      const client = new ClientV1({ name: 'program', version: '1.0.0' });
      const transport = new TransportV1(serverUrl, { authProvider: memory });
      await client.connect(transport);
      expect((await client.callTool({ name: 'system_info', arguments: {} })).content).toHaveLength(1);
      const headers = { 'mcp-session-id': transport.sessionId ?? '', accept: 'application/json, text/event-stream' };
      // The session belongs to the person: other clients cannot use it.
      expect((await service.post({ jsonrpc: '2.0', id: 1, method: 'ping' }, headers)).status).toBe(404);
      await client.close();
    });

    const expireTokens = () =>
      dataOf()
        .updateTable('oauth_artifacts')
        .set({ expires_at: '2000-01-01T00:00:00.000Z' })
        .where('kind', '=', 'AccessToken')
        .execute()
        .then(() => service.admin('POST', 'administrators', { name: 'eve', role: 'member', password: PASSWORD }))
        .then(() => service.admin('DELETE', 'administrators/eve'));
  });

  it.each(Object.entries(PROGRAMS))('works for what %s sends', async (_name, { metadata, back, link = {} }) => {
    const program = newProgram(back);
    const { status } = await program.register(metadata);
    expect(status).toBe(201);
    const resource = link['resource'] ? origin + link['resource'] : null;
    const parameters = { ...link, resource };
    const tokens = await program.signIn('ada', PASSWORD, parameters);
    expect((await program.call(tokens.access)).status).toBe(200);
    const refreshed = await program.refresh(tokens.refresh, resource === null ? {} : { resource });
    expect((await program.call(tokensOf(refreshed.body).access)).status).toBe(200);
    // An administrator removes the program: it must notice, and register again.
    await service.admin('DELETE', `programs/${program.id}`);
    expect((await program.call(tokensOf(refreshed.body).access)).status).toBe(401);
    expect(await program.refresh(tokensOf(refreshed.body).refresh)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    await program.register(metadata);
    expect((await program.call((await program.signIn('ada', PASSWORD, parameters)).access)).status).toBe(200);
  });

  describe('what programs find', () => {
    it('is the metadata of the endpoint and of the server, open to pages of others', async () => {
      const resource = await fetch(origin + PROTECTED);
      expect(resource.headers.get('access-control-allow-origin')).toBe('*');
      expect(await resource.json()).toMatchObject({
        resource: `${origin}/mcp/oauth`,
        authorization_servers: [`${origin}/oauth`],
        scopes_supported: ['mcp'],
      });
      for (const path of METADATA) {
        const answer = await fetch(origin + path, { headers: { origin: 'https://inspector.example' } });
        expect([path, answer.status]).toEqual([path, 200]);
        expect(answer.headers.get('access-control-allow-origin')).toBeTruthy();
        expect(await answer.json()).toMatchObject({
          issuer: `${origin}/oauth`,
          authorization_endpoint: `${origin}/oauth/authorize`,
          token_endpoint: `${origin}/oauth/token`,
          registration_endpoint: `${origin}/oauth/register`,
          revocation_endpoint: `${origin}/oauth/revoke`,
          response_types_supported: ['code'],
          response_modes_supported: ['query'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
          revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
          authorization_response_iss_parameter_supported: true,
          client_id_metadata_document_supported: true,
          scopes_supported: ['mcp'],
        });
        expect((await fetch(origin + path, { method: 'HEAD' })).status).toBe(200);
        expect((await fetch(origin + path, { method: 'OPTIONS' })).status).toBe(204);
      }
    });

    it.each<[string, string, string]>([
      ...[...METADATA, PROTECTED, '/oauth/jwks', '/oauth/authorize', '/oauth/authorize/an-id'].map(
        (path): [string, string, string] => [path, 'PUT', 'GET, HEAD'],
      ),
      ['/oauth/token', 'GET', 'POST'],
      ['/oauth/register', 'DELETE', 'POST'],
      ['/oauth/revoke', 'GET', 'POST'],
    ])('is told at %s how to ask, after %s', async (path, method, allowed) => {
      const answer = await fetch(origin + path, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
      expect(await answer.json()).toMatchObject({ error: 'invalid_request' });
    });

    it('is nothing below a pending sign-in', async () => {
      expect((await fetch(`${origin}/oauth/authorize/an-id/more`)).status).toBe(404);
    });

    it('is a refusal that says where to sign in, on the endpoint for it only', async () => {
      const refused = await newProgram().call('no-token');
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toContain(
        `resource_metadata="${origin}${PROTECTED}", scope="mcp"`,
      );
      const byKey = await newProgram().call('no-token', '/mcp');
      expect([byKey.status, byKey.headers.get('www-authenticate')?.includes('resource_metadata')]).toEqual([
        401,
        false,
      ]);
      for (const path of ['', '/mcp']) {
        for (const document of ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration']) {
          const url = `${origin}/.well-known/${document}${path}`;
          const answer = await fetch(url);
          expect([url, answer.status]).toEqual([url, 404]);
          const { error_description: advice } = (await answer.json()) as Record<string, string>;
          expect(advice).toContain(`People sign in with OAuth at ${origin}/mcp/oauth`);
        }
      }
    });

    it('is the endpoint for keys, too: a key is good at both, a token at its own', async () => {
      expect((await newProgram().call(KEY)).status).toBe(200);
      const { access } = await (await registered()).signIn('ada', PASSWORD);
      expect((await newProgram().call(access, '/mcp')).status).toBe(401);
    });

    it('is at both endpoints for a program that names both, with a token for each', async () => {
      await service.admin('PUT', 'config/oauth.on_mcp_path', { value: 'on' });
      const program = await registered();
      const [own, shared] = ['/mcp/oauth', '/mcp'];
      const link = program.link({ resource: origin + own });
      link.searchParams.append('resource', origin + shared);
      const back = await asAda().signIn(link);
      const first = tokensOf((await program.exchange(back, { resource: origin + own })).body);
      const second = tokensOf((await program.refresh(first.refresh, { resource: origin + shared })).body);
      const answers = [
        await program.call(first.access, own),
        await program.call(first.access, shared),
        await program.call(second.access, shared),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 401, 200]);
      await service.admin('DELETE', 'config/oauth.on_mcp_path');
    });
  });

  describe('attacks', () => {
    it('nobody is sent to an address that is no page', async () => {
      const answer = await newProgram().register({ redirect_uris: ['https://example.com/', 'javascript:alert(1)'] });
      expect(answer).toMatchObject({
        status: 400,
        body: {
          error: 'invalid_redirect_uri',
          error_description: 'redirect_uris: a member has the scheme javascript, which no program handles',
        },
      });
    });

    it('an address that was not registered gets no browser', async () => {
      const program = await registered('https://example.com/callback');
      for (const uri of ['https://evil.example/', 'https://example.com/callback/more', 'http://127.0.0.1:1/callback']) {
        const answer = await fetch(program.link({ redirect_uri: uri }), {
          redirect: 'manual',
          headers: { accept: 'text/html' },
        });
        expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
        expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      }
    });

    it.each([
      ['without PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
      ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
      ['for a token in the answer', { response_type: 'token' }, 'unsupported_response_type'],
      ['for another endpoint', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
      ['without asking anybody', { prompt: 'none' }, 'interaction_required'],
    ])('a request %s is sent back', async (_what, changed, error) => {
      const program = await registered();
      const answer = await fetch(program.link(changed), { redirect: 'manual' });
      // Requests for a token in the response get the response in the fragment.
      const back = new URL((answer.headers.get('location') ?? '').replace('#', '?'), CALLBACK);
      expect([back.origin + back.pathname, back.searchParams.get('error')]).toEqual([CALLBACK, error]);
      expect(back.searchParams.get('state')).toBe('a-state');
    });

    it('a question mark in a query is a character like any other', async () => {
      const program = await registered();
      const back = await asAda().signIn(`${program.link({ state: null }).href}&state=a?b`);
      expect(back.searchParams.get('state')).toBe('a?b');
    });

    it('a code is good once: with a second use, what the first one got ends', async () => {
      const program = await registered();
      const back = await asAda().signIn(program.link());
      const tokens = tokensOf((await program.exchange(back)).body);
      expect((await program.call(tokens.access)).status).toBe(200);
      expect(await program.exchange(back)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      expect((await program.call(tokens.access)).status).toBe(401);
      expect(await program.refresh(tokens.refresh)).toMatchObject({ status: 400 });
    });

    it('a code that is used many times at once works at most once', async () => {
      const program = await registered();
      const back = await asAda().signIn(program.link());
      const answers = await Promise.all(Array.from({ length: 10 }, () => program.exchange(back)));
      expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      expect(answers.filter(({ body }) => body['error'] === 'invalid_grant').length).toBeGreaterThanOrEqual(9);
    });

    it.each([
      ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
      ['another address', { redirect_uri: 'http://127.0.0.1:33418/other' }, 'invalid_grant'],
      ['another endpoint', { resource: 'https://evil.example/mcp' }, 'invalid_target'],
      ['another program', { client_id: 'somebody-else' }, 'invalid_client'],
    ])('a code is worth nothing with %s', async (_what, changed, error) => {
      const program = await registered();
      const back = await asAda().signIn(program.link());
      expect((await program.exchange(back, changed)).body).toMatchObject({ error });
    });

    it('a sign-in continues only in the browser that started it', async () => {
      const program = await registered();
      const [attacker, victim] = [new SignInBrowser(origin, 'bob', PASSWORD), asAda()];
      const id = await attacker.open(program.link());
      await victim.logIn();
      expect((await victim.send('GET', `/admin/api/sign-ins/${id}`)).status).toBe(404);
      expect((await victim.send('POST', `/admin/api/sign-ins/${id}/allow`)).status).toBe(404);
    });

    it('nobody decides from another site, or twice, or without logging in', async () => {
      const program = await registered();
      const browser = asAda();
      const id = await browser.open(program.link());
      expect((await browser.send('GET', `/admin/api/sign-ins/${id}`)).status).toBe(401);
      await browser.logIn();
      const asked = await browser.send('GET', `/admin/api/sign-ins/${id}`);
      expect(await asked.json()).toMatchObject({ name: 'a program without a name', proven: '', host: '127.0.0.1' });
      const foreign = { origin: 'https://evil.example' };
      expect((await browser.send('POST', `/admin/api/sign-ins/${id}/allow`, undefined, foreign)).status).toBe(403);
      const back = await browser.decide(id, 'deny');
      expect(Object.fromEntries(back.searchParams)).toMatchObject({
        error: 'access_denied',
        state: 'a-state',
        iss: `${origin}/oauth`,
      });
      expect((await browser.send('POST', `/admin/api/sign-ins/${id}/allow`)).status).toBe(404);
    });

    it('a network that registers without end has to wait', async () => {
      const register = () =>
        fetch(`${origin}/oauth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.1' },
          body: JSON.stringify({ redirect_uris: [CALLBACK] }),
        });
      const statuses = (await Promise.all(Array.from({ length: 130 }, register))).map(({ status }) => status);
      expect([statuses.filter((one) => one === 201).length, statuses.filter((one) => one === 429).length]).toEqual([
        120, 10,
      ]);
      const refused = await register();
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });

  describe('refresh tokens', () => {
    const setConsumed = () =>
      dataOf()
        .updateTable('oauth_artifacts')
        .set({ consumed_at: new Date(Date.now() - 61_000).toISOString() })
        .where('kind', '=', 'RefreshToken')
        .where('consumed_at', 'is not', null)
        .execute();
    const addUsed = async (count: number, program: OAuthProgram) => {
      const grant = (await grantsOf('ada')).find((one) => one.program === program.id);
      const times = { created_at: new Date().toISOString(), consumed_at: new Date().toISOString() };
      const used = { ...times, kind: 'RefreshToken', grant_id: grant?.id ?? null, payload: '{}', expires_at: '2100' };
      const rows = Array.from({ length: count }, (_, n) => ({ ...used, id_hash: `${program.id} ${n}` }));
      await dataOf().insertInto('oauth_artifacts').values(rows).execute();
    };

    it('may be repeated for a minute, by a hundred at once, and then end everything', async () => {
      const program = await registered();
      const { refresh } = await program.signIn('ada', PASSWORD);
      const answers = await Promise.all(Array.from({ length: 100 }, () => program.refresh(refresh)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const one = tokensOf(answers[0]?.body ?? {});
      const other = tokensOf(answers[99]?.body ?? {});
      for (const { access } of [one, other]) expect((await program.call(access)).status).toBe(200);
      expect((await grantsOf('ada')).filter((grant) => grant.program === program.id)).toHaveLength(1);
      await setConsumed();
      expect(await program.refresh(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      expect((await program.call(one.access)).status).toBe(401);
      expect(await program.refresh(other.refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    });

    it('end everything when they are used again, however many there were since', async () => {
      const program = await registered();
      const { refresh } = await program.signIn('ada', PASSWORD);
      const copied = tokensOf((await program.refresh(refresh)).body);
      await addUsed(300, program);
      const latest = tokensOf((await program.refresh(copied.refresh)).body);
      await setConsumed();
      expect(await program.refresh(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      expect((await program.call(latest.access)).status).toBe(401);
    });

    it('end everything when there are thousands of them', async () => {
      const program = await registered();
      const { access, refresh } = await program.signIn('ada', PASSWORD);
      await addUsed(2_000, program);
      expect(await program.refresh(refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      expect((await program.call(access)).status).toBe(401);
    });

    it('end when their program revokes them, and so do access tokens', async () => {
      const program = await registered();
      const { access } = await program.signIn('ada', PASSWORD);
      const revoke = (token: string) =>
        fetch(`${origin}/oauth/revoke`, {
          method: 'POST',
          body: new URLSearchParams({ client_id: program.id, token }),
        });
      expect((await program.call(access)).status).toBe(200);
      expect((await revoke(access)).status).toBe(200);
      expect((await program.call(access)).status).toBe(401);
      const again = await program.signIn('ada', PASSWORD);
      expect((await revoke(again.refresh)).status).toBe(200);
      expect((await program.call(again.access)).status).toBe(401);
    });
  });

  describe('people and administrators', () => {
    it('use a program on two machines, and revoke its access on one of them', async () => {
      const program = await registered();
      const first = await program.signIn('ada', PASSWORD);
      const second = await program.signIn('ada', PASSWORD);
      for (const { access } of [first, second]) expect((await program.call(access)).status).toBe(200);
      const grant = (await grantsOf('ada')).find((one) => one.program === program.id);
      const bob = new SignInBrowser(origin, 'bob', PASSWORD);
      await bob.logIn();
      expect((await bob.send('DELETE', `/admin/api/account/grants/${grant?.id}`)).status).toBe(404);
      expect((await service.admin('DELETE', `grants/${grant?.id}`)).status).toBe(204);
      expect((await program.call(second.access)).status).toBe(401);
      expect((await program.call(first.access)).status).toBe(200);
      expect((await service.admin('DELETE', `grants/${grant?.id}`)).status).toBe(404);
    });

    it('a disabled account cannot call; one of the same name gets nothing of a removed one', async () => {
      await service.admin('POST', 'administrators', { name: 'carol', role: 'member', password: PASSWORD });
      const program = await registered();
      const { access } = await program.signIn('carol', PASSWORD);
      const status = async () => (await program.call(access)).status;
      expect(await status()).toBe(200);
      await service.admin('PUT', 'administrators/carol', { disabled: true });
      await until(async () => (await status()) === 401);
      await service.admin('PUT', 'administrators/carol', { disabled: false });
      await until(async () => (await status()) === 200);
      await service.admin('DELETE', 'administrators/carol');
      await until(async () => (await status()) === 401);
      await service.admin('POST', 'administrators', { name: 'carol', role: 'member', password: PASSWORD });
      expect([await status(), await grantsOf('carol')]).toEqual([401, []]);
    });

    it('are distinguished by policies, by name, group and kind', async () => {
      const policy = 'forbid (principal is Person, action, resource) unless { principal in Group::"ops" };';
      await service.admin('PUT', 'administrators/ada', { groups: ['ops'] });
      expect((await service.admin('POST', 'policies', { name: 'people', policy })).status).toBe(201);
      const program = await registered();
      const { access } = await program.signIn('bob', PASSWORD);
      const isAllowed = async (token: string) =>
        !JSON.stringify((await program.call(token)).body).includes('Not allowed: policy people');
      expect([await isAllowed(access), await isAllowed(KEY)]).toEqual([false, true]);
      await service.admin('PUT', 'administrators/bob', { groups: ['ops'] });
      await until(() => isAllowed(access));
      await service.admin('DELETE', 'policies/people');
    });

    it('only listed programs are let in, where that is set', async () => {
      const program = await registered();
      const { access, refresh } = await program.signIn('ada', PASSWORD);
      await service.admin('PUT', 'config/oauth.programs', { value: 'listed' });
      expect(await program.refresh(refresh)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      expect(await newProgram().register()).toMatchObject({ status: 403, body: { error: 'access_denied' } });
      const { body } = await service.admin('POST', 'programs', {
        name: 'Ours',
        redirectUris: ['https://example.com/cb'],
        hasSecret: true,
      });
      const ours = newProgram('https://example.com/cb');
      [ours.id, ours.secret] = [String(body['id']), String(body['secret'])];
      const tokens = await ours.signIn('ada', PASSWORD);
      expect((await ours.call(tokens.access)).status).toBe(200);
      ours.secret = 'wrong';
      expect(await ours.refresh(tokens.refresh)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      await service.admin('DELETE', 'config/oauth.programs');
      expect((await program.call(access)).status).toBe(200);
    });
  });

  it('outlasts a restart, in the middle and afterwards', async () => {
    const program = await registered();
    const browser = asAda();
    const id = await browser.open(program.link());
    await browser.logIn();
    service = await service.restart();
    const back = await browser.decide(id, 'allow');
    service = await service.restart();
    const tokens = tokensOf((await program.exchange(back)).body);
    service = await service.restart();
    expect((await program.call(tokens.access)).status).toBe(200);
    expect((await program.refresh(tokens.refresh)).status).toBe(200);
  });

  it('is off at once where it is switched off, and everything is as if it were not there', async () => {
    const program = await registered();
    const { access } = await program.signIn('ada', PASSWORD);
    const env = { OAUTH_ENABLED: 'off' };
    Object.assign(process.env, env);
    await service.stop({ keepData: true });
    service = await TestService.start({
      env: { PORT: new URL(origin).port, PUBLIC_URL: origin, DATA_DIR: service.dataDir, ...env },
    });
    expect((await program.call(access)).status).toBe(404);
    for (const path of [...METADATA, PROTECTED, '/oauth/token', '/oauth/authorize', '/oauth/register']) {
      expect([path, (await fetch(origin + path)).status]).toEqual([path, 404]);
    }
    expect((await program.call(KEY, '/mcp')).status).toBe(200);
  });
});
