import { hash } from 'node:crypto';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { RequestMethod } from '@nestjs/common';
import { digestOf } from '../src/features/modules/declared/module.js';
import { PackageProposals } from '../src/features/packages/proposals/package-proposals.service.js';
import { auditDeclarationOf } from '../src/entrypoints/admin/api/audited.decorator.js';
import { AuditLog } from '../src/access/audit/audit-log.service.js';
import { AuditAppendStore } from '../src/access/audit/audit-append.store.js';
import { AuditTrail } from '../src/access/audit/audit-trail.service.js';
import { storedEntries } from '../src/access/audit/testing.js';
import type { AuditBatch, AuditItem } from '../src/access/audit/audit-entry.js';
import { Database } from '../src/platform/database/database.js';
import { DatabaseUnavailable } from '../src/platform/database/database.errors.js';
import { ADMIN_PASSWORD, TestService } from './support/service.js';
import { sendToWebhook } from './support/webhook-sender.js';
import { until } from './support/until.js';

const WORKFLOW = (name: string, version = '1.0.0') => `document:
  dsl: '1.0.3'
  namespace: default
  name: ${name}
  version: '${version}'
do:
  - answer:
      set: { answer: 42 }
`;
const OPML = '<opml version="2.0"><body><outline type="rss" xmlUrl="http://127.0.0.1:9/feed"/></body></opml>';
const POLICY = 'permit (principal, action, resource);';
const MODULE = `export default { name: 'greet', description: 'Greets.', uses: { state: true, settings: { loud: { type: 'boolean' } } }, execute: () => 'Hello' };`;
const PACKAGE = Buffer.from('---\nname: review\ndescription: Use this to review.\n---\nRead it.\n').toString('base64');
const SECRET = 'known-to-nobody-0123456789';

type Body = Record<string, unknown>;
type Made = Record<string, string>;
interface Example {
  /** The path, which may depend on what previous examples created. */
  path: string | ((made: Made) => string);
  body?: unknown;
  /** Extracts from the response what later examples need. */
  makes?: (answer: Body) => Made;
  status?: number;
  /** What the audit entry records: a change of state (the default), a created or removed object, only the result, or nothing. */
  states?: 'changed' | 'made' | 'removed' | 'result' | 'none';
}

