import { sql } from 'kysely';
import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { AdminKnowledge } from '../../src/entrypoints/admin/knowledge/admin-knowledge.service.js';
import { documentAddress } from '../../src/features/knowledge/documents/address.rules.js';
import { newDocumentId, URI_PREFIX } from '../../src/features/knowledge/documents/document.rules.js';
import { ImportedFileReader } from '../../src/features/knowledge/import/imported-file-reader.service.js';
import { KnowledgeImport } from '../../src/features/knowledge/import/knowledge-import.service.js';
import { addDocuments, type NewDocument } from '../../src/features/knowledge/new-documents.table.js';
import { indexedDocumentOf } from '../../src/features/knowledge/passages/passages.rules.js';
import { knowledgeOn } from '../../src/features/knowledge/testing.js';
import { DocumentMatchStore } from '../../src/features/knowledge/collection/document-match.store.js';
import { KnowledgeStore } from '../../src/features/knowledge/knowledge.store.js';
import { PassageMaker } from '../../src/features/knowledge/passages/passage-maker.service.js';
import { growingPartsOf, learned, numbersUpTo, statementsOf } from '../../src/platform/database/plans.testing.js';
import { lockUnindexed, removeFromTextIndex } from '../../src/platform/text/text-index.js';
import { Random } from '../fuzz/random.js';
import { untilLocked } from '../support/lock-waits.js';
import { seedFrom } from '../support/seed.js';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const LONG = Array.from({ length: 40 }, (_, n) => `## Step ${n}\n\n${'lorem ipsum dolor '.repeat(30)} marker${n}`).join(
  '\n\n',
);

function newDocumentAt(path: string): NewDocument {
  const texts = { title: path, content: path, tags: [] };
  const rest = { source: null, hash: path, version: 1, createdAt: at(0), updatedAt: at(0) };
  return { document: { id: newDocumentId(), path, ...texts, ...rest }, indexed: indexedDocumentOf(texts) };
}

