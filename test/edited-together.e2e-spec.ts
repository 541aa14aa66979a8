import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { newPostgresDatabase } from '../src/platform/database/testing.js';
import { Random } from './fuzz/random.js';
import { ADMIN_PASSWORD, KEY, TestService } from './support/service.js';

const DATABASES = ['sqlite', ...(process.env['TEST_POSTGRES_URL'] ? ['postgres'] : [])];
const STEPS = 1_000;
const KEPT = 50;
const SEED = 14;

/** What somebody has read: the version, and what it said. */
interface Known {
  version: number;
  content: string;
}

/** How a save ended: acknowledged as a version, or refused with what there is instead. */
type Outcome = { acknowledged: number } | { refused: Known };

interface Editor {
  known: Known;
  read(): Promise<Known>;
  /** @param basedOn undefined = whatever is there */
  save(content: string, basedOn: number | undefined): Promise<Outcome>;
}

describe.each(DATABASES)('a document that two people and an assistant edit, on %s', (dialect) => {
  let service: TestService;
  let client: Client;
  let postgres: Awaited<ReturnType<typeof newPostgresDatabase>> | undefined;
  let id: string;
  /** The plain model: what each acknowledged version said, from 1 on. */
  const said = new Map<number, string>();

  beforeAll(async () => {
    if (dialect === 'postgres') postgres = await newPostgresDatabase(process.env['TEST_POSTGRES_URL'] ?? '');
    service = await TestService.start({ env: postgres ? { DATABASE_URL: postgres.url } : {} });
    client = new Client({ name: 'ide', version: '1.0.0' });
    const requestInit = { headers: { Authorization: `Bearer ${KEY}` } };
    await client.connect(new StreamableHTTPClientTransport(service.mcpUrl, { requestInit }));
    const { body } = await service.admin('POST', 'knowledge', { title: 'Plan', content: 'text 0' });
    id = String(body['id']);
    said.clear();
    said.set(1, 'text 0');
  });
  afterAll(async () => {
    await client.close();
    await service.stop();
    await postgres?.drop();
  });

  async function rest(method: string, path = '', body?: object, ifMatch?: string) {
    const response = await fetch(new URL(`/admin/api/knowledge/${id}${path}`, service.origin), {
      method,
      headers: {
        authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`,
        'content-type': 'application/json',
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Known & { present: Known; items: { version: number }[] };
    return { status: response.status, etag: response.headers.get('etag'), body: answer };
  }

  class Person implements Editor {
    known: Known = { version: 1, content: 'text 0' };

    async read(): Promise<Known> {
      const { etag, body } = await rest('GET');
      expect(etag).toBe(`"${body.version}"`);
      return (this.known = { version: body.version, content: body.content });
    }

    async save(content: string, basedOn: number | undefined): Promise<Outcome> {
      const { status, etag, body } = await rest('PUT', '', { content }, `"${basedOn}"`);
      if (status === 412) {
        const { version, content: present } = body.present;
        return { refused: { version, content: present } };
      }
      expect([status, etag]).toEqual([200, `"${body.version}"`]);
      return { acknowledged: body.version };
    }
  }

  class Assistant implements Editor {
    known: Known = { version: 1, content: 'text 0' };

    async read(): Promise<Known> {
      const history = await client.callTool({
        name: 'resource_read',
        arguments: { uri: `knowledge://documents/${id}/history` },
      });
      const [{ version = 0 } = {}] = JSON.parse(textOf(history)) as { version?: number }[];
      const content = said.get(version) ?? '';
      return (this.known = { version, content });
    }

    async save(content: string, basedOn: number | undefined): Promise<Outcome> {
      const args = { id, title: 'Plan', content, ...(basedOn !== undefined && { version: basedOn }) };
      const result = await client.callTool({ name: 'knowledge_save', arguments: args });
      if (!result.isError) return { acknowledged: Number((result.structuredContent as { version: number }).version) };
      const [, version] = /has changed since version \d+: it is version (\d+) now/.exec(textOf(result)) ?? [];
      expect(version).toBeDefined();
      return { refused: { version: Number(version), content: said.get(Number(version)) ?? '' } };
    }
  }

  const textOf = (result: object): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';

  /** Compares what the service keeps with the model: the current text, and each of the previous ones that are kept. */
  async function compare(whole: boolean) {
    const present = Math.max(...said.keys());
    expect([...said.keys()].sort((a, b) => a - b)).toEqual(Array.from({ length: present }, (_, n) => n + 1));
    expect((await rest('GET')).body).toMatchObject({ version: present, content: said.get(present) });
    const kept = Array.from({ length: Math.min(KEPT, present - 1) }, (_, n) => present - 1 - n);
    expect((await rest('GET', '/history')).body.items.map(({ version }) => version)).toEqual(kept);
    for (const version of whole ? kept : kept.slice(0, 1)) {
      expect((await rest('GET', `/history/${version}`)).body).toMatchObject({ version, content: said.get(version) });
    }
  }

  it(`loses nothing in ${STEPS} steps`, async () => {
    const random = new Random(SEED);
    const [first, second, assistant] = [new Person(), new Person(), new Assistant()];
    const counts = { saved: 0, refused: 0, unknowing: 0, reads: 0 };
    let texts = 0;

    const step = async (editor: Editor): Promise<void> => {
      if (random.chance(0.3)) {
        counts.reads += 1;
        const { version, content } = await editor.read();
        expect(content).toBe(said.get(version) ?? content);
        return;
      }
      const content = `text ${(texts += 1)}`;
      const basedOn = editor === assistant && random.chance(0.3) ? undefined : editor.known.version;
      const outcome = await editor.save(content, basedOn);
      if ('refused' in outcome) {
        counts.refused += 1;
        expect(outcome.refused.version).not.toBe(basedOn);
        editor.known = outcome.refused; // it was shown
        return;
      }
      const { acknowledged } = outcome;
      // Nobody was told the same version before, and who knew a version replaced that one.
      expect(said.has(acknowledged)).toBe(false);
      if (basedOn === undefined) counts.unknowing += 1;
      else expect(acknowledged).toBe(basedOn + 1);
      counts.saved += 1;
      said.set(acknowledged, content);
      editor.known = { version: acknowledged, content };
    };

    for (let done = 0; done < STEPS;) {
      // Now and then all three at once: then one of those who know the current version wins.
      const editors = random.chance(0.25) ? [first, second, assistant] : [random.pick([first, second, assistant])];
      await Promise.all(editors.map(step));
      done += editors.length;
      await compare(done % 100 < editors.length);
    }
    await compare(true);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(50);
  }, 300_000);
});