/** One call of every route that changes something, in an order in which each succeeds. */
const EXAMPLES: Record<string, Example> = {
  createAdministrator: { path: 'administrators', body: { name: 'ada', role: 'viewer' }, states: 'made' },
  updateAdministrator: { path: 'administrators/ada', body: { role: 'editor', groups: ['ops'], disabled: true } },
  setAdministratorPassword: { path: 'administrators/ada/password', body: {} },
  endAdministratorSession: { path: 'administrators/ada/sessions/none', status: 404, states: 'none' },
  endAdministratorSessions: { path: 'administrators/ada/sessions' },
  removeIdentity: { path: 'administrators/ada/identities/none', status: 404, states: 'none' },
  removeOwnIdentity: { path: 'account/identities/none', status: 404, states: 'none' },
  deleteAdministrator: { path: 'administrators/ada', states: 'removed' },
  createLoginProvider: {
    path: 'login-providers',
    body: { name: 'company', title: 'Company', issuer: 'https://login.example.com', clientId: 'x', secret: SECRET },
    states: 'made',
  },
  updateLoginProvider: { path: 'login-providers/company', body: { title: 'Our company' } },
  deleteLoginProvider: { path: 'login-providers/company', states: 'removed' },
  setOwnPassword: { path: 'account/password', body: { present: 'x', password: 'y' }, status: 400, states: 'none' },
  endOwnSession: { path: 'account/sessions/none', status: 404, states: 'none' },
  endOwnSessions: { path: 'account/sessions', states: 'none' },
  setSetting: { path: 'config/mcp.tool_timeout_ms', body: { value: 20_000 } },
  resetSetting: { path: 'config/mcp.tool_timeout_ms' },
  generateSecret: { path: 'config/knowledge.embeddings_key/generate', status: 400, states: 'none' },
  updateSkill: { path: 'skills/system_info', body: { enabled: false, timeoutMs: 500 } },
  trySkill: { path: 'skills/memory_search/try', body: { arguments: { query: 'x' } }, states: 'none' },
  subscribeToFeed: { path: 'feeds', body: { url: 'http://127.0.0.1:9/feed' }, status: 403, states: 'none' },
  importFeeds: { path: 'feeds/opml', body: { opml: OPML }, states: 'result' },
  updateFeed: { path: ({ feed }) => `feeds/${feed}`, body: { title: 'Mine' } },
  refreshFeed: { path: ({ feed }) => `feeds/${feed}/refresh` },
  unsubscribeFromFeed: { path: ({ feed }) => `feeds/${feed}`, states: 'removed' },
  createWorkflow: { path: 'workflows', body: { definition: WORKFLOW('sum') }, states: 'result' },
  updateWorkflow: { path: 'workflows/sum', body: { definition: WORKFLOW('sum', '1.1.0') } },
  setWorkflowEnabled: { path: 'workflows/sum/enabled', body: { enabled: true } },
  setCurrentWorkflowVersion: { path: 'workflows/sum/current', body: { version: '1.0.0' } },
  startWorkflow: {
    path: 'workflows/sum/start',
    body: { input: {} },
    states: 'result',
    makes: ({ id }) => ({ run: String(id) }),
  },
  testWorkflowTask: {
    path: 'workflows/sum/test-task',
    body: { task: '/do/0/answer', input: {} },
    states: 'result',
  },
  repeatRun: { path: ({ run }) => `runs/${run}/repeat`, body: {}, states: 'result' },
  repeatRuns: { path: 'runs/repeat', body: { filter: { name: 'sum' } }, states: 'result' },
  cancelRun: { path: ({ run }) => `runs/${run}/cancel` },
  answerRun: {
    path: ({ run }) => `runs/${run}/answers`,
    body: { step: 'x', action: 'accept' },
    status: 409,
    states: 'none',
  },
  deleteWorkflow: { path: 'workflows/sum', states: 'removed' },
  saveMemory: { path: 'memory', body: { namespace: 'web', key: 'colors', content: 'Blue.' }, states: 'result' },
  updateMemory: { path: 'memory/web/colors', body: { content: 'Red.' } },
  deleteMemory: { path: 'memory/web/colors', states: 'removed' },
  createDocument: {
    path: 'knowledge',
    body: { title: 'A', content: 'B' },
    states: 'result',
    makes: ({ id }) => ({ document: String(id) }),
  },
  updateDocument: { path: ({ document }) => `knowledge/${document}`, body: { content: 'C' } },
  deleteDocument: { path: ({ document }) => `knowledge/${document}`, states: 'removed' },
  restoreDocument: { path: ({ removed }) => `knowledge-trash/${removed}/restore`, states: 'result' },
  purgeDocument: { path: ({ removed }) => `knowledge-trash/${removed}`, states: 'removed' },
  importDocuments: { path: 'knowledge/import', body: { files: [{ path: 'a.md', content: '# A' }] }, states: 'result' },
  changeDocuments: {
    path: 'knowledge-documents/changes',
    body: { change: 'delete', documents: [{ id: 'a', version: 1 }] },
    states: 'result',
  },
  createWebhook: { path: 'webhooks', body: { name: 'orders', eventType: 'shop.order' }, states: 'result' },
  setWebhookEnabled: { path: 'webhooks/orders', body: { enabled: false } },
  rotateWebhookSecret: { path: 'webhooks/orders/rotate' },
  deleteWebhook: { path: 'webhooks/orders', states: 'removed' },
  setWorkflowSecret: { path: 'workflow-secrets/mail', body: { value: { token: SECRET } }, states: 'made' },
  deleteWorkflowSecret: { path: 'workflow-secrets/mail', states: 'removed' },
  endSession: { path: ({ session }) => `sessions/${session}`, states: 'none' },
  uploadSkillModule: { path: 'skill-modules', body: { file: 'greet.js', code: MODULE }, states: 'result' },
  approveSkillModule: {
    path: 'skill-modules/greet/approved',
    body: { version: 1, digest: digestOf({ 'greet.js': MODULE }) },
  },
  setSkillModuleEnabled: { path: 'skill-modules/greet/enabled', body: { enabled: false } },
  setSkillModuleSettings: { path: 'skill-modules/greet/settings', body: { values: { loud: true } } },
  deleteSkillModule: { path: 'skill-modules/greet', states: 'removed' },
  addSampleModule: { path: 'skill-module-samples/calculate', states: 'result' },
  uploadSkillPackage: { path: 'skill-packages', body: { file: 'SKILL.md', base64: PACKAGE }, states: 'result' },
  saveSkillPackage: {
    path: 'skill-packages/review',
    body: {
      files: [
        { path: 'SKILL.md', kind: 'base64', content: PACKAGE },
        { path: 'a.md', kind: 'text', content: 'New.' },
      ],
    },
  },
  setSkillPackageEnabled: { path: 'skill-packages/review/enabled', body: { enabled: false } },
  setCurrentSkillPackageVersion: { path: 'skill-packages/review/current', body: { version: 1 } },
  deleteSkillPackage: { path: 'skill-packages/review', states: 'removed' },
  restoreSkillPackage: { path: 'skill-packages/review/restore', states: 'result' },
  acceptSkillPackageProposal: {
    path: ({ proposal }) => `skill-package-proposals/${proposal}/accept`,
    body: { digest: 'sha256:0' },
    status: 409,
    states: 'none',
  },
  allowSignIn: { path: 'sign-ins/unknown/allow', status: 404, states: 'none' },
  denySignIn: { path: 'sign-ins/unknown/deny', status: 404, states: 'none' },
  endGrant: { path: 'grants/unknown', status: 404, states: 'none' },
  endOwnGrant: { path: 'account/grants/unknown', status: 404, states: 'none' },
  enterProgram: { path: 'programs', body: { name: 'P', redirectUris: ['https://example.com/'] }, states: 'result' },
  enterProgramDocument: {
    path: 'programs/documents',
    body: { name: 'P', documentUrl: 'https://example.com/p.json' },
    states: 'result',
  },
  removeProgram: { path: 'programs/https%3A%2F%2Fexample.com%2Fp.json', states: 'removed' },
  refuseSkillPackageProposal: { path: ({ proposal }) => `skill-package-proposals/${proposal}`, states: 'removed' },
  createPolicy: { path: 'policies', body: { name: 'all', policy: POLICY }, states: 'result' },
  updatePolicy: { path: 'policies/all', body: { enabled: false } },
  deletePolicy: { path: 'policies/all', states: 'removed' },
  createClient: { path: 'clients', body: { name: 'ci', groups: ['robots'] }, states: 'result' },
  updateClient: { path: 'clients/ci', body: { note: 'for builds' } },
  rotateClientKey: {
    path: 'clients/ci/keys',
    body: { overlapHours: 1 },
    makes: (answer) => ({ key: /"id":"([^"]+)"/.exec(JSON.stringify(answer))?.[1] ?? '' }),
  },
  revokeClientKey: { path: ({ key }) => `clients/ci/keys/${key}` },
  deleteClient: { path: 'clients/ci', states: 'removed' },
  logIn: { path: 'session', body: { password: ADMIN_PASSWORD }, states: 'none' },
  logOut: { path: 'session', states: 'none' },
};

