import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { Controller, Get, Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiExcludeController, type OpenAPIObject } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import request, { type Response } from 'supertest';
import { Skill, type SkillHandler } from '#skill-kit';
import { AdminCookies } from '../src/access/accounts/admin-cookies.service.js';
import { AdminModule } from '../src/entrypoints/admin/admin.module.js';
import { setupAdmin } from '../src/entrypoints/admin/open-api/open-api.controller.js';
import { AuditLog } from '../src/access/audit/audit-log.service.js';
import { AuditReader } from '../src/access/audit/audit-reader.service.js';
import { KnowledgeService } from '../src/features/knowledge/knowledge.service.js';
import { ClientsService } from '../src/access/clients/clients.service.js';
import { SessionStore } from '../src/access/clients/session.store.js';
import { ConfigModule } from '../src/platform/config/config.module.js';
import { Database } from '../src/platform/database/database.js';
import { DatabaseModule } from '../src/platform/database/database.module.js';
import { memoryDatabase } from '../src/platform/database/testing.js';
import { Environment, parseEnvironment } from '../src/platform/environment/environment.js';
import { EventBus } from '../src/platform/events/event-bus.service.js';
import { toolCalled } from '../src/platform/events/testing.js';
import { EventsModule } from '../src/platform/events/events.module.js';
import { PolicyModule } from '../src/access/policy/policy.module.js';
import { SkillRegistry } from '../src/core/skills/skill.registry.js';
import { SkillsModule } from '../src/core/skills/skills.module.js';
import { until } from './support/until.js';

@Skill({ name: 'forecast', description: 'Tells the weather.', annotations: { readOnlyHint: true } })
class Forecast implements SkillHandler {
  execute() {
    return 'sunny';
  }
}

@ApiExcludeController()
@Controller('admin/api/broken')
class BrokenController {
  @Get()
  fail() {
    throw new Error('the secret inside');
  }
}

@Controller('elsewhere')
class ElsewhereController {}

interface Body {
  code: string;
  detail: string;
  value: string;
  items: { key: string; name: string; id: string }[];
  errors: { path: string; message: string }[];
}

const bodyOf = (response: Response) => response.body as Body;

const SECRETS_KEY = randomBytes(32).toString('base64');