describeEachDatabase('the knowledge base', (open, dialect) => {
  const newKnowledge = async () => {
    const database = await open();
    return { database, ...knowledgeOn(database) };
  };

  it('keeps documents, and announces each change once it is durable', async () => {
    const { knowledge, sent } = await newKnowledge();
    const { document } = await knowledge.save(
      { title: ' Deploy\n day ', content: 'On\r\nTuesday\0', tags: ['Ops', 'ops'] },
      at(0),
    );
    expect(document).toMatchObject({ title: 'Deploy day', content: 'On\nTuesday', tags: ['ops'], createdAt: at(0) });
    expect(await knowledge.get(document.id)).toEqual(document);
    await knowledge.save({ id: document.id, title: 'Deploy day', content: 'On Friday' }, at(1));
    expect(await knowledge.get(document.id)).toMatchObject({
      content: 'On Friday',
      createdAt: at(0),
      updatedAt: at(1),
    });
    await knowledge.remove(document.id);
    await expect(knowledge.get(document.id)).rejects.toThrow('there is no document');
    await expect(knowledge.remove(document.id)).rejects.toThrow('knowledge_search');
    expect(sent.map(([, event]) => event)).toEqual(
      ['created', 'updated', 'removed'].map((change) => ({ id: document.id, change })),
    );
  });

  it.each(['no-%00such', 'no-%ff', 'no-%', 'no-such'])('has no document at the address %s', async (end) => {
    const { knowledge } = await newKnowledge();
    const { id } = documentAddress(URI_PREFIX + end);
    expect(await knowledge.find(id)).toBeUndefined();
    await expect(knowledge.remove(id)).rejects.toThrow('there is no document');
  });

  it.each(['', ' \n', '\u200b', '\u0301', '\u202e \u00ad'])(
    'refuses the title %j, which nobody could see',
    async (title) => {
      const { knowledge } = await newKnowledge();
      await expect(knowledge.save({ title, content: 'a' })).rejects.toThrow('title must not be empty or invisible');
      expect((await knowledge.save({ title: `${title}❤`, content: 'a' })).outcome).toBe('created');
    },
  );

  it('does nothing when a document says the same already', async () => {
    const { knowledge, sent } = await newKnowledge();
    const first = await knowledge.save({ title: 'A', content: 'a', path: 'docs/a.md' });
    const again = await knowledge.save({ title: 'A', content: 'a', path: 'docs/a.md' });
    expect([again.outcome, again.document.id]).toEqual(['unchanged', first.document.id]);
    const loose = await knowledge.save({ title: 'A', content: 'a' });
    expect(loose.outcome).toBe('created');
    expect((await knowledge.save({ title: 'A', content: 'a' })).outcome).toBe('unchanged');
    expect(sent).toHaveLength(2);
  });

  it('finds the first of the passages of a document that say the same', async () => {
    const { knowledge } = await newKnowledge();
    const filler = 'other words '.repeat(100);
    const parts = ['# One', 'zebra', filler, '# Two', 'zebra', filler, '# Three', 'zebra', filler];
    await knowledge.save({ title: 'Animals', content: parts.join('\n\n') });
    const [hit] = await knowledge.search({ query: 'zebra', limit: 5 });
    expect(hit?.passage).toMatchObject({ position: 0, headings: ['One'] });
  });

  it('keeps the last 50 versions that it has replaced', async () => {
    const { knowledge } = await newKnowledge();
    const { document } = await knowledge.save({ title: 'A', content: 'text 1', tags: ['t'], source: 'admin' }, at(1));
    const { id } = document;
    expect([document.version, await knowledge.history(id)]).toEqual([1, []]);
    for (let n = 2; n <= 53; n += 1) await knowledge.save({ id, title: `A${n}`, content: `text ${n}` }, at(n));
    expect(await knowledge.get(id)).toMatchObject({ version: 53, content: 'text 53' });
    const history = await knowledge.history(id);
    expect(history.map(({ version }) => version)).toEqual(Array.from({ length: 50 }, (_, n) => 52 - n));
    expect(history[0]).toEqual({
      version: 52,
      title: 'A52',
      tags: ['t'],
      source: 'admin',
      savedAt: at(52),
      characters: 7,
    });
    expect(await knowledge.version(id, 3)).toMatchObject({ title: 'A3', content: 'text 3', savedAt: at(3) });
    await expect(knowledge.version(id, 2)).rejects.toThrow(`knowledge://documents/${id}/history`);
    await expect(knowledge.version(id, 53)).rejects.toThrow('no earlier version 53');
    await knowledge.remove(id);
    await expect(knowledge.history(id)).rejects.toThrow('there is no document');
  });

  it('replaces and removes only the version that the caller knows', async () => {
    const { knowledge } = await newKnowledge();
    const { document } = await knowledge.save({ title: 'A', content: 'one' });
    const { id } = document;
    await knowledge.save({ id, title: 'A', content: 'two', basedOn: 1, source: 'ide' });
    await expect(knowledge.save({ id, title: 'A', content: 'three', basedOn: 1 })).rejects.toMatchObject({
      kind: 'outdated',
      present: { content: 'two', version: 2 },
      message: expect.stringMatching(
        /changed since version 1: it is version 2 now, saved by "ide".*version 2/,
      ) as string,
    });
    // A client that repeats a save may have missed the response.
    expect(await knowledge.save({ id, title: 'A', content: 'two', basedOn: 1 })).toMatchObject({
      outcome: 'unchanged',
    });
    await expect(knowledge.remove(id, { basedOn: 1 })).rejects.toThrow('Nothing was changed');
    await knowledge.save({ title: 'B', content: 'b', path: 'docs/b.md', basedOn: 0 });
    await expect(knowledge.save({ title: 'B', content: 'c', path: 'docs/b.md', basedOn: 0 })).rejects.toThrow(
      'exists already',
    );
    await knowledge.remove(id, { basedOn: 2 });
  });

  it('lets one win of those who know the same version, and keeps what the others replace unknowingly', async () => {
    const { knowledge } = await newKnowledge();
    const { id } = (await knowledge.save({ title: 'A', content: 'text 0' })).document;
    const save = (n: number, basedOn?: number) => knowledge.save({ id, title: 'A', content: `text ${n}`, basedOn });
    const knowing = await Promise.allSettled([1, 2, 3].map((n) => save(n, 1)));
    expect(knowing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const winner = (await knowledge.get(id)).content;
    await Promise.all([4, 5, 6].map((n) => save(n)));
    const kept = await Promise.all((await knowledge.history(id)).map(({ version }) => knowledge.version(id, version)));
    const all = [(await knowledge.get(id)).content, ...kept.map(({ content }) => content)];
    expect(all.sort()).toEqual(['text 0', winner, 'text 4', 'text 5', 'text 6'].sort());
  });

  it('keeps one document for each path, whoever saves it at once', async () => {
    const { knowledge } = await newKnowledge();
    const saved = await Promise.all(
      [1, 2, 3].map((n) => knowledge.save({ title: 'A', content: `version ${n}`, path: 'docs/a.md' })),
    );
    expect(new Set(saved.map(({ document }) => document.id)).size).toBe(1);
    expect(await knowledge.listPaths()).toHaveLength(1);
    expect(await knowledge.search({ query: 'version', limit: 10 })).toHaveLength(1);
  });

  it('keeps one document of the same text, whoever saves it at once', async () => {
    const { knowledge } = await newKnowledge();
    const saved = await Promise.all([1, 2, 3, 4].map(() => knowledge.save({ title: 'A', content: 'the same' })));
    expect(new Set(saved.map(({ document }) => document.id)).size).toBe(1);
    expect(saved.map(({ outcome }) => outcome).sort()).toEqual(['created', 'unchanged', 'unchanged', 'unchanged']);
    expect((await knowledge.listPage({ limit: 10 })).items).toHaveLength(1);
  });

  it("writes many that are saved at once, each whole, and those once that are in each other's way", async () => {
    const { database, knowledge } = await newKnowledge();
    const other = knowledgeOn(database).knowledge;
    const random = new Random(seedFrom('KNOWLEDGE_SEED'));
    const inputs = Array.from({ length: 200 }, (_, n) => {
      const number = random.integer(0, 60);
      const place = number % 3 === 0 ? { path: `docs/${number}.md` } : {};
      // Documents with a path may repeat with other content, and the last one wins; there are few titles, so ids collide.
      const content = `word${number} ${place.path ? `version${n}` : ''}`;
      return { number, title: `Title ${number % 5}`, content, tags: [`tag${number}`], ...place };
    });
    const saved = await Promise.all(
      inputs.map(({ number: _number, ...input }, n) => (n % 2 === 0 ? knowledge : other).save(input)),
    );
    const idOf = new Map(inputs.map(({ number }, n) => [number, saved[n]?.document.id]));
    expect(inputs.map(({ number }) => idOf.get(number))).toEqual(saved.map(({ document }) => document.id));
    expect(new Set(idOf.values()).size).toBe(idOf.size);
    expect((await knowledge.listPage({ limit: 200 })).items).toHaveLength(idOf.size);
    for (const [number, id] of idOf) {
      const hits = await knowledge.search({ query: `word${number}`, tags: [`tag${number}`], limit: 10 });
      expect(hits.map(({ document }) => document.id)).toEqual([id]);
    }
  });

  // SQLite runs one transaction at a time.
  (dialect === 'postgres' ? it : it.skip)('keeps one of two that are created at the same moment', async () => {
    const { database, knowledge } = await newKnowledge();
    const { saving } = await database.transaction().execute(async (transaction) => {
      // The lock lets both check whether the document exists, and blocks both inserts.
      await sql`lock table knowledge_documents in share mode`.execute(transaction);
      // A title without letters gives random ids, so they cannot collide.
      const replicas = [knowledge, knowledgeOn(database).knowledge];
      const both = Promise.all(replicas.map((one) => one.save({ title: '…', content: 'the same' })));
      await untilLocked(database, 2);
      return { saving: both };
    });
    expect((await saving).map(({ outcome }) => outcome).sort()).toEqual(['created', 'unchanged']);
  });

  (dialect === 'postgres' ? it : it.skip)('adds what two replicas bring in different orders', async () => {
    const { database } = await newKnowledge();
    const add = (...paths: string[]) => {
      const all = paths.map(newDocumentAt);
      return database.transaction().execute(async (transaction) => (await addDocuments(transaction, all)).size);
    };
    const { saving } = await database.transaction().execute(async (transaction) => {
      await addDocuments(transaction, [newDocumentAt('second.md')]);
      const one = add('first.md', 'second.md', 'third.md');
      await untilLocked(database, 1);
      const other = add('third.md', 'first.md');
      await untilLocked(database, 2);
      return { saving: Promise.all([one, other]) };
    });
    expect(await saving).toEqual([2, 0]);
  });

  it('keeps the title and the tags of a document when only its content is given', async () => {
    const { knowledge } = await newKnowledge();
    const { id } = (await knowledge.save({ title: 'A', content: 'one', tags: ['ops'] })).document;
    expect((await knowledge.save({ id, content: 'two' })).document).toMatchObject({ title: 'A', tags: ['ops'] });
    expect((await knowledge.save({ id, content: 'two', tags: [] })).document).toMatchObject({ tags: [] });
    await expect(knowledge.save({ content: 'three' })).rejects.toThrow('a new document needs one');
  });

  it('lists by pages, the one changed last first, and by tag', async () => {
    const { knowledge } = await newKnowledge();
    for (const n of [1, 2, 3]) {
      await knowledge.save({ title: `T${n}`, content: 'x'.repeat(n), tags: n === 2 ? ['odd_100%'] : [] }, at(n));
    }
    const first = await knowledge.listPage({ limit: 2 });
    const second = await knowledge.listPage({ limit: 2, cursor: first.nextCursor ?? '' });
    expect([...first.items, ...second.items].map(({ title }) => title)).toEqual(['T3', 'T2', 'T1']);
    expect(first.items[0]).toMatchObject({ characters: 3 });
    expect((await knowledge.listPage({ limit: 9, tag: 'Odd_100%' })).items.map(({ title }) => title)).toEqual(['T2']);
    await expect(knowledge.listPage({ limit: 2, cursor: 'zzz' })).rejects.toThrow('cursor');
  });

  it('finds the passage of a long document', async () => {
    const { knowledge } = await newKnowledge();
    await knowledge.save({ title: 'Long', content: LONG });
    const [hit] = await knowledge.search({ query: 'marker17', limit: 3 });
    const content = `${'lorem ipsum dolor '.repeat(30)} marker17`;
    expect(hit).toMatchObject({
      passage: { headings: ['Step 17'], content, position: 17, start: LONG.indexOf(content), lead: '' },
      neighbours: { previous: ['Step 16'], next: ['Step 18'] },
      matches: [{ start: content.length - 'marker17'.length, end: content.length }],
      match: 'all',
    });
    const id = hit?.document.id ?? '';
    expect(await knowledge.findPassage(id, 17)).toEqual({ passage: hit?.passage, neighbours: hit?.neighbours });
    expect(await knowledge.findPassage(id, 0)).toMatchObject({ neighbours: { previous: null, next: ['Step 1'] } });
    expect(await knowledge.findPassage(id, 39)).toMatchObject({ neighbours: { next: null } });
    expect(await knowledge.findPassage(id, 40)).toBeUndefined();
    expect(await knowledge.findPassage('none', 0)).toBeUndefined();
  });

  it('knows where the passages of a changed document are', async () => {
    const { knowledge } = await newKnowledge();
    const { document } = await knowledge.save({ title: 'Long', content: LONG });
    const longer = `# First\n\nOf all.\n\n${LONG}`;
    await knowledge.save({ id: document.id, title: 'Long', content: longer });
    for (let position = 0; position < 41; position += 1) {
      const { passage } = (await knowledge.findPassage(document.id, position)) ?? {};
      expect(passage?.start).toBe(longer.indexOf(passage?.content ?? 'none'));
    }
  });

  it('forgets passages with their document', async () => {
    const { knowledge, database } = await newKnowledge();
    const { document } = await knowledge.save({ title: 'Long', content: LONG });
    await knowledge.save({ id: document.id, title: 'Short', content: 'nothing' });
    expect(await knowledge.search({ query: 'marker17', limit: 3 })).toEqual([]);
    await knowledge.remove(document.id);
    expect(await knowledge.search({ query: 'nothing', limit: 3 })).toEqual([]);
    expect(await database.selectFrom('knowledge_passages').select('id').execute()).toEqual([]);
  });

  it('indexes again what an earlier version indexed, and keeps the passages', async () => {
    const { knowledge, database } = await newKnowledge();
    await knowledge.save({ title: 'Long', content: LONG });
    const ids = () => database.selectFrom('knowledge_passages').select('id').orderBy('id').execute();
    const before = await ids();
    await database.updateTable('knowledge_document_words').set({ indexed_as: 0 }).execute();
    for (const { id } of before.slice(1)) await removeFromTextIndex(database, 'knowledge_index', id);
    await knowledge.indexMissing();
    expect(await knowledge.search({ query: 'marker17', limit: 3 })).toHaveLength(1);
    expect(await ids()).toEqual(before);
    expect(await lockUnindexed(database, { index: 'knowledge_index', table: 'knowledge_passages', limit: 10 })).toEqual(
      [],
    );
  });

  it('does not index a document again as it was before a change', async () => {
    const { knowledge, database } = await newKnowledge();
    const { document } = await knowledge.save({ title: 'Day', content: 'On Tuesday.' });
    const indexed = await new PassageMaker().make(document);
    await knowledge.save({ id: document.id, title: 'Day', content: 'On Friday.' });
    await new KnowledgeStore(database).index(document, indexed);
    const found = (query: string) => knowledge.search({ query, limit: 3 });
    expect([(await found('Tuesday')).length, (await found('Friday')).length]).toEqual([0, 1]);
  });

  it('makes documents findable again whose passages are gone', async () => {
    const { knowledge, database } = await newKnowledge();
    await knowledge.save({ title: 'Long', content: LONG });
    // The state after an import of the whole database.
    await database.deleteFrom('knowledge_passages').execute();
    await database.deleteFrom('knowledge_document_words').execute();
    expect(await knowledge.search({ query: 'marker17', limit: 3 })).toEqual([]);
    await knowledge.indexMissing();
    expect(await knowledge.search({ query: 'marker17', limit: 3 })).toHaveLength(1);
    expect(await lockUnindexed(database, { index: 'knowledge_index', table: 'knowledge_passages', limit: 10 })).toEqual(
      [],
    );
  });

  it('announces many imported files together, and yields to others after each', async () => {
    const { knowledge, events } = await newKnowledge();
    let turns = 0;
    let isDone = false;
    const toldIn: number[] = [];
    events.on('knowledge.changed', () => toldIn.push(turns));
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const files = Array.from({ length: 250 }, (_, n) => ({ path: `docs/${n}.md`, content: `# ${n}\n\nText` }));
    await new KnowledgeImport(knowledge, new ImportedFileReader()).importAll(files, 'test');
    isDone = true;
    expect(toldIn).toHaveLength(250);
    expect(new Set(toldIn).size).toBe(3);
    expect(turns).toBeGreaterThanOrEqual(250);
  });

  it('imports files again and again without another copy', async () => {
    const { knowledge } = await newKnowledge();
    const importer = new KnowledgeImport(knowledge, new ImportedFileReader());
    const files = [
      { path: 'docs/a.md', content: '---\ntitle: Alpha\ntags: [one, two]\n---\n# Other\n\nText' },
      { path: 'docs/b_c.txt', content: 'plain' },
      {
        path: 'docs/d.html',
        content: '<title>Del &amp; ta</title><h1>D</h1><script>alert(1)</script><p>Hi <b>you</b></p>',
      },
      { path: 'docs/e.md', bytes: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]) },
    ];
    const outcomes = async () => (await importer.importAll(files, 'test')).map(({ outcome }) => outcome);
    expect(await outcomes()).toEqual(['created', 'created', 'created', 'failed']);
    expect(await outcomes()).toEqual(['unchanged', 'unchanged', 'unchanged', 'failed']);
    const documents = await Promise.all(
      (await knowledge.listByAge({ limit: 100_000 })).items.map(({ id }) => knowledge.get(id)),
    );
    const byTitle = documents.sort((a, b) => a.title.localeCompare(b.title));
    expect(byTitle.map(({ title, content, tags }) => ({ title, content, tags }))).toEqual([
      { title: 'Alpha', content: '# Other\n\nText', tags: ['one', 'two'] },
      { title: 'b c', content: 'plain', tags: [] },
      { title: 'Del & ta', content: '# D\n\nHi **you**', tags: [] },
    ]);
    const removed = await importer.listRemoved('docs', {
      documents: new Set(['docs/a.md']),
      unread: new Set(['docs/d.html']),
    });
    expect(removed.map(({ path }) => path)).toEqual(['docs/b_c.txt']);
  });
});

