import { openPostgres } from '../../src/platform/database/open-database.js';
import { memoryDatabase } from '../../src/platform/database/testing.js';
import { knowledgeOn } from '../../src/features/knowledge/testing.js';
import { Random } from '../fuzz/random.js';
import { describeEachOnNewPostgres } from '../support/postgres.js';

const WORDS = [
  'alpha',
  'betas',
  'gamma',
  'delta_max',
  'epsilon',
  'zeta',
  'running',
  'runs',
  'größe',
  'café',
  '全文検索',
  'x42',
];
const DOCUMENTS = 120;
const QUERIES = 150;

describeEachOnNewPostgres('SQLite and PostgreSQL', (postgres) => {
  it('find the same documents in the same order, whatever the documents and the queries', async () => {
    const databases = [await memoryDatabase(), await openPostgres(postgres.url)];
    const bases = databases.map((database) => knowledgeOn(database).knowledge);
    const random = new Random(17);
    const some = (most: number) =>
      Array.from({ length: random.integer(1, most) }, () => WORDS[random.integer(0, WORDS.length)] ?? '').join(' ');
    const titles = [new Map<string, string>(), new Map<string, string>()];
    for (let number = 0; number < DOCUMENTS; number += 1) {
      const given = {
        title: `${some(3)} ${number}`,
        // Some form one passage, others two.
        content: `# ${some(3)}\n\n${some(120)}\n\n## ${some(2)}\n\n${some(180)}`,
      };
      for (const [position, base] of bases.entries()) {
        const { document } = await base.save({ ...given, tags: number % 3 === 0 ? ['third'] : [] });
        titles[position]?.set(document.id, given.title);
      }
    }
    for (let asked = 0; asked < QUERIES; asked += 1) {
      const query = random.chance(0.2) ? `"${some(2)}" ${some(2)}` : `${some(4)}${random.chance(0.2) ? ' al' : ''}`;
      const tags = random.chance(0.3) ? ['third'] : [];
      const found = await Promise.all(
        bases.map(async (base, position) =>
          (await base.search({ query, tags, limit: 10 })).map(({ document, match }) => [
            titles[position]?.get(document.id),
            match,
          ]),
        ),
      );
      expect({ query, found: found[1] }).toEqual({ query, found: found[0] });
    }
    for (const database of databases) await database.destroy();
  });

  it('take any text for a query', async () => {
    const databases = [await memoryDatabase(), await openPostgres(postgres.url)];
    const bases = databases.map((database) => knowledgeOn(database).knowledge);
    for (const base of bases) await base.save({ title: 'Größe', content: 'Alpha a_b: 全文検索' });
    const random = new Random(23);
    const pieces = [
      '\u0301',
      '\u3099',
      'ﾞ',
      '"',
      '_',
      "'",
      '\\',
      ':*',
      '&',
      '|',
      '(',
      ' ',
      'a',
      'ß',
      'İ',
      '全',
      '\u0000',
      '\ud800',
      '²',
    ];
    for (let asked = 0; asked < 400; asked += 1) {
      const query = Array.from(
        { length: random.integer(1, 12) },
        () => pieces[random.integer(0, pieces.length)] ?? '',
      ).join('');
      for (const base of bases) expect((await base.search({ query, limit: 3 })).length).toBeLessThanOrEqual(1);
    }
    for (const database of databases) await database.destroy();
  });
});
