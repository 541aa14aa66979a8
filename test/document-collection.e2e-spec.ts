import { AuditLog } from '../src/access/audit/audit-log.service.js';
import type { AuditItem } from '../src/access/audit/audit-entry.js';
import { newPostgresDatabase } from '../src/platform/database/testing.js';
import type { AppEvents } from '../src/platform/events/app-events.js';
import { EventBus } from '../src/platform/events/event-bus.service.js';
import type { ChangedDocument } from '../src/features/knowledge/collection/document-collection.service.js';
import { TestService } from './support/service.js';

const DATABASES = ['sqlite', ...(process.env['TEST_POSTGRES_URL'] ? ['postgres'] : [])];

describe.each(DATABASES)('all documents together, on %s', (dialect) => {
  let service: TestService;
  let postgres: Awaited<ReturnType<typeof newPostgresDatabase>> | undefined;
  const told: AppEvents['knowledge.changed'][] = [];

  beforeAll(async () => {
    if (dialect === 'postgres') postgres = await newPostgresDatabase(process.env['TEST_POSTGRES_URL'] ?? '');
    service = await TestService.start({ env: postgres ? { DATABASE_URL: postgres.url } : {} });
    service.app.get(EventBus).on('knowledge.changed', (change) => void told.push(change));
  });
  beforeEach(async () => {
    const { body } = await service.admin('GET', 'knowledge?limit=200');
    for (const { id } of body['items'] as { id: string }[]) await service.admin('DELETE', `knowledge/${id}`);
    told.length = 0;
  });
  afterAll(async () => {
    await service.stop();
    await postgres?.drop();
  });

  const write = async (title: string, tags: string[] = []) => {
    const { body } = await service.admin('POST', 'knowledge', { title, content: `About ${title}.`, tags });
    return { id: String(body['id']), version: 1 };
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
    expect(await tags('?limit=1')).toEqual([ops]);
    expect((await service.admin('GET', 'knowledge-documents/tags?limit=101')).status).toBe(400);
  });

  it('deletes documents, and says which it leaves alone because they have changed or are gone', async () => {
    const [first, second, moved, gone] = [await write('A'), await write('B'), await write('C'), await write('D')];
    await service.admin('PUT', `knowledge/${moved.id}`, { content: 'Somebody else was here.' });
    await service.admin('DELETE', `knowledge/${gone.id}`);
    told.length = 0;
    const done = await change({ change: 'delete', documents: [first, moved, gone, second] });
    expect(done).toMatchObject([
      { id: first.id, title: 'A', outcome: 'deleted', version: null, problem: null },
      { id: moved.id, title: 'C', outcome: 'outdated', version: 2 },
      { id: gone.id, title: null, outcome: 'missing', version: null },
      { id: second.id, title: 'B', outcome: 'deleted', problem: null },
    ]);
    expect(done[1]?.problem).toBe('it has been changed by "admin" since it was read: it is version 2 now, not 1');
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
    const [plain, tagged, full] = [await write('A'), await write('B', ['ops', 'old']), await write('C', many)];
    told.length = 0;
    const documents = [plain, tagged, full];
    const done = await change({ change: 'tag', documents, addTags: [' OPS '], removeTags: ['Old'] });
    expect(done).toMatchObject([
      { outcome: 'updated', version: 2 },
      { outcome: 'updated', version: 2 },
      { outcome: 'failed', version: 1, problem: expect.stringContaining('at most 50') as string },
    ]);
    expect([await tagsOf(plain), await tagsOf(tagged)]).toEqual([['ops'], ['ops']]);
    expect(told).toEqual([plain, tagged].map(({ id }) => ({ id, change: 'updated' })));
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
