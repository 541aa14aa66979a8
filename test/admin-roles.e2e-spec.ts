import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { Administrators } from '../src/access/accounts/administrators.service.js';
import { ADMIN_PASSWORD, TestService } from './support/service.js';

type Role = 'member' | 'viewer' | 'editor' | 'admin';
type Who = 'nobody' | Role;

/**
 * The permissions of each role, which include those of the roles before it. A new route needs a row here. Without
 * `@NeedsRole`, reading requires viewer and everything else requires admin. Reads have the id after which generated clients name
 * their methods, so it must not change; the ids of changes are in the audit log, too.
 */
const ROUTES: Record<Who, readonly string[]> = {
  nobody: [
    'GET openapi.json',
    'POST session',
    'GET sso/providers listLoginChoices',
    'GET sso/callback finishLogin',
    'GET sso/{provider}/start startLogin',
  ],
  member: [
    'GET session getIdentity',
    'DELETE session',
    'GET account getAccount',
    'PUT account/password',
    'GET account/sessions listOwnSessions',
    'DELETE account/sessions',
    'DELETE account/sessions/{id}',
    'GET account/identities listOwnIdentities',
    'POST account/identities/{provider}',
    'DELETE account/identities/{id}',
    'GET account/grants listOwnGrants',
    'DELETE account/grants/{id}',
    'GET sign-ins/{id} getSignIn',
    'POST sign-ins/{id}/allow',
    'POST sign-ins/{id}/deny',
  ],
  viewer: [
    'GET overview getOverview',
    'GET overview/own-page getOwnPagePass',
    'GET overview/sign-in getSignInAddress',
    'GET config listSettings',
    'GET config/{key} getSetting',
    'GET skills listSkills',
    'GET skills/{name} getSkill',
    'GET sessions listSessions',
    'GET grants listGrants',
    'GET programs listPrograms',
    'GET skill-modules listSkillModules',
    'GET skill-modules/{name} getSkillModule',
    'GET skill-modules/{name}/settings getSkillModuleSettings',
    'GET skill-modules/{name}/versions/{version}/code getSkillModuleCode',
    'GET skill-module-samples listSampleModules',
    'GET llm-usage getLlmUsage',
    'GET skill-packages listSkillPackages',
    'GET skill-packages/{name} getSkillPackage',
    'GET skill-packages/{name}/versions/{version}/file getSkillPackageFile',
    'GET skill-packages/{name}/versions/{version}/archive downloadSkillPackage',
    'GET skill-packages/{name}/versions/{version}/since/{before} compareSkillPackageVersions',
    'GET skill-package-proposals listSkillPackageProposals',
    'GET skill-package-proposals/{id} getSkillPackageProposal',
    'GET feed-items searchFeedItems',
    'GET feed-items/{feed}/{id} getFeedItem',
    'GET knowledge listDocuments',
    'GET knowledge/{id} getDocument',
    'GET knowledge/{id}/history getDocumentHistory',
    'GET knowledge/{id}/history/{version} getDocumentVersion',
    'GET knowledge/export exportDocuments',
    'GET knowledge/embeddings getEmbeddings',
    'GET knowledge-documents/count countDocuments',
    'GET knowledge-documents/matching listMatchingDocuments',
    'GET knowledge-documents/tags listTags',
    'GET knowledge-trash listRemovedDocuments',
    'GET knowledge-trash/{id} getRemovedDocument',
    'GET memory listMemory',
    'GET memory/namespaces listNamespaces',
    'GET memory/{namespace}/{key} getMemory',
    'GET memory/{namespace}/{key}/history getMemoryHistory',
    'GET feeds listFeeds',
    'GET feeds/{id} getFeed',
    'GET feeds/{id}/items listFeedItems',
    'GET feeds/opml exportFeeds',
    'GET workflows listWorkflows',
    'GET workflows/schema getWorkflowSchema',
    'GET workflows/{name} getWorkflow',
    'GET workflows/{name}/versions listWorkflowVersions',
    'GET workflows/{name}/versions/{version} getWorkflowVersion',
    'GET runs listRuns',
    'GET runs/questions listQuestions',
    'GET runs/{id} getRun',
    'GET runs/{id}/step getRunStep',
    'GET runs/{id}/steps listRunSteps',
    'GET webhooks listWebhooks',
    'GET clients listClients',
    'GET clients/{name} getClient',
    'GET clients/{name}/tools listClientTools',
    'GET client-groups listClientGroups',
    'GET policies listPolicies',
    'GET policies/{name} getPolicy',
    'GET policies/templates listPolicyTemplates',
    'POST policies/check',
    'POST policies/test',
    'POST policies/dry-run',
    'GET audit listAudit',
    'GET audit/export exportAudit',
    'GET audit/verify verifyAudit',
    'GET audit/{seq} getAuditEntry',
    'GET audit/{seq}/batch getAuditBatch',
  ],
  editor: [
    'POST skills/{name}/try',
    'POST skill-packages',
    'POST skill-packages/check',
    'PUT skill-packages/{name}',
    'DELETE skill-packages/{name}',
    'POST skill-packages/{name}/restore',
    'PUT skill-packages/{name}/enabled',
    'PUT skill-packages/{name}/current',
    'POST skill-package-proposals/{id}/accept',
    'DELETE skill-package-proposals/{id}',
    'POST knowledge',
    'POST knowledge/import',
    'POST knowledge/import/preview',
    'POST knowledge-documents/changes',
    'PUT knowledge/{id}',
    'DELETE knowledge/{id}',
    'POST knowledge-trash/{id}/restore',
    'DELETE knowledge-trash/{id}',
    'POST memory',
    'PUT memory/{namespace}/{key}',
    'DELETE memory/{namespace}/{key}',
    'POST feeds',
    'POST feeds/opml',
    'PATCH feeds/{id}',
    'DELETE feeds/{id}',
    'POST feeds/{id}/refresh',
    'POST workflows',
    'POST workflows/validate',
    'PUT workflows/{name}',
    'DELETE workflows/{name}',
    'PUT workflows/{name}/enabled',
    'PUT workflows/{name}/current',
    'POST workflows/{name}/start',
    'POST workflows/{name}/test-task',
    'POST runs/repeat',
    'POST runs/{id}/cancel',
    'POST runs/{id}/answers',
    'POST runs/{id}/repeat',
    'POST webhooks',
    'PUT webhooks/{name}',
    'DELETE webhooks/{name}',
    'POST webhooks/{name}/rotate',
    'GET workflow-secrets listWorkflowSecrets',
  ],
  admin: [
    'DELETE grants/{id}',
    'POST programs',
    'POST programs/documents',
    'DELETE programs/{id}',
    'POST clients',
    'PUT clients/{name}',
    'DELETE clients/{name}',
    'POST clients/{name}/keys',
    'DELETE clients/{name}/keys/{id}',
    'POST policies',
    'PUT policies/{name}',
    'DELETE policies/{name}',
    'PUT config/{key}',
    'DELETE config/{key}',
    'POST config/{key}/generate',
    'PUT skills/{name}',
    'POST skill-modules',
    'DELETE skill-modules/{name}',
    'PUT skill-modules/{name}/enabled',
    'PUT skill-modules/{name}/approved',
    'PUT skill-modules/{name}/settings',
    'POST skill-module-samples/{name}',
    'DELETE sessions/{id}',
    'PUT workflow-secrets/{name}',
    'DELETE workflow-secrets/{name}',
    'GET login-providers listLoginProviders',
    'POST login-providers',
    'GET login-providers/{name} getLoginProvider',
    'PUT login-providers/{name}',
    'DELETE login-providers/{name}',
    'POST login-providers/{name}/test',
    'GET administrators listAdministrators',
    'POST administrators',
    'GET administrators/{name} getAdministrator',
    'PUT administrators/{name}',
    'DELETE administrators/{name}',
    'POST administrators/{name}/password',
    'GET administrators/{name}/sessions listAdministratorSessions',
    'GET administrators/{name}/identities listIdentities',
    'DELETE administrators/{name}/identities/{id}',
    'DELETE administrators/{name}/sessions',
    'DELETE administrators/{name}/sessions/{id}',
  ],
};

