import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { FeedStore } from '../src/features/feeds/store/feed.store.js';
import { newFeed } from '../src/features/feeds/testing.js';
import { TestService } from './support/service.js';

const LONG = 'Tell the others. '.repeat(60).trim();
const [FIRST, SECOND, LAST] = [`Ring the bell. ${LONG}`, `Feed the cat. ${LONG}`, `Shut the door. ${LONG}`];
const TEXT = ['# Evening', FIRST, '## Cat', SECOND, '## Door', LAST].join('\n\n');

/** What a name can refer to, for the document `{id}`, which has two versions and three passages. */
const KINDS = {
  id: '{id}',
  address: 'knowledge://documents/{id}',
  'address with a slash': 'knowledge://documents/{id}/',
  passage: 'knowledge://documents/{id}#passage-2',
  'passage by id': '{id}#passage-2',
  'no such passage': 'knowledge://documents/{id}#passage-99',
  'other fragment': 'knowledge://documents/{id}#cat',
  version: 'knowledge://documents/{id}/history/1',
  'version by id': '{id}/history/1',
  versions: 'knowledge://documents/{id}/history',
  page: 'knowledge://documents/{id}?part=1',
  'other query': 'knowledge://documents/{id}?version=1',
} as const;
type Kind = keyof typeof KINDS;
const WHOLE: readonly Kind[] = ['id', 'address', 'address with a slash'];
const PASSAGE: readonly Kind[] = ['passage', 'passage by id'];

/** What a call affects: the whole document, only its second passage, or nothing. */
type Reach = 'whole' | 'passage' | 'nothing';

interface Door {
  /** Returns the response, and whether it is an error. */
  use(name: string): Promise<Answer>;
  /** The kinds that affect the whole document, and only the passage; all others are rejected. */
  whole: readonly Kind[];
  passage: readonly Kind[];
}

interface Answer {
  isError: boolean;
  text: string;
}

