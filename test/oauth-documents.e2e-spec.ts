import { jest } from '@jest/globals';
import { OutgoingHttp, type OutgoingResponse } from '../src/platform/outgoing-http/outgoing-http.service.js';
import { OAuthProgram } from './support/oauth-program.js';
import { TestService } from './support/service.js';
import { SignInBrowser } from './support/sign-in-browser.js';

const PASSWORD = 'a-long-password-of-ada';
const URL_OF_CLAUDE = 'https://claude.ai/oauth/claude-code-client-metadata';
const DOCUMENT = {
  client_id: URL_OF_CLAUDE,
  client_name: 'Claude Code',
  client_uri: 'https://claude.ai',
  redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

/** A response of the server; default: status 200 and no headers. */
interface Served extends Partial<Pick<OutgoingResponse, 'status' | 'headers'>> {
  body: string;
}

describe('programs with a metadata document of their own', () => {
  let service: TestService;
  let origin: string;
  let served: Record<string, Served>;
  let asked: string[];
  beforeAll(async () => {
    service = await TestService.start({ signsIn: true });
    origin = service.origin;
    await service.admin('POST', 'administrators', { name: 'ada', role: 'member', password: PASSWORD });
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    [served, asked] = [{}, []];
    const http = service.app.get(OutgoingHttp, { strict: false });
    const real = http.fetch.bind(http);
    jest.spyOn(http, 'fetch').mockImplementation(async (url, options) => {
      asked.push(url);
      const answer = served[url];
      if (!answer) return real(url, options);
      if (answer.body.length > options.maxBytes) throw new Error('too large');
      return { status: 200, headers: {}, url, redirects: [], ...answer, body: Buffer.from(answer.body) };
    });
  });
  afterEach(() => jest.restoreAllMocks());

  /** Documents are cached for half a minute, so each test has its own address. */
  const addressOf = (name: string) => `https://${name}.example/metadata.json`;
  const programOf = (id: string) => {
    const program = new OAuthProgram(origin, 'http://localhost:49160/callback');
    program.id = id;
    return program;
  };
  const linkOf = async (id: string) => {
    const answer = await fetch(programOf(id).link(), { redirect: 'manual' });
    return { status: answer.status, to: answer.headers.get('location') ?? (await answer.json()) };
  };

  const programsOf = async (person: string) => {
    const { items } = (await service.admin('GET', `grants?person=${person}`)).body as { items: { program: string }[] };
    return items.map(({ program }) => program);
  };

  it('need no registration, and are known by the host of their document', async () => {
    served[URL_OF_CLAUDE] = { body: JSON.stringify(DOCUMENT), headers: { 'cache-control': 'max-age=600' } };
    const program = programOf(URL_OF_CLAUDE);
    const browser = new SignInBrowser(origin, 'ada', PASSWORD);
    const id = await browser.open(program.link());
    await browser.logIn();
    const question = await (await browser.send('GET', `/admin/api/sign-ins/${id}`)).json();
    expect(question).toMatchObject({ name: 'Claude Code', proven: 'claude.ai', host: 'localhost' });
    const policy =
      'forbid (principal, action, resource) unless { context.programProven && context.program == "claude.ai" };';
    const { access, refresh } = await program.signIn('ada', PASSWORD);
    await service.admin('POST', 'policies', { name: 'only-claude', policy });
    const called = await program.call(access);
    expect([called.status, JSON.stringify(called.body)]).toEqual([200, expect.not.stringContaining('Not allowed')]);
    await service.admin('DELETE', 'policies/only-claude');
    expect((await program.refresh(refresh)).status).toBe(200);
    // The server's Cache-Control allows caching.
    expect(asked).toEqual([URL_OF_CLAUDE]);
  });

  it.each<[string, Served | object]>([
    ['that is another’s', { client_id: 'https://somebody.example/else.json' }],
    ['with a secret', { client_secret: 'x' }],
    ['that wants to use a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
    ['that sends people to a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['without an address', { redirect_uris: [] }],
    ['that is too large', { client_name: 'x'.repeat(11_000) }],
    ['behind a redirect', { status: 302, headers: { location: 'https://claude.ai/' }, body: '' }],
    ['that is no JSON', { body: '<html>' }],
    ['that is a list', { body: '[]' }],
    ['that its server does not have', { status: 404, body: '{}' }],
  ])('are not let in with a document %s', async (what, changed) => {
    const id = addressOf(what.replace(/\W+/g, '-'));
    const body = 'body' in changed ? changed : { body: JSON.stringify({ ...DOCUMENT, client_id: id, ...changed }) };
    served[id] = body;
    const { status, to } = await linkOf(id);
    expect([status, typeof to]).toEqual([400, 'object']);
    expect(JSON.stringify(to)).toMatch(/invalid_client|invalid_redirect_uri/);
  });

  it.each(['https://127.0.0.1/metadata.json', 'https://10.0.0.1/metadata.json', 'https://[::1]/metadata.json'])(
    'are not looked for inside the network: %s',
    async (id) => {
      const { status, to } = await linkOf(id);
      expect(status).toBe(400);
      expect(to).toMatchObject({ error: 'invalid_client' });
    },
  );

  it('register instead, where the service does not read documents', async () => {
    const metadata = async () => (await fetch(`${origin}/.well-known/oauth-authorization-server/oauth`)).json();
    expect(await metadata()).toMatchObject({ client_id_metadata_document_supported: true });
    const id = addressOf('unread');
    served[id] = { body: JSON.stringify({ ...DOCUMENT, client_id: id }) };
    await service.admin('PUT', 'config/oauth.metadata_documents', { value: 'off' });
    expect(await metadata()).toMatchObject({ client_id_metadata_document_supported: false });
    const { status, to } = await linkOf(id);
    expect([status, to, asked]).toEqual([400, expect.objectContaining({ error: 'invalid_client' }), []]);
    expect((await new OAuthProgram(origin).signIn('ada', PASSWORD)).access).toMatch(/^[\w-]{43}$/);
    await service.admin('DELETE', 'config/oauth.metadata_documents');
    expect((await linkOf(id)).status).toBe(303);
  });

  it('are only those that an administrator has entered, where that is set', async () => {
    const id = addressOf('listed');
    served[id] = { body: JSON.stringify({ ...DOCUMENT, client_id: id }) };
    await service.admin('PUT', 'config/oauth.programs', { value: 'listed' });
    expect((await linkOf(id)).status).toBe(400);
    await service.admin('POST', 'programs/documents', { name: 'Ours', documentUrl: id });
    expect((await linkOf(id)).status).toBe(303);
    expect((await programOf(id).signIn('ada', PASSWORD)).access).toMatch(/^[\w-]{43}$/);
    expect(await programsOf('ada')).toContain(id);
    expect((await service.admin('POST', 'programs/documents', { name: 'Ours', documentUrl: id })).status).toBe(409);
    await service.admin('DELETE', `programs/${encodeURIComponent(id)}`);
    expect((await linkOf(id)).status).toBe(400);
    expect(await programsOf('ada')).not.toContain(id);
    await service.admin('DELETE', 'config/oauth.programs');
  });
});
