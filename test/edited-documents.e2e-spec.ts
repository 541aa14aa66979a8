import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { AuditItem } from '../src/access/audit/audit-entry.js';
import { AuditLog } from '../src/access/audit/audit-log.service.js';
import type { ChangedDocument } from '../src/features/knowledge/collection/document-collection.service.js';
import type { AppEvents } from '../src/platform/events/app-events.js';
import { EventBus } from '../src/platform/events/event-bus.service.js';
import { Random } from './fuzz/random.js';
import { describeOnEachDatabase } from './support/databases.js';
import { TestService } from './support/service.js';

describeOnEachDatabase('all documents together,', (data) => {
  let service: TestService;
  const told: AppEvents['knowledge.changed'][] = [];

  beforeAll(async () => {
    service = await TestService.start({ env: data.env });
    service.app.get(EventBus).on('knowledge.changed', (change) => void told.push(change));
  });
  beforeEach(async () => {
    const { body } = await service.admin('GET', 'knowledge?limit=200');
    for (const { id } of body['items'] as { id: string }[]) await service.admin('DELETE', `knowledge/${id}`);
    told.length = 0;
  });
  afterAll(() => service.stop());

  const write = async (title: string, tags: string[] = []) => {
    const { body } = await service.admin('POST', 'knowledge', { title, content: `About ${title}.`, tags });
    return { id: String(body['id']), version: Number(body['version']) };
  };
  const change = async (body: object) => {
    const answer = await service.admin('POST', 'knowledge-documents/changes', body);
    expect(answer.status).toBe(200);
    return answer.body['documents'] as ChangedDocument[];
  };
  const tagsOf = async ({ id }: { id: string }) => (await service.admin('GET', `knowledge/${id}`)).body['tags'];
  const audited = async () => {
    await service.app.get(AuditLog).flush();
    return (await service.admin('GET', 'audit?limit=20')).body['items'] as AuditItem[];
  };

  it('counts all documents and those that have a tag, and lists the tags that are used most', async () => {
    await write('One', ['ops', 'how-to']);
    await write('Two', ['ops']);
    await write('Three');
    const count = async (query: string) => (await service.admin('GET', `knowledge-documents/count${query}`)).body;
    const tags = async (query: string) =>
      (await service.admin('GET', `knowledge-documents/tags${query}`)).body['items'];
    expect(await count('')).toEqual({ documents: 3, matching: 3 });
    expect(await count('?tag=%20OPS')).toEqual({ documents: 3, matching: 2 });
    expect(await count('?tag=none')).toEqual({ documents: 3, matching: 0 });
    const [ops, howTo] = [
      { tag: 'ops', documents: 2 },
      { tag: 'how-to', documents: 1 },
    ];
    expect(await tags('')).toEqual([ops, howTo]);
    expect(await tags('?q=W-T')).toEqual([howTo]);
    expect(await tags('?q=%25')).toEqual([]);
    expect((await service.admin('GET', 'knowledge-documents/tags?limit=1')).body).toMatchObject({
      items: [ops],
      isCut: true,
    });
    expect((await service.admin('GET', 'knowledge-documents/tags?limit=2')).body).toMatchObject({ isCut: false });
    expect((await service.admin('GET', 'knowledge-documents/tags?limit=101')).status).toBe(400);
  });

  it('counts and lists every document that matches, however many there are', async () => {
    const files = Array.from({ length: 230 }, (_, index) => ({
      path: `notes/${String(index).padStart(3, '0')}.md`,
      content: index < 215 ? `# Note ${index}\n\nThe rollback of the service.` : `# Note ${index}\n\nThe service.`,
    }));
    await service.admin('POST', 'knowledge/import', { files });
    await write('Rollbacks', ['ops']);
    const matching = async (query: string) => {
      const found: { id: string; version: number }[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const path = `knowledge-documents/matching?limit=100${query}${cursor && `&cursor=${cursor}`}`;
        const { body } = await service.admin('GET', path);
        found.push(...(body['items'] as typeof found));
        cursor = body['nextCursor'] as string | null;
      }
      const count = await service.admin('GET', `knowledge-documents/count?${query.slice(1)}`);
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
      expect(count.body['matching']).toBe(found.length);
      return found;
    };
    expect(await matching('')).toHaveLength(231);
    expect(await matching('&q=rollbacks')).toHaveLength(216);
    expect(await matching('&q=rollback%20service')).toHaveLength(215);
    expect(await matching('&q=%22rollback%20of%22')).toHaveLength(215);
    expect(await matching('&q=rollback%20missing')).toEqual([]);
    expect(await matching('&q=%3F')).toEqual([]);
    expect(await matching('&q=rollback&tag=%20OPS')).toEqual([{ id: 'rollbacks', title: 'Rollbacks', version: 1 }]);
    expect((await service.admin('GET', 'knowledge-documents/matching?cursor=x')).status).toBe(400);
    for (let start = 0; start < 230; start += 100) {
      const documents = (await matching('&q=note')).slice(0, 100).map(({ id, version }) => ({ id, version }));
      await change({ change: 'delete', documents });
    }
    expect(await matching('')).toHaveLength(1);
  });

  it('deletes documents, and says which it leaves alone because they have changed or are gone', async () => {
    const [first, second, moved, gone] = [await write('A'), await write('B'), await write('C'), await write('D')];
    await service.admin('PUT', `knowledge/${moved.id}`, { content: 'Somebody else was here.' });
    await service.admin('DELETE', `knowledge/${gone.id}`);
    told.length = 0;
    const done = await change({ change: 'delete', documents: [first, moved, gone, second] });
    expect(done).toMatchObject([
      { id: first.id, title: 'A', outcome: 'deleted', version: null, problem: null },
      { id: moved.id, title: 'C', outcome: 'outdated', version: moved.version + 1 },
      { id: gone.id, title: null, outcome: 'missing', version: null },
      { id: second.id, title: 'B', outcome: 'deleted', problem: null },
    ]);
    expect(done[1]?.problem).toBe(
      `it has been changed by "admin" since it was read: it is version ${moved.version + 1} now, not ${moved.version}`,
    );
    expect(told).toEqual([first, second].map(({ id }) => ({ id, change: 'removed' })));
    const left = (await service.admin('GET', 'knowledge')).body['items'] as { id: string }[];
    expect(left.map(({ id }) => id)).toEqual([moved.id]);
  });

  it('records each document in the audit log as if it had been changed alone', async () => {
    const [first, second] = [await write('A', ['old']), await write('B')];
    await change({ change: 'tag', documents: [first], addTags: ['new'] });
    await change({ change: 'delete', documents: [second] });
    const entries = await audited();
    const [all, deleted, updated] = ['changeDocuments', 'deleteDocument', 'updateDocument'].map((action) =>
      entries.find((entry) => entry.action === action),
    );
    expect(all).toMatchObject({ action: 'changeDocuments', subject: 'knowledge-documents/changes', admin: 'admin' });
    expect(all?.after).toMatchObject({ documents: [{ id: second.id, outcome: 'deleted' }] });
    expect(deleted).toMatchObject({ action: 'deleteDocument', subject: `knowledge/${second.id}`, admin: 'admin' });
    expect(deleted).toMatchObject({ before: { title: 'B', content: 'About B.' }, after: null });
    expect(updated).toMatchObject({ action: 'updateDocument', subject: `knowledge/${first.id}` });
    expect(updated).toMatchObject({ before: { tags: ['old'] }, after: { tags: ['new', 'old'] } });
  });

  it('adds and removes tags, keeps the previous version, and leaves alone what has enough of them', async () => {
    const many = Array.from({ length: 50 }, (_, index) => `tag-${index}`);
    const [plain, tagged, full] = [
      await write('Plain'),
      await write('Tagged', ['ops', 'old']),
      await write('Full', many),
    ];
    told.length = 0;
    const documents = [plain, tagged, full];
    const done = await change({ change: 'tag', documents, addTags: [' OPS '], removeTags: ['Old'] });
    expect(done).toMatchObject([
      { outcome: 'updated', version: 2 },
      { outcome: 'updated', version: 2 },
      { outcome: 'failed', version: 1, problem: expect.stringContaining('at most 50') as string },
    ]);
    expect([await tagsOf(plain), await tagsOf(tagged)]).toEqual([['ops'], ['ops']]);
    expect(told).toEqual([plain, tagged].map(({ id }) => ({ id, change: 'updated', relisted: true })));
    const { body } = await service.admin('GET', `knowledge/${tagged.id}/history`);
    expect(body['items']).toMatchObject([{ version: 1, tags: ['old', 'ops'] }]);
    const again = await change({ change: 'tag', documents: [{ ...plain, version: 2 }], addTags: ['ops'] });
    expect(again).toMatchObject([{ outcome: 'unchanged', version: 2, problem: null }]);
  });

  it('takes at most 100 documents at once, each with its version', async () => {
    const one = await write('A');
    const refused = async (body: object) => (await service.admin('POST', 'knowledge-documents/changes', body)).status;
    expect(await refused({ change: 'delete', documents: Array.from({ length: 101 }, () => one) })).toBe(400);
    expect(await refused({ change: 'delete', documents: [] })).toBe(400);
    expect(await refused({ change: 'delete', documents: [{ id: one.id }] })).toBe(400);
    expect(await refused({ change: 'forget', documents: [one] })).toBe(400);
    expect(await change({ change: 'delete', documents: [one, one] })).toMatchObject([
      { outcome: 'deleted' },
      { outcome: 'missing' },
    ]);
  });
});