describe('the admin API', () => {
  let app: NestExpressApplication;
  const dataDir = mkdtempSync(join(tmpdir(), 'admin-api-'));
  afterAll(() => rmSync(dataDir, { recursive: true }));

  async function start(env: Record<string, string> = {}) {
    const environment = parseEnvironment({ ADMIN_PASSWORD: 'let-me-in', SECRETS_KEY, DATA_DIR: dataDir, ...env });
    const testing = await Test.createTestingModule({
      imports: [EventsModule, ConfigModule, DatabaseModule, PolicyModule, SkillsModule, AdminModule],
      controllers: [BrokenController, ElsewhereController],
    })
      .overrideProvider(Environment)
      .useValue(environment)
      .overrideProvider(Database)
      .useValue(await memoryDatabase())
      .compile();
    app = testing.createNestApplication<NestExpressApplication>({ bodyParser: false });
    setupAdmin(app);
    await app.init();
  }

  const listen = async () => {
    await app.listen(0, '127.0.0.1');
    return (app.getHttpServer().address() as AddressInfo).port;
  };

  beforeEach(() => start());
  afterEach(() => app.close());

  const http = () => request(app.getHttpServer());
  const api = (path: string) => `/admin/api/${path}`;
  const asAdmin = { Authorization: `Basic ${Buffer.from('admin:let-me-in').toString('base64')}` };
  const fromBrowser = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' };

  const get = (path: string) => http().get(api(path)).set(asAdmin);
  const put = (path: string, body: object) => http().put(api(path)).set(asAdmin).send(body);
  const remove = (path: string) => http().delete(api(path)).set(asAdmin);
  const post = (path: string) => http().post(api(path)).set(asAdmin);

  const logIn = async (headers: Record<string, string> = fromBrowser) => {
    const response = await http().post(api('session')).set(headers).send({ password: 'let-me-in' }).expect(201);
    const [cookie = ''] = response.get('Set-Cookie') ?? [];
    return { cookie, token: { Cookie: cookie.split(';')[0] ?? '' } };
  };

  const isProblem = (status: number, code: string) => (response: Response) => {
    expect([response.status, bodyOf(response).code]).toEqual([status, code]);
    expect(response.type).toBe('application/problem+json');
    expect(response.body).toMatchObject({ type: 'about:blank', status });
    expect(response.text).not.toMatch(/node_modules|\.ts:|\.js:/);
  };

  describe('authentication', () => {
    it.each(['session', 'config', 'config/mcp.api_key', 'skills', 'skills/forecast', 'sessions', 'overview'])(
      'refuses %s without credentials',
      async (path) => {
        await http().get(api(path)).expect(isProblem(401, 'admin.not_authenticated'));
      },
    );

    it('lets scripts in by HTTP Basic', async () => {
      await get('session').expect(200, { user: 'admin', role: 'admin', method: 'basic', expiresAt: null });
      const wrong = { Authorization: `Basic ${Buffer.from('admin:wrong').toString('base64')}` };
      await http().get(api('session')).set(wrong).expect(isProblem(401, 'admin.not_authenticated'));
    });

    it('lets browsers in by a cookie that neither scripts in pages nor other sites can use', async () => {
      const { cookie, token } = await logIn();
      expect(cookie).toMatch(
        /^agent_admin_[0-9a-f]{8}=[\w-]{43}; Max-Age=43200; Path=\/admin; .*HttpOnly; SameSite=Strict$/,
      );
      const who = await http().get(api('session')).set(token).expect(200);
      expect(who.body).toMatchObject({ user: 'admin', method: 'session' });
      await http()
        .delete(api('session'))
        .set({ ...token, ...fromBrowser })
        .expect(200, { to: null });
      await http().get(api('session')).set(token).expect(isProblem(401, 'admin.not_authenticated'));
    });

    it('refuses a made-up cookie', async () => {
      const made = { Cookie: `${app.get(AdminCookies).publishedName}=abcdef` };
      await http().get(api('session')).set(made).expect(isProblem(401, 'admin.not_authenticated'));
    });

    it('refuses a wrong password, and asks the caller to slow down after five', async () => {
      const guess = () => http().post(api('session')).send({ password: 'wrong' });
      for (let i = 0; i < 5; i++) await guess().expect(isProblem(401, 'admin.wrong_password'));
      await guess()
        .expect(isProblem(429, 'admin.too_many_logins'))
        .expect('retry-after', /^[1-5]$/);
      await http().post(api('session')).send({ password: 'let-me-in' }).expect(429);
    });

    it('sends a Basic challenge to scripts, but not to the code of a page', async () => {
      await http().get(api('session')).expect(401).expect('www-authenticate', 'Basic realm="admin"');
      for (const header of [
        { 'Sec-Fetch-Mode': 'cors' },
        { 'X-Requested-With': 'fetch' },
        { Cookie: 'agent_admin=x' },
      ]) {
        const response = await http().get(api('session')).set(header).expect(401);
        expect(response.headers).not.toHaveProperty('www-authenticate');
      }
    });
  });

  it('reads no body before it has authenticated the sender', async () => {
    const port = await listen();
    for (const path of ['config/mcp.api_key', 'knowledge/import', 'feeds/opml', 'nothing']) {
      const socket = connect(port, '127.0.0.1');
      // The body is announced but never sent, so a response shows that the service does not wait for it.
      socket.write(`POST ${api(path)} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`);
      socket.write('Content-Encoding: gzip\r\nContent-Length: 100000\r\n\r\n[');
      const [answer] = (await once(socket, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 40[14] /);
      socket.destroy();
    }
  });

  it('refuses bodies when there is no room for more', async () => {
    const port = await listen();
    const [size, part] = [16 * 1024 * 1024, Buffer.alloc(1024 * 1024, ' ')];
    const begin = () => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write(`POST ${api('knowledge')} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`);
      socket.write(`Authorization: ${asAdmin.Authorization}\r\nContent-Length: ${size}\r\n\r\n`);
      // Sends everything except the end of the body.
      for (let sent = part.length; sent < size; sent += part.length) socket.write(part);
      return socket;
    };
    const senders = Array.from({ length: 4 }, begin);
    const save = () => post('knowledge').send({ title: 'large', content: 'x'.repeat(5_000_000) });
    await until(async () => {
      // Replaces the sender that was rejected for lack of room beside the previous save: its rejection has freed room.
      for (const [index, socket] of senders.entries()) if (socket.bytesRead > 0) senders[index] = begin();
      return (await save()).status === 503;
    });
    await save().expect(isProblem(503, 'too_many_bodies')).expect('retry-after', '2');
    for (const socket of senders) socket.destroy();
    await until(async () => (await save()).status !== 503);
  });

  it('answers only to its own host names', async () => {
    const asks = (host: string) =>
      http()
        .get(api('session'))
        .set({ ...asAdmin, Host: host });
    for (const host of ['evil.example', 'evil.example:5001', '127.0.0.1.nip.io', '']) {
      await asks(host).expect(isProblem(403, 'admin.host_not_allowed'));
      await http().get('/admin/').set('Host', host).expect(403);
    }
    for (const host of ['localhost:1', '127.0.0.1', '[::1]:5001']) await asks(host).expect(200);
    await app.close();
    await start({ PUBLIC_URL: 'https://agents.example.com' });
    await asks('agents.example.com').expect(200);
    await asks('other.example.com').expect(403);
    await app.close();
    await start({ HOST: '0.0.0.0' });
    await asks('any.example.com').expect(200);
  });

  it('marks the cookie as secure when the public URL is https', async () => {
    await app.close();
    await start({ PUBLIC_URL: 'https://agents.example.com' });
    expect((await logIn()).cookie).toMatch(/^__Host-agent_admin_[0-9a-f]{8}=.*; Path=\/; .*; Secure/);
  });

  describe('a change from a browser', () => {
    const change = (headers: Record<string, string>) =>
      http().put(api('config/mcp.tool_timeout_ms')).set(headers).send({ value: 50 });

    it.each<Record<string, string>>([
      { 'Sec-Fetch-Site': 'same-origin' },
      { 'Sec-Fetch-Site': 'none' },
      { Host: 'localhost:1', Origin: 'http://localhost:1' },
    ])('is accepted with %j', async (headers) => {
      await change({ ...(await logIn()).token, ...headers }).expect(200);
    });

    it('is refused from another site with remembered Basic credentials, as is a login', async () => {
      const foreign = { 'Sec-Fetch-Site': 'cross-site' };
      await change({ ...asAdmin, ...foreign }).expect(isProblem(403, 'admin.cross_site_request'));
      const login = http().post(api('session')).set(foreign).send({ password: 'let-me-in' });
      await login.expect(isProblem(403, 'admin.cross_site_request'));
    });
  });

  describe('config', () => {
    it('lists, sets and resets settings', async () => {
      const { items } = bodyOf(await get('config').expect(200));
      expect(items.map(({ key }) => key)).toContain('mcp.tool_timeout_ms');
      const set = await put('config/mcp.tool_timeout_ms', { value: 50 }).expect(200);
      expect(set.body).toMatchObject({ key: 'mcp.tool_timeout_ms', value: 50, source: 'stored', minimum: 1 });
      const reset = await remove('config/mcp.tool_timeout_ms').expect(200);
      expect(reset.body).toMatchObject({ value: 30_000, source: 'default' });
      await put('config/mcp.allowed_origins', { value: ['https://a.example'] }).expect(200);
      expect((await get('config/mcp.allowed_origins')).body).toMatchObject({ value: ['https://a.example'] });
    });

    it.each([{ value: 0 }, { value: '50' }, { value: [50] }, { value: { a: 1 } }])(
      'refuses %j, and says why',
      async (body) => {
        const response = await put('config/mcp.tool_timeout_ms', body).expect(isProblem(400, 'config.invalid_value'));
        expect(bodyOf(response).errors).toEqual([
          { path: 'value', message: 'must be a whole number from 1 to 3600000 ms' },
        ]);
      },
    );

    it.each([{}, { value: null }, { value: 1, more: 2 }, { valeu: 1 }])('refuses the body %j', async (body) => {
      const response = await put('config/mcp.tool_timeout_ms', body).expect(isProblem(400, 'invalid_body'));
      expect(bodyOf(response).errors.length).toBeGreaterThan(0);
    });

    it('refuses unknown settings', async () => {
      await get('config/nothing').expect(isProblem(404, 'config.setting_not_found'));
      await put('config/nothing', { value: 1 }).expect(isProblem(404, 'config.setting_not_found'));
      await post('config/mcp.tool_timeout_ms/generate').expect(isProblem(400, 'config.not_a_secret'));
    });

    it('generates a key, shows it once, and accepts it at once', async () => {
      const { value } = bodyOf(await post('config/mcp.api_key/generate').expect(201));
      expect(value).toMatch(/^ask_[\w-]{43}$/);
      expect(app.get(ClientsService).authenticate(`Bearer ${value}`)).toMatchObject({ name: 'default' });
      const shown = await Promise.all([get('config'), get('config/mcp.api_key'), get('overview')]);
      expect(shown.map(({ text }) => text).join()).not.toContain(value);
      expect(shown[1].body).toMatchObject({ value: null, isSet: true, secret: true });
    });

    it('never repeats a secret, not even a refused one', async () => {
      await put('config/mcp.api_key', { value: 'my-own-key-of-mine' })
        .expect(200)
        .expect(/^(?!.*my-own-key)/);
      await put('config/mcp.api_key', { value: 'with a space' })
        .expect(400)
        .expect(/^(?!.*with a space)/);
    });

    it('does not change settings that the environment decides', async () => {
      await app.close();
      await start({ MCP_TOOL_TIMEOUT_MS: '77', MCP_API_KEY: 'from-the-environment' });
      expect((await get('config/mcp.tool_timeout_ms')).body).toMatchObject({ value: 77, locked: true });
      const response = await put('config/mcp.tool_timeout_ms', { value: 5 }).expect(
        isProblem(409, 'config.setting_locked'),
      );
      expect(bodyOf(response).detail).toContain('MCP_TOOL_TIMEOUT_MS');
      await remove('config/mcp.api_key').expect(isProblem(409, 'config.setting_locked'));
      await get('config').expect(/^(?!.*from-the-environment)/);
    });
  });

  describe('skills', () => {
    beforeEach(() => app.get(SkillRegistry).register(new Forecast()));

    it('are listed in pages and found', async () => {
      const first = await get('skills?limit=1').expect(200);
      expect(bodyOf(first).items).toHaveLength(1);
      const found = await get('skills?q=WEATHER').expect(200);
      expect(bodyOf(found).items.map(({ name }) => name)).toEqual(['forecast']);
      await get('skills?limit=0').expect(isProblem(400, 'invalid_body'));
      await get('skills?cursor=x').expect(isProblem(400, 'page.invalid_cursor'));
    });

    it('show their schemas and how often they were called', async () => {
      app.get(EventBus).emit('tool.called', toolCalled());
      app.get(EventBus).emit('tool.called', toolCalled({ outcome: 'error', message: 'rain' }));
      await app.get(AuditLog).flush();
      expect((await get('skills/forecast').expect(200)).body).toMatchObject({
        name: 'forecast',
        inputSchema: { type: 'object' },
        enabled: true,
        warnings: [],
        calls: 2,
        errors: 1,
      });
      await get('skills/nothing').expect(isProblem(404, 'skills.skill_not_found'));
    });

    it('are disabled and enabled', async () => {
      expect((await put('skills/forecast', { enabled: false }).expect(200)).body).toMatchObject({ enabled: false });
      expect((await put('skills/forecast', { enabled: true }).expect(200)).body).toMatchObject({ enabled: true });
      const response = await put('skills/forecast', { enabled: 'no' }).expect(isProblem(400, 'invalid_body'));
      expect(bodyOf(response).errors).toEqual([{ path: 'enabled', message: 'enabled must be a boolean value' }]);
    });
  });

  it('shows MCP sessions and ends one', async () => {
    const at = new Date('2026-01-01T00:00:00Z');
    await app.get(SessionStore).create({
      id: 's1',
      client: 'default',
      key: null,
      protocolVersion: '2025-11-25',
      initialize: { clientInfo: { name: 'editor', version: '1.2' } },
      logLevel: null,
      subscriptions: [],
      eventSeq: 0,
      lastSeenAt: at,
    });
    const seen = at.toISOString();
    await get('sessions').expect(200, {
      items: [
        {
          id: 's1',
          client: 'default',
          clientName: 'editor',
          clientVersion: '1.2',
          protocolVersion: '2025-11-25',
          since: seen,
          lastSeen: seen,
          streams: 0,
        },
      ],
      nextCursor: null,
    });
    await remove('sessions/s1').expect(204);
    await remove('sessions/s1').expect(isProblem(404, 'sessions.session_not_found'));
  });

  it('lists the namespaces of the memory', async () => {
    await post('memory').send({ namespace: 'web', key: 'colors', content: 'Blue.' }).expect(201);
    const items = [
      { namespace: 'shared', entries: 0 },
      { namespace: 'web', entries: 1 },
    ];
    await get('memory/namespaces').expect(200, { items, nextCursor: null });
  });

  it('takes secrets for workflows, and never shows a value again', async () => {
    const value = { username: 'me', password: 'known-to-nobody' };
    const set = await put('workflow-secrets/mail', { value }).expect(200);
    const listed = await get('workflow-secrets').expect(200);
    expect(bodyOf(listed).items).toEqual([set.body]);
    const refused = await put('workflow-secrets/mail', { value: [value] }).expect(
      isProblem(400, 'workflows.invalid_secret'),
    );
    expect([set, listed, refused].map(({ text }) => text).join()).not.toContain('known-to-nobody');
    const limits = { hosts: ['smtp.example.com:465'], skills: [] };
    const limited = await put('workflow-secrets/mail', { hosts: ['SMTP.example.com:465'], skills: [] }).expect(200);
    expect(bodyOf(limited)).toMatchObject({ name: 'mail', ...limits });
    expect(bodyOf(await put('workflow-secrets/mail', { value: 'new' }).expect(200))).toMatchObject(limits);
    await put('workflow-secrets/mail', { hosts: ['https://smtp.example.com'] }).expect(
      isProblem(400, 'workflows.invalid_secret_limit'),
    );
    await put('workflow-secrets/mail', { skills: ['no name'] }).expect(isProblem(400, 'invalid_body'));
    await put('workflow-secrets/mail', { hosts: 'smtp.example.com' }).expect(isProblem(400, 'invalid_body'));
    await put('workflow-secrets/new', { hosts: [] }).expect(isProblem(400, 'workflows.secret_value_missing'));
    expect(bodyOf(await get('workflow-secrets').expect(200)).items).toMatchObject([{ name: 'mail', ...limits }]);
    await remove('workflow-secrets/mail').expect(204);
    await remove('workflow-secrets/mail').expect(isProblem(404, 'workflows.secret_not_found'));
  });

  it('returns the numbers of the dashboard', async () => {
    app.get(EventBus).emit('tool.called', toolCalled({ outcome: 'timeout', message: 'too slow' }));
    await app.get(AuditLog).flush();
    const { body } = (await get('overview').expect(200)) as { body: { spans: { calls: number }[] } };
    expect(body).toMatchObject({
      mcp: 'starting',
      mcpUrl: null,
      keyConfigured: false,
      clients: 0,
      sessions: 0,
      streams: 0,
      programs: [],
      callers: [{ client: 'default', calls: 1, errors: 1, denied: 0 }],
      latestErrors: [{ message: 'too slow' }],
    });
    expect(body.spans).toHaveLength(60);
    expect(body.spans.reduce((sum, { calls }) => sum + calls, 0)).toBe(1);
  });

  it('says where clients reach the endpoint, and whether any can', async () => {
    await app.close();
    await start({ PUBLIC_URL: 'https://agents.example.com/', MCP_API_KEY: 'a-key-for-this-test' });
    const { body } = (await get('overview').expect(200)) as { body: object };
    expect(body).toMatchObject({ mcpUrl: 'https://agents.example.com/mcp', keyConfigured: true });
  });

  describe('answers with a problem document to', () => {
    it('a path where nothing is', async () => {
      await get('nothing').expect(isProblem(404, 'not_found'));
      await http().post(api('overview')).expect(isProblem(404, 'not_found'));
    });

    it('a body that is not JSON, without repeating it', async () => {
      const broken = http().post(api('session')).type('json').send('{"password":"hunter2');
      expect((await broken.expect(isProblem(400, 'invalid_json'))).text).not.toContain('hunter2');
      await http().post(api('session')).type('text').send('x').expect(isProblem(415, 'unsupported_media_type'));
    });

    it('a body that is too large', async () => {
      const large = JSON.stringify({ password: 'x'.repeat(4_100) });
      await http().post(api('session')).type('json').send(large).expect(isProblem(413, 'payload_too_large'));
      const tooLong = JSON.stringify({ value: 'x'.repeat(1_100_000) });
      const put = http().put(api('config/mcp.api_key')).set(asAdmin).type('json').send(tooLong);
      await put.expect(isProblem(413, 'payload_too_large'));
    });

    it('a body that is compressed, or in another charset', async () => {
      const packed = gzipSync(JSON.stringify({ password: 'let-me-in' }));
      for (const headers of [{}, asAdmin]) {
        const login = http().post(api('session')).set(headers).type('json').set('Content-Encoding', 'gzip');
        await login.send(packed).expect(isProblem(415, 'unsupported_media_type'));
      }
      const latin = http().post(api('session')).set('Content-Type', 'application/json; charset=iso-8859-1');
      await latin.send('{"password":"let-me-in"}').expect(isProblem(415, 'unsupported_media_type'));
    });

    it('a body of another type, which must not look like an empty one', async () => {
      await post('administrators').send({ name: 'ada', role: 'viewer' }).expect(201);
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/merge-patch+json']) {
        const update = http().put(api('administrators/ada')).set(asAdmin).type(type).send('{"disabled":true}');
        await update.expect(isProblem(415, 'unsupported_media_type'));
      }
      await http().put(api('administrators/ada')).set(asAdmin).type('text/plain').send('').expect(200);
    });

    it.each(['audit', 'knowledge'])('the export of the %s that fails before it begins', async (exported) => {
      const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
      const failing = [
        jest
          .spyOn(app.get(AuditReader, { strict: false }), 'listPage')
          .mockRejectedValue(new Error('the secret inside')),
        jest
          .spyOn(app.get(KnowledgeService, { strict: false }), 'listWholeByAge')
          .mockRejectedValue(new Error('the secret inside')),
      ];
      await get(`${exported}/export`).expect(isProblem(500, 'internal_error'));
      for (const spy of [...failing, error]) spy.mockRestore();
    });

    it('a body that is nested too deep, holds too many values, or is not an object', async () => {
      const send = (path: string, body: string) => http().post(api(path)).set(asAdmin).type('json').send(body);
      const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
      await send('session', deep(2_000)).expect(isProblem(400, 'json_too_deep'));
      await send('session', `{"password":${deep(64)}}`).expect(isProblem(400, 'json_too_deep'));
      await send('session', `{"password":${deep(63)}}`).expect(isProblem(400, 'invalid_body'));
      const many = `{"files":[${'{},'.repeat(200_000)}{}]}`;
      await send('knowledge/import', many).expect(isProblem(400, 'too_many_values'));
      for (const body of ['[]', '"x"', 'null', '1']) await send('session', body).expect(isProblem(400, 'invalid_json'));
    });

    it.each(['a\0b', 'a\ud800b'])('a body with %j in it, and says where', async (text) => {
      const refused = await post('memory').send({ key: 'odd', content: 'x', tags: ['a', text] });
      expect([refused.status, refused.body]).toMatchObject([
        400,
        { code: 'invalid_text', detail: expect.stringMatching(/^the body\.tags\[1\] holds a NUL character/) as string },
      ]);
    });

    it('files that are not objects', async () => {
      const send = (files: unknown) => post('knowledge/import').send({ files });
      for (const files of [[['a']], [[]], [null], ['a'], [1], {}, 'a']) {
        await send(files).expect(isProblem(400, 'invalid_body'));
      }
      const imported = await send([{ path: 'a.md', content: 'a', type: null }]).expect(200);
      expect(imported.body).toMatchObject({ files: [{ outcome: 'created' }] });
    });

    it('paths and queries with characters that no text may have', async () => {
      for (const path of ['memory/a%00b/c', 'feeds/%00', 'skills?q=%00', 'knowledge?%00=1', 'feeds?q=a&q=%00']) {
        await get(path).expect(isProblem(400, 'invalid_text'));
      }
      await get('memory/%ff/c').expect(isProblem(400, 'bad_request'));
    });

    it('a body with many mistakes, listing a limited number of them', async () => {
      const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`field ${i} ${'x'.repeat(90)}`, i]));
      const response = await put('skills/forecast', body).expect(isProblem(400, 'invalid_body'));
      expect(response.text.length).toBeLessThan(40_000);
    });

    it('a request that meets a bug, whose details go to the log only', async () => {
      const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
      const response = await http().get(api('broken')).expect(isProblem(500, 'internal_error'));
      expect(response.text).not.toContain('secret');
      expect(log).toHaveBeenCalledWith(new Error('the secret inside'));
      log.mockRestore();
    });

    it('requests under /admin only', async () => {
      const { type } = await http().get('/elsewhere').expect(404);
      expect(type).toBe('application/json');
    });
  });

  it('sends headers that protect its answers', async () => {
    const { headers } = await get('overview');
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'self'") as string,
      'x-content-type-options': 'nosniff',
    });
    expect((await http().get('/elsewhere')).headers).not.toHaveProperty('content-security-policy');
  });

  it('describes itself to everybody', async () => {
    const document = (await http().get(api('openapi.json')).expect(200)).body as OpenAPIObject;
    expect(document.openapi).toMatch(/^3\./);
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      (['get', 'put', 'post', 'patch', 'delete'] as const).flatMap((method) =>
        item[method] ? [{ route: `${method.toUpperCase()} ${path}`, ...item[method] }] : [],
      ),
    );
    expect(operations.filter(({ summary }) => !summary).map(({ route }) => route)).toEqual([]);
    for (const { responses, parameters = [] } of operations) {
      const isConditional = /"If-(?:None-)?Match"/.test(JSON.stringify(parameters));
      const conditional = isConditional ? ['412'] : [];
      expect(Object.keys(responses)).toEqual([expect.stringMatching(/^(?:20[014]|303)$/), ...conditional, 'default']);
    }
    const text = JSON.stringify(document);
    const references = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
    expect(Object.keys(document.components?.schemas ?? {})).toEqual(expect.arrayContaining([...new Set(references)]));
    // Words find a part of the names, in pages.
    expect(JSON.stringify(document.paths['/admin/api/workflows']?.get?.parameters)).not.toContain('only one page');
    expect(document.components?.schemas?.['DefinitionBody']).toMatchObject({
      properties: { definition: { maxLength: 256 * 1024 } },
    });
  });

  it('refuses parameters that a route does not have, on every route', async () => {
    const { paths } = (await http().get(api('openapi.json'))).body as OpenAPIObject;
    const refused: [string, number, unknown][] = [];
    for (const [path, { get: route }] of Object.entries(paths)) {
      if (!route?.security || path.includes('{')) continue;
      const response = await http().get(`${path}?unknwon=1`).set(asAdmin);
      refused.push([path, response.status, (response.body as { detail?: unknown }).detail]);
    }
    expect(refused.length).toBeGreaterThan(30);
    const detail: unknown = expect.stringContaining('unknwon: property unknwon should not exist');
    expect(refused).toEqual(refused.map(([path]) => [path, 400, detail]));
  });
});