describeEachDatabase('the search', (open) => {
  const DOCUMENTS = {
    rollback: { title: 'Deployment', content: 'Use helm rollback when pods crash.', tags: ['ops', 'k8s'] },
    titled: { title: 'Rollback', content: 'How to go back.', tags: ['ops'] },
    menu: { title: 'Menü', content: 'Crème brûlée and Łódź style dumplings in the café.' },
    reversed: { title: 'Reversed', content: 'The rollback of helm charts.' },
    code: { title: 'Registry', content: 'Call SkillRegistry.register, or set tool_timeout_ms.' },
    chinese: { title: '搜索', content: '全文检索的中文分词。服务器已启动。' },
    japanese: { title: '検索', content: 'この文書は全文検索のテストです。ガイド' },
    korean: { title: '한국어', content: '데이터베이스를 백업합니다' },
  };
  const newSearch = async () => {
    const { knowledge } = knowledgeOn(await open());
    const names = new Map<string, string>();
    for (const [name, document] of Object.entries(DOCUMENTS)) {
      names.set((await knowledge.save(document)).document.id, name);
    }
    return async (query: string, tags: string[] = []) => {
      const hits = await knowledge.search({ query, tags, limit: 10 });
      return hits.filter(({ match }) => match === 'all').map(({ document }) => names.get(document.id));
    };
  };

  it('does not let the passages of one document crowd out the others', async () => {
    const { knowledge } = knowledgeOn(await open());
    const sections = Array.from({ length: 60 }, (_, step) => `## Deployment ${step}\n\nStep ${step}.`);
    await knowledge.save({ title: 'Deployment', content: sections.join('\n\n') });
    await knowledge.save({ title: 'Minutes', content: 'We talked about the deployment.' });
    const hits = await knowledge.search({ query: 'deployment', limit: 2 });
    expect(hits.map(({ document }) => document.title)).toEqual(['Deployment', 'Minutes']);
  });

  it.each<[string, string, string[]]>([
    ['a title before a text', 'rollback', ['titled', 'rollback', 'reversed']],
    ['the beginning of the last word', 'helm roll', ['rollback', 'reversed']],
    ['not the beginning of a word that is complete', 'roll helm', []],
    ['a phrase', '"helm rollback"', ['rollback']],
    ['a word and a phrase', 'pods "helm rollback"', ['rollback']],
    ['words in any order', 'crash helm', ['rollback']],
    ['a question', 'When do the pods crash?', ['rollback']],
    ['other diacritics', 'MENU creme brulee lodz', ['menu']],
    ['parts of names in code', 'skill registry', ['code']],
    ['names in code', 'tool_timeout_ms', ['code']],
    ['Chinese', '中文分词', ['chinese']],
    ['one Chinese character', '器', ['chinese']],
    ['Japanese', '全文検索', ['japanese']],
    ['Japanese voiced kana', 'カイド', []],
    ['a Chinese phrase', '"服务器已启动"', ['chinese']],
    ['Korean inside a word', '베이스', ['korean']],
    ['nothing but stop words', 'the', ['reversed', 'menu']],
  ])('finds %s: %s', async (_what, query, expected) => {
    const search = await newSearch();
    const found = await search(query);
    expect(new Set(found)).toEqual(new Set(expected));
    expect(found[0] === expected[0] || expected.length > 1).toBe(true);
  });

  it('finds the title first', async () => {
    expect((await (await newSearch())('rollback'))[0]).toBe('titled');
  });

  it('finds only documents that have all of some tags', async () => {
    const search = await newSearch();
    expect(await search('rollback', ['ops', 'K8S'])).toEqual(['rollback']);
    expect(await search('rollback', ['nothing'])).toEqual([]);
  });

  it('finds what has some of the words when nothing has all, the most telling first', async () => {
    const { knowledge } = knowledgeOn(await open());
    for (const n of [1, 2, 3, 4]) await knowledge.save({ title: `Common ${n}`, content: 'the office and its people' });
    await knowledge.save({ title: 'Rare', content: 'a zeppelin over the people' });
    const hits = await knowledge.search({ query: 'unknown zeppelin people', limit: 3 });
    expect(hits[0]).toMatchObject({ document: { title: 'Rare' }, match: 'some' });
  });

  it('finds a short document among few by another form of its words', async () => {
    const { knowledge } = knowledgeOn(await open());
    await knowledge.save({
      title: 'How we deploy',
      content: '# Deploy\n\nOn Tuesdays.\n\n## Rollback\n\nhelm rollback',
    });
    const found = await knowledge.search({ query: 'roll back a deployment', limit: 5 });
    expect(found.map(({ document }) => document.id)).toEqual(['how-we-deploy']);
  });

  it('ends a search whose caller has left', async () => {
    const { knowledge } = knowledgeOn(await open());
    await knowledge.save({ title: 'T', content: 'some words' });
    const searching = knowledge.search({ query: 'words', limit: 5, signal: AbortSignal.abort(new Error('left')) });
    await expect(searching).rejects.toThrow('left');
  });

  it('gives documents of one title readable ids, and any number of them some id', async () => {
    const { knowledge } = knowledgeOn(await open());
    await knowledge.save({ title: 'Release notes', content: 'x' });
    const ids: string[] = [];
    for (let number = 0; number < 52; number += 1)
      ids.push((await knowledge.save({ title: 'Release', content: `${number}` })).document.id);
    expect(ids.slice(0, 3)).toEqual(['release', 'release-2', 'release-3']);
    expect(ids[49]).toBe('release-50');
    expect(ids[50]).toMatch(/^release-.{8,}$/);
    expect(new Set(ids).size).toBe(52);
    expect((await knowledge.save({ title: 'Export', content: 'x' })).document.id).toBe('export-2');
  });

  it('never fails, whatever is asked', async () => {
    const search = await newSearch();
    const random = new Random(99);
    const parts = [
      '"',
      "'",
      '(',
      ')',
      '*',
      ':',
      '^',
      '-',
      '+',
      '&',
      '|',
      '!',
      '<->',
      ' AND ',
      ' OR ',
      ' NOT ',
      'NEAR(',
      '\\',
      '\0',
      '%',
      '_',
      '{',
      '}',
      'title:',
      'helm',
      '全文',
      'é',
      '\ud800',
      '😀',
      ';--',
      '1e5',
      '\u202e',
      'ß',
      '½',
    ] as const;
    const started = [...'"(*'].map((text) => text);
    for (let n = 0; n < 400; n += 1) {
      started.push(
        Array.from({ length: random.integer(1, 12) }, () => random.pick(parts)).join(random.chance(0.5) ? '' : ' '),
      );
      if (n % 10 === 0) started.push(random.garbage(random.integer(1, 400)));
    }
    for (const query of [...started, 'x '.repeat(5_000), '"'.repeat(999)]) {
      await expect(search(query)).resolves.toBeInstanceOf(Array);
    }
  });
});

