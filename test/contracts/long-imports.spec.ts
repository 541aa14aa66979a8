import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { ImportedFileReader } from '../../src/features/knowledge/import/imported-file-reader.service.js';
import { KnowledgeImport } from '../../src/features/knowledge/import/knowledge-import.service.js';
import { knowledgeOn } from '../../src/features/knowledge/testing.js';

const chapter = (name: string, characters: number) => `# ${name}\n\n${'words of a chapter. '.repeat(characters / 20)}`;
const BOOK = [chapter('One', 400_000), chapter('Two', 500_000), chapter('Whales', 300_000)].join('\n\n');

describeEachDatabase('a file of over a million characters', (open) => {
  it('becomes a document for each chapter, which belong to it', async () => {
    const { knowledge } = knowledgeOn(await open());
    const reader = new ImportedFileReader();
    const importer = new KnowledgeImport(knowledge, reader);
    const file = { path: 'books/sea.md', content: BOOK };
    const results = await importer.importOne(file, 'import');
    expect(results.map(({ path, outcome }) => [path, outcome])).toEqual([
      ['books/sea.md', 'created'],
      ['books/sea.md#2', 'created'],
      ['books/sea.md#3', 'created'],
    ]);
    const [hit] = await knowledge.search({ query: 'whales', limit: 5 });
    expect(hit?.document).toMatchObject({ title: 'One: Whales', path: 'books/sea.md#3' });
    const again = await importer.importOne(file, 'import');
    expect(again.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    const removed = async (documents: string[], unread: string[]) =>
      (await importer.listRemoved('books', { documents: new Set(documents), unread: new Set(unread) })).map(
        ({ path }) => path,
      );
    expect(await removed([], ['books/sea.md'])).toEqual([]);
    expect(await removed(['books/other.md'], [])).toHaveLength(3);
    expect(await removed(['books/sea.md', 'books/sea.md#2'], [])).toEqual(['books/sea.md#3']);
    await reader.beforeApplicationShutdown();
  });
});