describe('the address of a part of a document', () => {
  let service: TestService;
  let client: Client;
  let id: string;
  let evenings = 0;

  TestService.forSuite(async (started) => {
    service = started;
    client = await service.connect();
  });
  beforeEach(async () => {
    const { body } = await service.admin('POST', 'knowledge', {
      title: `Evening ${(evenings += 1)}`,
      content: 'At first.',
    });
    id = String(body['id']);
    await service.admin('PUT', `knowledge/${id}`, { content: TEXT });
  });
  afterEach(() => service.admin('DELETE', `knowledge/${id}`));

  const call = async (name: string, args: Record<string, unknown>): Promise<Answer> => {
    const { content, isError = false } = await service.call(name, args);
    return { isError, text: content[0]?.text ?? '' };
  };
  const rest = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await service.admin(method, path, body);
    return { isError: answer.status >= 400, text: JSON.stringify(answer.body) };
  };
  const tool = (name: string, args: (named: string) => Record<string, unknown>) => (named: string) =>
    call(name, args(named));
  const version = 2;
  const feeds = () => service.app.get(FeedStore, { strict: false });

  const CHANGING: Record<string, Door> = {
    'knowledge_save by uri': {
      use: tool('knowledge_save', (uri) => ({ uri, content: 'Gone.' })),
      whole: WHOLE,
      passage: [],
    },
    'knowledge_save by id': {
      use: tool('knowledge_save', (named) => ({ id: named, content: 'Gone.', version })),
      whole: WHOLE,
      passage: [],
    },
    'knowledge_save by both': {
      use: tool('knowledge_save', (uri) => ({ uri, id, content: 'Gone.' })),
      whole: WHOLE,
      passage: [],
    },
    'knowledge_remove by uri': { use: tool('knowledge_remove', (uri) => ({ uri })), whole: WHOLE, passage: [] },
    'knowledge_remove by id': {
      use: tool('knowledge_remove', (named) => ({ id: named })),
      whole: WHOLE,
      passage: [],
    },
    'knowledge_edit of a text of the passage': {
      use: tool('knowledge_edit', (uri) => ({ uri, old_text: 'cat', new_text: 'dog', version })),
      whole: WHOLE,
      passage: PASSAGE,
    },
    'knowledge_edit of a text elsewhere': {
      use: tool('knowledge_edit', (uri) => ({ uri, old_text: 'door', new_text: 'window', version })),
      whole: WHOLE,
      passage: [],
    },
    'knowledge_edit of all that is named': {
      use: tool('knowledge_edit', (uri) => ({ uri, new_text: 'Gone.', version })),
      whole: [],
      passage: PASSAGE,
    },
    'knowledge_edit that adds': {
      use: tool('knowledge_edit', (named) => ({ id: named, append: 'Sleep.', version })),
      whole: WHOLE,
      passage: PASSAGE,
    },
    'knowledge_edit by passage_uri': {
      use: tool('knowledge_edit', (passage_uri) => ({ passage_uri, append: 'Sleep.', version })),
      whole: [],
      passage: PASSAGE,
    },
    'knowledge_edit by passage_uri of a text elsewhere': {
      use: tool('knowledge_edit', (passage_uri) => ({ passage_uri, old_text: 'door', new_text: 'window', version })),
      whole: [],
      passage: [],
    },
    'PUT knowledge': {
      use: (named) => rest('PUT', `knowledge/${encodeURIComponent(named)}`, { content: 'Gone.' }),
      whole: ['id'],
      passage: [],
    },
    'DELETE knowledge': {
      use: (named) => rest('DELETE', `knowledge/${encodeURIComponent(named)}`),
      whole: ['id'],
      passage: [],
    },
    'POST knowledge-documents/changes': {
      use: async (named) => {
        const documents = [{ id: named, version }];
        const answer = await rest('POST', 'knowledge-documents/changes', { change: 'delete', documents });
        return { ...answer, isError: !answer.text.includes('"outcome":"deleted"') };
      },
      whole: ['id'],
      passage: [],
    },
  };

  const READING: Record<string, Door> = {
    resource_read: { use: tool('resource_read', (uri) => ({ uri })), whole: WHOLE, passage: PASSAGE },
    'resources/read': {
      use: (uri) =>
        client.readResource({ uri }).then(
          ({ contents: [first] }) => ({ isError: false, text: first && 'text' in first ? first.text : '' }),
          (error: unknown) => ({ isError: true, text: String(error) }),
        ),
      whole: ['address'],
      passage: ['passage'],
    },
    'GET knowledge': {
      use: async (named) => {
        const { status, body } = await service.admin('GET', `knowledge/${encodeURIComponent(named)}`);
        return { isError: status !== 200, text: String(body['content']) };
      },
      whole: ['id'],
      passage: [],
    },
  };

  const rowsOf = (doors: Record<string, Door>) =>
    Object.entries(doors).flatMap(([name, door]) =>
      Object.entries(KINDS).map(([kind, form]) => {
        const has = (kinds: readonly string[]) => kinds.includes(kind);
        const reach: Reach = has(door.whole) ? 'whole' : has(door.passage) ? 'passage' : 'nothing';
        return { name, kind, reach, use: () => door.use(form.replace('{id}', id)) };
      }),
    );

  const whatIsLeft = async () => {
    const { status, body } = await service.admin('GET', `knowledge/${id}`);
    const { items = [] } = (await service.admin('GET', `knowledge/${id}/history`)).body as { items?: object[] };
    return { content: status === 200 ? String(body['content']) : null, versions: items.length };
  };

  it.each(rowsOf(CHANGING))('changes $reach through $name with the name of: $kind', async ({ reach, use }) => {
    const answer = await use();
    const { content, versions } = await whatIsLeft();
    if (reach === 'nothing') {
      expect(answer.isError).toBe(true);
      expect({ content, versions }).toEqual({ content: TEXT, versions: 1 });
      return;
    }
    expect(answer).toMatchObject({ isError: false });
    expect(content).not.toBe(TEXT);
    if (reach !== 'passage') return;
    const [before, after] = TEXT.split(SECOND);
    expect(content?.startsWith(before ?? '')).toBe(true);
    expect(content?.endsWith(after ?? '')).toBe(true);
    expect(versions).toBe(2);
  });

  it.each(rowsOf(READING))('reads $reach through $name with the name of: $kind', async ({ reach, kind, use }) => {
    const { isError, text } = await use();
    // An earlier version is not part of the current one, and has its own address; the same holds for a page of a long text.
    const others: Partial<Record<string, string>> = { version: 'At first.', page: TEXT };
    if (reach !== 'nothing')
      expect({ isError, text }).toEqual({ isError: false, text: reach === 'whole' ? TEXT : SECOND });
    else if (!isError && kind === 'versions') expect(JSON.parse(text)).toHaveLength(2);
    else if (!isError) expect(text).toBe(others[kind]);
  });

  it('refuses to save or remove a part, and says how to change it', async () => {
    const [uri, passage] = [`knowledge://documents/${id}`, `knowledge://documents/${id}#passage-2`];
    expect((await call('knowledge_save', { uri: passage, content: 'Gone.' })).text).toContain(
      `"${passage}" names one passage, and knowledge_save replaces the whole document. Nothing was changed. ` +
        `To change only this part, use knowledge_edit; for the whole document, give ${uri}.`,
    );
    expect((await call('knowledge_remove', { uri: `${uri}/history/1` })).text).toContain(
      `"${uri}/history/1" names an earlier version, which stays as it is, and knowledge_remove removes the whole ` +
        `document with its history. Nothing was changed. For the whole document, give ${uri}.`,
    );
    for (const other of ['memory://shared/evening', 'knowledge://evening'])
      expect((await call('knowledge_save', { uri: other, content: 'Gone.' })).text).toMatch(
        /does not name a document, .* Give the uri of a document, as knowledge_search returns it\.$/,
      );
    expect((await call('knowledge_edit', { uri: passage, append: 'Sleep.' })).text).toContain('version is missing');
    const two = { uri: passage, passage_uri: `${uri}#passage-3`, append: 'Sleep.', version };
    expect((await call('knowledge_edit', two)).text).toContain('name two passages');
    const edit = { uri: passage, old_text: 'dog', new_text: 'cat', version: 1 };
    expect((await call('knowledge_edit', edit)).text).toContain('has changed since version 1');
  });

  const NOTE = 'memory://shared/evening';
  it.each(['memory://shared/evening/history', 'memory://shared/evening#1', 'evening/history', 'memory://shared', NOTE])(
    'takes no address for the key of a note: %s',
    async (name) => {
      await call('memory_save', { key: 'evening', content: 'Ring the bell.' });
      const path = `memory/shared/${encodeURIComponent(name)}`;
      for (const answer of [
        await call('memory_save', { key: name, content: 'Gone.' }),
        await call('memory_save', { key: 'evening', namespace: name, content: 'Gone.' }),
        await call('memory_remove', { key: name }),
        await rest('PUT', path, { content: 'Gone.' }),
        await rest('DELETE', path),
        await call('memory_search', { before: name === NOTE ? `${name}/history` : name }),
      ]) {
        expect(answer).toMatchObject({ isError: true });
      }
      expect(await call('resource_read', { uri: NOTE })).toMatchObject({ isError: false, text: 'Ring the bell.' });
    },
  );

  it.each(['rss://evening-news/i1', 'evening-news/i1', 'evening-news#i1'])(
    'ends no subscription by the address of one of its items: %s',
    async (name) => {
      if (!(await feeds().find('evening-news'))) await feeds().create(newFeed({ id: 'evening-news' }));
      expect(await call('feed_unsubscribe', { feed: name })).toMatchObject({ isError: true });
      expect(await rest('DELETE', `feeds/${encodeURIComponent(name)}`)).toMatchObject({ isError: true });
      expect(await feeds().find('evening-news')).toBeDefined();
    },
  );

  it('continues a list at the document of a passage', async () => {
    const { text } = await call('knowledge_search', { before: `knowledge://documents/${id}#passage-2` });
    expect(text.replace(/the list ends with .*/, '')).not.toContain(id);
  });
});