/** A body that matches no schema. */
const UNKNOWN = '{"nothing":"known"}';

const ROLES: readonly Role[] = ['member', 'viewer', 'editor', 'admin'];
const API = '/admin/api/';
const ROWS = Object.entries(ROUTES).flatMap(([who, rows]) =>
  rows.map((row) => {
    const [method = '', path = '', operationId] = row.split(' ');
    return { route: `${method} ${path}`, who: who as Who, operationId };
  }),
);
const NEEDS = ROWS.map(({ route, who }) => [route, who] as const);

type Described = Record<string, { operationId: string }>;

interface Layer {
  route?: { path: string | string[]; methods: Record<string, boolean> };
}

/** Every route below /admin/api/ that Express knows, whether it is in the OpenAPI document or not. */
function routesOf(service: TestService): string[] {
  const { router }: { router: unknown } = service.app.getHttpAdapter().getInstance();
  const routes = (router as { stack: Layer[] }).stack.flatMap(({ route }) => {
    const paths = [route?.path ?? []].flat();
    const methods = Object.keys(route?.methods ?? {}).map((method) => method.toUpperCase());
    return paths.flatMap((path) => methods.map((method) => [method, path] as const));
  });
  return routes
    .filter(([, path]) => path.startsWith(API))
    .map(([method, path]) => `${method} ${path.slice(API.length).replace(/:(\w+)/g, '{$1}')}`);
}