describeEachDatabase('the titles of many documents', (open, dialect) => {
  it('are looked through without their texts', async () => {
    const database = await open();
    await sql
      .raw(
        `insert into knowledge_documents (id, title, content, tags, hash, created_at, updated_at)
         select 'd' || n, 'Title ' || (10000 + n), 'c', '[]', 'h' || n, '2026', '2026' from (${numbersUpTo(database, 5_000)}) as numbers`,
      )
      .execute(database);
    await learned(database);
    const store = new KnowledgeStore(database);
    const statements = await statementsOf(async () => {
      expect(await store.listIdsByTitlePart('title 1', 3)).toEqual(['d1', 'd2', 'd3']);
    });
    for (const statement of statements) {
      const growing = await growingPartsOf(database, statement, 20);
      const inOrder = ['SCAN knowledge_documents USING COVERING INDEX knowledge_documents_title'];
      expect(growing).toEqual(dialect === 'sqlite' ? inOrder : []);
    }
  });
});

describeEachDatabase('the documents with a common tag', (open) => {
  it('are counted without reading the documents', async () => {
    const database = await open();
    const numbers = numbersUpTo(database, 5_000);
    for (const insertion of [
      `insert into knowledge_documents (id, title, content, tags, hash, created_at, updated_at)
        select 'd' || n, 'Title', 'c', '["x"]', 'h' || n, '2026', '2026' from (${numbers}) as numbers`,
      `insert into knowledge_tags (tag, document_id) select 'x', 'd' || n from (${numbers}) as numbers where n <= 2000`,
    ])
      await sql.raw(insertion).execute(database);
    await learned(database);
    const store = new DocumentMatchStore(database);
    const statements = await statementsOf(async () => expect(await store.count({ tag: 'x' })).toBe(2_000));
    for (const statement of statements) expect(await growingPartsOf(database, statement, 2_000)).toEqual([]);
  });
});

describeEachDatabase('an export of documents', (open) => {
  it('reads several documents at once', async () => {
    const database = await open();
    await sql
      .raw(
        `insert into knowledge_documents (id, title, content, tags, hash, created_at, updated_at)
         select 'd' || n, 'Title', 'content ' || n, '[]', 'h' || n, '2026-01-01T00:00:00.000Z', '2026' from (${numbersUpTo(database, 60)}) as numbers`,
      )
      .execute(database);
    const admin = new AdminKnowledge(knowledgeOn(database).knowledge, {} as never, {} as never);
    let exported = '';
    const statements = await statementsOf(async () => {
      for await (const part of admin.export()) exported += String(part);
    });
    const { items } = JSON.parse(exported) as { items: { content: string }[] };
    expect(new Set(items.map(({ content }) => content)).size).toBe(60);
    expect(statements).toHaveLength(3);
  });
});
