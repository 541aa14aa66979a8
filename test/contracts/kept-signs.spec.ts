import type { Database } from '../../src/platform/database/database.js';
import { memoryDatabase } from '../../src/platform/database/testing.js';
import { EntryVectors } from '../../src/features/memory/entry-vectors.store.js';
import { memoryOn } from '../../src/features/memory/testing.js';
import { CollectionIndex } from '../../src/features/semantic/collection-index.js';
import { toEmbedding } from '../../src/features/semantic/models/embedding.rules.js';
import { VectorStore } from '../../src/features/semantic/vector.store.js';

const SPACE = 'space';
const EACH = 100;

describe('CollectionIndex', () => {
  let database: Database;
  beforeEach(async () => void (database = await memoryDatabase()));

  it('keeps few of the embeddings that are gone, however many come and go', async () => {
    const [{ memory }, vectors, collection] = [
      memoryOn(database),
      new VectorStore(database),
      new EntryVectors(database),
    ];
    const index = new CollectionIndex(collection, vectors);
    const add = async (prefix: string) => {
      for (let n = 0; n < EACH; n += 1) await memory.save({ key: `${prefix}-${n}`, content: `${n}`, client: 'ada' });
      const { ids } = await vectors.listMissing(collection, SPACE, null, EACH);
      const embedded = ids.map((id) => ({ id, revision: 1, embedding: toEmbedding([1, -1, 1, id]) }));
      expect(await vectors.save(collection, SPACE, embedded)).toBe(EACH);
      await index.refresh(SPACE);
    };
    await add('stays');
    for (let round = 0; round < 30; round += 1) {
      await add(`goes-${round}`);
      await database.deleteFrom('memory_entries').where('key', 'like', 'goes-%').execute();
    }
    expect(index.size).toBeLessThan(1_500);
    expect(index.size).toBeGreaterThanOrEqual(EACH);
  });
});
