import { digestOf } from '../../src/features/modules/declared/module.js';

const POLICY = 'permit (principal, action, resource);\n';

const workflow = (name: string): string => `
document: { dsl: '1.0.3', namespace: test, name: ${name}, version: '1.0.0' }
do:
  - answer:
      set: { done: true }
`;

const skillText = (name: string): string => `---\nname: ${name}\ndescription: Does something.\n---\nDo it.\n`;
const skill = (name: string): string => Buffer.from(skillText(name)).toString('base64');

const moduleOf = (name: string): string =>
  `export default { name: 'does-${name}', description: 'Does something.', uses: { settings: { a: { type: 'string' } } }, execute: () => 'done' };`;

/** The name of the existing objects that requests change. */
export const SUBJECT = 'subject';

export interface Named {
  /** For new objects. */
  name: string;
  documentId: string;
  /** The origin of a feed server. */
  origin: string;
}

/** Bodies with all members of their schemas, by operation. */
export const completeBodies = ({ name, documentId, origin }: Named): Readonly<Record<string, unknown>> => ({
  'POST /admin/api/session': { user: 'admin', password: 'a-wrong-password' },
  'PUT /admin/api/account/password': { present: 'a-wrong-password', password: 'another-long-password' },
  'PUT /admin/api/config/{key}': { value: 3_000 },
  'PUT /admin/api/skills/{name}': { enabled: true, timeoutMs: 5_000, maxResultBytes: 100_000 },
  'POST /admin/api/skills/{name}/try': { arguments: {} },
  'POST /admin/api/knowledge': { title: name, content: '# Text', tags: ['a'] },
  'PUT /admin/api/knowledge/{id}': { title: name, content: `# ${name}`, tags: ['a'] },
  'POST /admin/api/knowledge-documents/changes': {
    change: 'tag',
    documents: [{ id: documentId, version: 1 }],
    addTags: ['b'],
    removeTags: ['c'],
  },
  'POST /admin/api/knowledge/import/preview': { files: [importedFile(name)] },
  'POST /admin/api/knowledge/import': { files: [importedFile(name)] },
  'POST /admin/api/memory': { ...memory, namespace: 'shared', key: name },
  'PUT /admin/api/memory/{namespace}/{key}': memory,
  'POST /admin/api/administrators': { name, role: 'viewer', password: 'a-long-password' },
  'PUT /admin/api/administrators/{name}': { role: 'editor', groups: ['ops'], disabled: false },
  'POST /admin/api/administrators/{name}/password': { password: 'a-long-password' },
  'POST /admin/api/login-providers': { ...provider, name },
  'PUT /admin/api/login-providers/{name}': provider,
  'POST /admin/api/feeds': { url: `${origin}/${name}` },
  'PATCH /admin/api/feeds/{id}': { title: name, intervalMinutes: 60, paused: true },
  'POST /admin/api/feeds/opml': { opml: '<opml version="2.0"><body><outline text="a"/></body></opml>' },
  'POST /admin/api/clients': { ...client, name },
  'PUT /admin/api/clients/{name}': client,
  'POST /admin/api/clients/{name}/keys': { overlapHours: 1 },
  'POST /admin/api/policies': { name, policy: POLICY, enabled: false },
  'PUT /admin/api/policies/{name}': { policy: POLICY, enabled: false },
  'POST /admin/api/policies/check': { policy: POLICY },
  'POST /admin/api/policies/test': {
    client: name,
    groups: ['docs'],
    action: 'callTool',
    resource: 'system_info',
    arguments: {},
    program: 'a-program',
    protocolVersion: '2026-07-28',
    hour: 8,
    weekday: 'monday',
    workflow: name,
    draft: { name, policy: POLICY },
  },
  'POST /admin/api/policies/dry-run': { draft: { name, policy: POLICY } },
  'POST /admin/api/skill-modules': { file: `${name}.js`, code: moduleOf(name), base64: '' },
  'PUT /admin/api/skill-modules/{name}/enabled': { enabled: true },
  'PUT /admin/api/skill-modules/{name}/approved': { version: 1, digest: digestOf({ [`${name}.js`]: moduleOf(name) }) },
  'PUT /admin/api/skill-modules/{name}/settings': { values: { a: 'b' } },
  'POST /admin/api/skill-packages': { file: 'SKILL.md', base64: skill(name.toLowerCase()) },
  'POST /admin/api/skill-packages/check': {
    name: SUBJECT,
    skillFile: skillText(SUBJECT),
    files: [{ path: 'references/GUIDE.md', size: 5 }],
  },
  'PUT /admin/api/skill-packages/{name}': {
    files: [
      { path: 'SKILL.md', kind: 'base64', content: skill(SUBJECT) },
      { path: 'references/GUIDE.md', kind: 'text', content: 'Read.' },
    ],
  },
  'PUT /admin/api/skill-packages/{name}/enabled': { enabled: true },
  'PUT /admin/api/skill-packages/{name}/current': { version: 1 },
  'POST /admin/api/programs': { name, redirectUris: ['https://example.com/callback'], hasSecret: true },
  'POST /admin/api/programs/documents': { name, documentUrl: `https://example.com/${name}.json` },
  'POST /admin/api/skill-package-proposals/{id}/accept': { digest: 'sha256:0' },
  'POST /admin/api/workflows': { definition: workflow(name), makeCurrent: true },
  'POST /admin/api/workflows/validate': { definition: workflow(name) },
  'PUT /admin/api/workflows/{name}': { definition: workflow(SUBJECT), makeCurrent: true },
  'PUT /admin/api/workflows/{name}/enabled': { enabled: true },
  'PUT /admin/api/workflows/{name}/current': { version: '1.0.0' },
  'POST /admin/api/workflows/{name}/start': { input: {}, event: { data: {} }, version: '1.0.0', idempotencyKey: name },
  'POST /admin/api/workflows/{name}/test-task': { task: '/do/0/answer', input: {}, variables: { item: 1 } },
  'POST /admin/api/runs/repeat': {
    filter: { name, status: 'failed', client: 'admin', isTest: false, isAsking: false },
    version: 'own',
  },
  'POST /admin/api/runs/{id}/answers': { step: 'a-step', action: 'accept', content: {} },
  'POST /admin/api/runs/{id}/repeat': { step: '/do/0/answer', input: {}, version: 'own' },
  'POST /admin/api/webhooks': { name, eventType: 'shop.order.placed' },
  'PUT /admin/api/webhooks/{name}': { enabled: true },
  'PUT /admin/api/workflow-secrets/{name}': {
    value: { user: 'a-key', password: '' },
    hosts: ['a.example'],
    skills: ['system_info'],
  },
});

const memory = { content: 'a fact', tags: ['a'], importance: 3, expiresInDays: 7 };

const provider = {
  title: 'Company',
  issuer: 'https://login.example.com',
  clientId: 'agent-service',
  secret: 'of-the-service',
  scopes: ['openid'],
  personClaim: 'sub',
  groupsClaim: 'groups',
  rules: [{ group: 'IT', role: 'editor', groups: ['ops'] }],
  makesAccounts: false,
  defaultRole: 'member',
  enabled: true,
};

const client = {
  note: 'of a test',
  groups: ['docs'],
  expiresAt: '2099-01-01T00:00:00Z',
  limits: { requestsPerMinute: 100, calls: 5, streams: 5, sessions: 5 },
};

const importedFile = (name: string) => ({
  path: `docs/${name}.md`,
  content: '# Text',
  base64: null,
  version: null,
  type: null,
});