const CHANGE_NOTHING = [
  'checkPolicy',
  'checkSkillPackage',
  'dryRunPolicy',
  'previewImport',
  'startLink',
  'testPolicies',
  'testLoginProvider',
  'validateWorkflow',
];
const METHODS = ['post', 'put', 'patch', 'delete'];

describe('the audit of the administration', () => {
  let service: TestService;
  TestService.forSuite((started) => (service = started), { imports: [DiscoveryModule] });

  const newest = async (query = ''): Promise<AuditItem[]> => {
    await service.app.get(AuditLog).flush();
    return (await service.admin('GET', `audit?limit=200&${query}`)).body['items'] as AuditItem[];
  };

  /** Like `admin`, for responses that may not be JSON. */
  const send = async (method: string, path: string, body?: unknown): Promise<{ status: number; body: Body }> => {
    const answer = await service.askAdmin(method.toUpperCase(), path, body);
    const text = await answer.text();
    return { status: answer.status, body: text.startsWith('{') ? (JSON.parse(text) as Body) : {} };
  };

  it('is declared for every route that changes something', () => {
    const handlers = service.app
      .get(DiscoveryService)
      .getControllers()
      .flatMap(({ metatype }) => {
        const prototype = (metatype as { prototype?: object } | null)?.prototype ?? {};
        const path: unknown = metatype && Reflect.getMetadata('path', metatype);
        if (typeof path !== 'string' || !path.startsWith('admin/api')) return [];
        return Object.getOwnPropertyNames(prototype).map(
          (name) => [`${path} ${name}`, Reflect.get(prototype, name)] as const,
        );
      })
      .filter(([, handler]) => {
        const method = Reflect.getMetadata(METHOD_METADATA, handler as object) as RequestMethod | undefined;
        return method !== undefined && method !== RequestMethod.GET;
      });
    expect(handlers.length).toBeGreaterThan(30);
    expect(
      handlers.filter(([, handler]) => auditDeclarationOf(handler as object) === undefined).map(([name]) => name),
    ).toEqual([]);
    const changeNothing = handlers.filter(([, handler]) => auditDeclarationOf(handler as object) === null);
    expect(changeNothing.map(([name]) => name).sort()).toEqual([
      'admin/api/account/identities start',
      'admin/api/knowledge previewImport',
      'admin/api/login-providers test',
      'admin/api/policies check',
      'admin/api/policies dryRun',
      'admin/api/policies test',
      'admin/api/skill-packages check',
      'admin/api/workflows validate',
    ]);
  });

  it('has an entry with who, before and after for every change', async () => {
    const { paths } = (await service.admin('GET', 'openapi.json')).body as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const methodOf = new Map(
      Object.values(paths).flatMap((item) =>
        Object.entries(item)
          .filter(([method]) => METHODS.includes(method))
          .map(([method, { operationId }]) => [operationId, method] as const),
      ),
    );
    for (const operationId of CHANGE_NOTHING) methodOf.delete(operationId);
    expect(Object.keys(EXAMPLES).sort()).toEqual([...methodOf.keys()].sort());
    const proposed = { name: 'drafts', description: 'x', instructions: 'y', files: [], author: 'ide' };
    await service.app.get(PackageProposals).propose(proposed);
    const [proposal] = await service.app.get(PackageProposals).listOpen();
    let made: Made = {
      session: (await service.openSession())['mcp-session-id'] ?? '',
      proposal: `${proposal?.id}`,
    };
    for (const [operationId, { path, body, makes, status = 0, states = 'changed' }] of Object.entries(EXAMPLES)) {
      const where = typeof path === 'string' ? path : path(made);
      const [previous] = await newest();
      const answer = await send(methodOf.get(operationId) ?? '', where, body);
      const told = { operationId, status: answer.status, body: answer.body };
      if (status >= 400) expect(told).toMatchObject({ operationId, status });
      else expect([told, answer.status < 300]).toEqual([told, true]);
      if (makes) made = { ...made, ...makes(answer.body) };
      if (operationId === 'importFeeds') {
        const feeds = (await service.admin('GET', 'feeds')).body['items'] as { id: string }[];
        made['feed'] = feeds[0]?.id ?? '';
      }
      if (operationId === 'restoreDocument') await service.admin('DELETE', `knowledge/${made['document']}`);
      if (operationId === 'deleteDocument' || operationId === 'restoreDocument') {
        const removed = (await service.admin('GET', 'knowledge-trash')).body['items'] as { id: string }[];
        made['removed'] = removed[0]?.id ?? '';
      }
      const entries = (await newest()).filter(({ seq }) => seq > (previous?.seq ?? 0));
      const entry = entries.find(({ action }) => action === operationId);
      expect({ operationId, entry }).toMatchObject({
        operationId,
        entry: { subject: where, address: expect.stringContaining('127.0.0.1') as string, admin: 'admin' },
      });
      expect({ operationId, outcome: entry?.outcome }).toEqual({
        operationId,
        outcome: status >= 400 ? 'error' : operationId === 'trySkill' ? 'started' : 'ok',
      });
      const shape = { before: stateOf(entry?.before), after: stateOf(entry?.after) };
      if (states === 'changed')
        expect({ operationId, ...shape }).toEqual({ operationId, before: 'there', after: 'there' });
      if (states === 'made') expect({ operationId, ...shape }).toEqual({ operationId, before: 'null', after: 'there' });
      if (states === 'removed')
        expect({ operationId, ...shape }).toEqual({ operationId, before: 'there', after: 'null' });
      if (states === 'result')
        expect({ operationId, ...shape }).toEqual({ operationId, before: 'unknown', after: 'there' });
      const named: unknown = answer.body['uri'] ?? answer.body['id'] ?? answer.body['name'];
      if (states === 'result') expect({ operationId, named: entry?.resource }).toEqual({ operationId, named });
    }
  });

  it('says where a secret may go, before and after', async () => {
    const change = (body: object) => service.admin('PUT', 'workflow-secrets/limited', body);
    await change({ value: SECRET });
    await change({ hosts: ['api.example.com'], skills: ['deploy'] });
    const [{ before, after } = { before: null, after: null }] = await newest('q=workflow-secrets/limited');
    expect(before).toMatchObject({ name: 'limited', hosts: null, skills: null });
    expect(after).toMatchObject({ name: 'limited', hosts: ['api.example.com'], skills: ['deploy'] });
  });

  it('names what a call has made', async () => {
    await service.postStateless('tools/call', { name: 'knowledge_save', arguments: { title: 'Made', content: 'x' } });
    await service.postStateless('tools/call', { name: 'memory_search', arguments: { query: 'x' } });
    const [search, save] = await newest('kind=call&client=default&outcome=ok');
    expect(save).toMatchObject({ subject: 'knowledge_save', resource: 'knowledge://documents/made' });
    expect(search?.resource).toBeUndefined();
  });

  it('counts messages to webhooks that were refused, by kind', async () => {
    const created = await service.admin('POST', 'webhooks', { name: 'signed', eventType: 'a.b' });
    const secret = String(created.body['secret']);
    const wrong = `whsec_${Buffer.alloc(32).toString('base64')}`;
    for (let n = 0; n < 3; n += 1) {
      await sendToWebhook(service, 'signed', { secret: wrong });
      await sendToWebhook(service, 'none', { secret: wrong });
      await sendToWebhook(service, 'signed', { secret, body: JSON.stringify('x'.repeat(300 * 1024)) });
    }
    await sendToWebhook(service, 'signed', { secret });
    await service.app.get(AuditTrail).tick();
    const told = (await newest('kind=webhook_refused')).map(({ subject, outcome, count }) => [subject, outcome, count]);
    expect(told.sort()).toEqual([
      ['/hooks/none', 'unknown', 1],
      ['/hooks/none', 'unknown', 2],
      ['/hooks/signed', 'denied', 1],
      ['/hooks/signed', 'denied', 2],
      ['/hooks/signed', 'invalid', 1],
      ['/hooks/signed', 'invalid', 2],
    ]);
  });

  it('says what has changed', async () => {
    await service.admin('PUT', 'config/mcp.tool_timeout_ms', { value: 1_000 });
    await service.admin('PUT', 'config/mcp.tool_timeout_ms', { value: 2_000 });
    const [entry] = await newest('tool=config/mcp.tool_timeout_ms');
    expect(entry).toMatchObject({ kind: 'change', before: { value: 1_000 }, after: { value: 2_000 } });
  });

  it('never holds a secret', async () => {
    const webhook = await service.admin('POST', 'webhooks', { name: 'x', eventType: 'a.b' });
    const rotated = await service.admin('POST', 'webhooks/x/rotate');
    const client = await service.admin('POST', 'clients', { name: 'leak' });
    const administrator = await service.admin('POST', 'administrators', { name: 'leak', role: 'viewer' });
    await service.admin('PUT', 'config/knowledge.embeddings_url', { value: 'https://api.example.com/v1' });
    await service.admin('PUT', 'config/knowledge.embeddings_key', { value: SECRET });
    await service.admin('PUT', 'workflow-secrets/mail', { value: { token: SECRET, plain: SECRET } });
    await service.admin('POST', 'session', { password: `${SECRET}-wrong` });
    await service.post({}, { authorization: `Bearer ${SECRET}` });
    await newest();
    const database = service.app.get(Database);
    const terms = await database.selectFrom('audit_terms').select('term').execute();
    const all = JSON.stringify([await storedEntries(database), terms]);
    const shown = [client.body['key'], administrator.body['password']];
    for (const secret of [...shown, webhook.body['secret'], rotated.body['secret'], SECRET, ADMIN_PASSWORD]) {
      expect(typeof secret === 'string' && secret.length > 8).toBe(true);
      expect(all).not.toContain(String(secret).slice(-12));
    }
  });

  it('records wrong passwords and keys: the first at once, then their number', async () => {
    for (let n = 0; n < 3; n += 1) {
      await fetch(`${service.origin}/admin/api/overview`, {
        headers: { authorization: `Basic ${Buffer.from('eve:guess').toString('base64')}` },
      });
      await service.post({}, { authorization: 'Bearer wrong' });
      await fetch(service.mcpUrl, { method: 'POST' });
    }
    const counted = async (kind: string) =>
      (await newest(`kind=${kind}`)).map(({ outcome, count, admin }) => ({ outcome, count, ...(admin && { admin }) }));
    const first = { outcome: 'denied', count: 1 };
    // After one wrong password, without a name, and one wrong key.
    const firstLogin = { ...first, admin: 'admin' };
    expect(await counted('login_failed')).toEqual([firstLogin]);
    expect(await counted('wrong_key')).toEqual([{ outcome: 'missing', count: 1 }, first]);
    await service.app.get(AuditTrail).tick();
    expect(await counted('login_failed')).toEqual([{ outcome: 'denied', count: 3, admin: 'eve' }, firstLogin]);
    expect((await counted('wrong_key')).slice(0, 2)).toEqual([
      { outcome: 'missing', count: 2 },
      { outcome: 'denied', count: 3 },
    ]);
    expect(JSON.stringify(await newest())).not.toContain('guess');
  });

  it('records calls with who, what, outcome and where from', async () => {
    await service.postStateless('tools/call', { name: 'memory_search', arguments: { query: 'blue' } });
    await service.postStateless('tools/call', { name: 'no_such_tool', arguments: { password: 'x' } });
    const [unknown, call] = await newest('kind=call&client=default');
    const args = { arguments: { password: '[redacted]' }, argumentsCut: true };
    expect(unknown).toMatchObject({ subject: 'no_such_tool', outcome: 'unknown', ...args });
    expect(call).toMatchObject({
      client: 'default',
      subject: 'memory_search',
      arguments: { query: 'blue' },
      protocol: '2026-07-28',
      decision: 'allow',
    });
  });

  it('can be exported, filtered and verified', async () => {
    const res = await service.askAdmin('GET', 'audit/export?kind=change');
    expect(res.headers.get('content-type')).toContain('application/jsonl');
    const lines = (await res.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditItem);
    expect(lines.length).toBeGreaterThan(30);
    expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(['change']));
    expect((await service.admin('GET', 'audit/verify')).body).toMatchObject({ isComplete: true, broken: null });
    expect((await service.admin('GET', `audit/${lines[0]?.seq}`)).body).toEqual(lines[0]);
    const { body } = await service.admin('GET', `audit/${lines[0]?.seq}/batch`);
    const batch = body as Record<string, unknown> & AuditBatch;
    expect(hash('sha256', `${batch.previousHash}\n${batch.text}`, 'hex')).toBe(batch.hash);
    const { seq = 0, hash: hashOfBatch, ...record } = lines[0] ?? {};
    expect(batch.text.split('\n')[seq - batch.firstSeq]).toBe(JSON.stringify(record));
    expect([hashOfBatch, batch.lastSeq]).toEqual([batch.hash, batch.firstSeq + batch.text.split('\n').length - 1]);
    expect((await service.admin('GET', 'audit/999999')).body).toMatchObject({ code: 'audit.entry_not_found' });
    const found = await newest('q=COLORS');
    expect(found).not.toEqual([]);
    expect(found.filter((item) => !JSON.stringify(item).includes('colors'))).toEqual([]);
    expect(await newest('from=2100-01-01T00:00:00Z')).toEqual([]);
    expect(await newest('to=2001-01-31T10:15:00.123456%2B02:00')).toEqual([]);
  });

  it.each(['5', '2026-01-31 10:15', '2026-01-31T10:15:00', 'yesterday'])(
    'refuses the time %s, which would be another one in another time zone',
    async (time) => {
      const { status, body } = await service.admin('GET', `audit?${new URLSearchParams({ from: time }).toString()}`);
      expect([status, body['detail']]).toEqual([400, expect.stringContaining('from must be a time with its offset')]);
    },
  );

  it('keeps changes from being made while it cannot be written', async () => {
    const store = service.app.get(AuditAppendStore, { strict: false });
    const append = store.append.bind(store);
    store.append = () => Promise.reject(new DatabaseUnavailable('full', { cause: null, isLasting: true }));
    const value = async () => (await service.admin('GET', 'config/mcp.tool_timeout_ms')).body['value'];
    const first = await service.admin('PUT', 'config/mcp.tool_timeout_ms', { value: 7_000 });
    expect(first).toMatchObject({ status: 503, body: { code: 'audit.unavailable' } });
    const former = await value();
    const second = await service.admin('PUT', 'config/mcp.tool_timeout_ms', { value: 8_000 });
    expect(second).toMatchObject({ status: 503, body: { code: 'audit.unavailable' } });
    expect(await value()).toBe(former);
    store.append = append;
    await until(
      async () => (await service.admin('PUT', 'config/mcp.tool_timeout_ms', { value: 9_000 })).status === 200,
    );
    const changes = await newest('tool=config/mcp.tool_timeout_ms');
    expect(changes.slice(0, 2)).toMatchObject([{ after: { value: 9_000 } }, { after: { value: 7_000 } }]);
  });
});

const stateOf = (state: unknown): string => (state === undefined ? 'unknown' : state === null ? 'null' : 'there');