const STEPS = 1_000;
const KEPT = 50;
const SEED = 14;

/** What an editor has read: the version and its text. */
interface Known {
  version: number;
  content: string;
}

/** The result of a save: acknowledged with a version, or rejected with the current text. */
type Outcome = { acknowledged: number } | { refused: Known };

interface Editor {
  known: Known;
  read(): Promise<Known>;
  /** @param basedOn undefined = overwrite any version */
  save(content: string, basedOn: number | undefined): Promise<Outcome>;
}

describeOnEachDatabase('a document that two people and an assistant edit,', (data) => {
  let service: TestService;
  let client: Client;
  let id: string;
  /** The model: the text of each acknowledged version, starting at 1. */
  const said = new Map<number, string>();

  beforeAll(async () => {
    service = await TestService.start({ env: data.env });
    client = await service.connect();
    const { body } = await service.admin('POST', 'knowledge', { title: 'Plan', content: 'text 0' });
    id = String(body['id']);
    said.clear();
    said.set(1, 'text 0');
  });
  afterAll(() => service.stop());

  async function rest(method: string, path = '', body?: object, ifMatch?: string) {
    const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    const response = await service.askAdmin(method, `knowledge/${id}${path}`, body, { headers });
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

  /** Compares the service with the model: the current text, and all previous ones that are kept. */
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
        editor.known = outcome.refused; // the rejection contains the current text
        return;
      }
      const { acknowledged } = outcome;
      // Each version is acknowledged once, and a save that was based on a version replaced exactly that one.
      expect(said.has(acknowledged)).toBe(false);
      if (basedOn === undefined) counts.unknowing += 1;
      else expect(acknowledged).toBe(basedOn + 1);
      counts.saved += 1;
      said.set(acknowledged, content);
      editor.known = { version: acknowledged, content };
    };

    for (let done = 0; done < STEPS;) {
      // Sometimes all three at once: one of those that know the current version wins.
      const editors = random.chance(0.25) ? [first, second, assistant] : [random.pick([first, second, assistant])];
      await Promise.all(editors.map(step));
      done += editors.length;
      await compare(done % 100 < editors.length);
    }
    await compare(true);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(50);
  });
});