describe('the roles of administrators', () => {
  let service: TestService;
  const authorizations: Partial<Record<Who, string>> = {};
  TestService.forSuite(async (started) => {
    service = started;
    const administrators = service.app.get(Administrators);
    for (const role of ['member', 'viewer', 'editor'] as const) {
      const password = await administrators.create(`a-${role}`, role, null);
      authorizations[role] = `Basic ${Buffer.from(`a-${role}:${password}`).toString('base64')}`;
    }
    authorizations.admin = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;
  });

  /** Sends a request with the literal path, and a body that matches no schema, so that nothing is changed. */
  const ask = async (who: Who, method: string, path: string, headers: Record<string, string> = {}) => {
    const isChange = !['GET', 'HEAD', 'OPTIONS'].includes(method);
    const authorization = authorizations[who];
    const sent = request(service.origin, {
      method,
      path,
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(isChange && { 'content-type': 'application/json', 'content-length': UNKNOWN.length }),
        ...headers,
      },
    });
    sent.end(isChange ? UNKNOWN : undefined);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const body = await text(response);
    const isProblem = response.headers['content-type']?.includes('problem') && body !== '';
    return {
      status: response.statusCode ?? 0,
      body,
      code: isProblem ? (JSON.parse(body) as { code: string }).code : '',
    };
  };
  const pathOf = (route: string) => API + (route.split(' ')[1] ?? '').replace(/\{\w+\}/g, 'no-such-thing');

  it('are in one table, which has every route', async () => {
    const rows = NEEDS.map(([route]) => route).sort();
    const { paths } = (await service.admin('GET', 'openapi.json')).body as { paths: Record<string, Described> };
    const idOf = new Map(
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { operationId }]) => [
          `${method.toUpperCase()} ${path.slice(API.length)}`,
          operationId,
        ]),
      ),
    );
    expect(rows).toEqual(routesOf(service).sort());
    expect(rows.filter((route) => !idOf.has(route))).toEqual(['GET openapi.json']);
    const reads = ROWS.filter(({ route }) => route.startsWith('GET '));
    expect(reads.filter(({ route, operationId }) => idOf.get(route) !== operationId)).toEqual([]);
    expect(new Set(rows).size).toBe(rows.length);
  });

  it('are there where the manual names them', () => {
    const pages = readdirSync('docs').filter((name) => name.endsWith('.md'));
    const manual = pages.map((name) => readFileSync(`docs/${name}`, 'utf8')).join('\n');
    const routes = NEEDS.map(([route]) => {
      const [method = '', path = ''] = route.split(' ');
      return new RegExp(`^(?:${method} )?${API}${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    });
    const named = manual.match(/(?:\b(?:GET|POST|PUT|PATCH|DELETE) )?\/admin\/api\/[\w/{}.-]*[\w}]/g) ?? [];
    expect(named.filter((text) => !routes.some((route) => route.test(text)))).toEqual([]);
  });

  it.each(NEEDS)('%s needs %s', async (route, needed) => {
    const [method = ''] = route.split(' ');
    const answers: Record<string, string> = {};
    for (const who of ['nobody', ...ROLES] as const) {
      const { status, code } = await ask(who, method, pathOf(route));
      answers[who] =
        code === 'admin.forbidden_role' || code === 'admin.not_authenticated' ? `${status} ${code}` : 'passes';
    }
    const expected = Object.fromEntries(
      (['nobody', ...ROLES] as const).map((who) => [
        who,
        needed === 'nobody' || (who !== 'nobody' && ROLES.indexOf(who) >= ROLES.indexOf(needed))
          ? 'passes'
          : who === 'nobody'
            ? '401 admin.not_authenticated'
            : '403 admin.forbidden_role',
      ]),
    );
    expect(answers).toEqual(expected);
  });

  it('say which role is needed', async () => {
    const { body } = await ask('viewer', 'POST', `${API}knowledge`);
    expect(JSON.parse(body)).toMatchObject({
      status: 403,
      detail: 'this needs the role editor, and a-viewer has the role viewer: ask somebody with the role admin',
    });
  });

  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])('take no notice of %s', async (header) => {
    const path = `${API}config/mcp.tool_timeout_ms`;
    expect((await ask('viewer', 'GET', path, { [header]: 'DELETE' })).body).toContain('"key"');
    expect((await ask('viewer', 'POST', path, { [header]: 'PUT' })).status).toBe(404);
    expect((await ask('viewer', 'POST', `${path}?_method=PUT`, { [header]: 'GET' })).status).toBe(404);
  });

  it('are the same however the path is written', async () => {
    const writings = [
      `/ADMIN/api/administrators`,
      `/admin/API/administrators`,
      `/admin/api/administrators/`,
      `/admin/api/administrators?role=admin`,
      `/admin/api/%61dministrators`,
      `/admin/api//administrators`,
      `//admin/api/administrators`,
      `/admin//api/administrators`,
      `/admin/api/x/../administrators`,
      `/admin/api/./administrators`,
      `/admin/api%2Fadministrators`,
      `/admin%2fapi/administrators`,
      `/admin/api/administrators%2F`,
      `/admin/api/administrators;x=1`,
      `/admin\\api\\administrators`,
      `/admin/api/administrators/%2e%2e/administrators`,
      `/admin/api/administrators%00`,
      `/admin/api/session/../administrators`,
    ];
    for (const writing of writings) {
      for (const who of ['nobody', 'member', 'viewer', 'editor'] as const) {
        const { status, body } = await ask(who, 'GET', writing);
        expect([writing, who, body.includes('passwordChangedAt')]).toEqual([writing, who, false]);
        expect([writing, status]).not.toEqual([writing, 500]);
      }
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const { code = '' } = await ask('editor', method, `${writing}/a-editor`);
        expect([writing, method, code]).not.toEqual([writing, method, 'invalid_body']);
      }
    }
  });

  it('hold for HEAD as for GET, and OPTIONS reveals nothing', async () => {
    for (const [path, viewer, admin] of [
      ['administrators', 403, 200],
      ['workflow-secrets', 403, 200],
      ['config', 200, 200],
    ] as const) {
      expect([path, (await ask('nobody', 'HEAD', API + path)).status]).toEqual([path, 401]);
      expect([path, (await ask('viewer', 'HEAD', API + path)).status]).toEqual([path, viewer]);
      expect([path, (await ask('admin', 'HEAD', API + path)).status]).toEqual([path, admin]);
      expect([path, (await ask('nobody', 'OPTIONS', API + path)).status]).toEqual([path, 404]);
    }
  });
});
