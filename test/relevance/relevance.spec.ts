import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { knowledgeOn } from '../../src/features/knowledge/testing.js';
import { corpus } from './corpus.js';
import { heldOutDocuments, heldOutQueries } from './held-out.js';
import { ndcg } from './ndcg.js';
import { judgedQueries } from './queries.js';

/** The ranking was tuned on the first set, so only the second measures its quality on unseen data. */
const SETS = [
  { name: 'tuned', floor: 0.88, documents: corpus(), queries: judgedQueries() },
  // The documents of the first set are distractors.
  { name: 'held-out', floor: 0.91, documents: [...heldOutDocuments(), ...corpus()], queries: heldOutQueries() },
];

describe.each(SETS)('the $name set', ({ documents, queries }) => {
  it('judges documents that it has', () => {
    const keys = new Set(documents.map(({ key }) => key));
    const judged = queries.flatMap(({ relevant }) => [...relevant.keys()]);
    expect(judged.filter((key) => !keys.has(key))).toEqual([]);
  });
});

describeEachDatabase('search', (open, dialect) => {
  it.each(SETS)(
    'answers the queries of the $name set with an nDCG@10 of at least $floor',
    async ({ name, floor, documents, queries }) => {
      const { knowledge } = knowledgeOn(await open());
      const keys = new Map<string, string>();
      for (const { key, title, content } of documents) {
        keys.set((await knowledge.save({ title, content })).document.id, key);
      }
      const scores: { query: string; score: number }[] = [];
      for (const { query, relevant } of queries) {
        const hits = await knowledge.search({ query, limit: 10 });
        const found = hits.map(({ document }) => keys.get(document.id) ?? '');
        scores.push({ query, score: ndcg(found, relevant, 10) });
      }
      const mean = scores.reduce((sum, { score }) => sum + score, 0) / scores.length;
      const worst = scores.filter(({ score }) => score < 0.7).map(({ query, score }) => `${score.toFixed(2)} ${query}`);
      process.stderr.write(
        `nDCG@10 of the ${name} set on ${dialect}: ${mean.toFixed(3)} (${queries.length} queries, ${keys.size} documents). Below 0.7:\n${worst.map((line) => `  ${line}\n`).join('')}`,
      );
      expect(mean).toBeGreaterThanOrEqual(floor);
    },
  );
});
