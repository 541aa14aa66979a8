import { describeEachDatabase } from '../../src/database/testing.js';
import { knowledgeOn } from '../../src/knowledge/testing.js';
import { corpus } from './corpus.js';
import { ndcg } from './ndcg.js';
import { judgedQueries } from './queries.js';

const FLOOR = 0.88;

describeEachDatabase('search', (open, dialect) => {
  it(`answers the judged queries with an nDCG@10 of at least ${FLOOR}`, async () => {
    const { knowledge } = knowledgeOn(await open());
    const keys = new Map<string, string>();
    for (const { key, title, content } of corpus()) {
      keys.set((await knowledge.save({ title, content })).document.id, key);
    }
    const queries = judgedQueries();
    const scores: { query: string; score: number }[] = [];
    for (const { query, relevant } of queries) {
      const hits = await knowledge.search({ query, limit: 10 });
      const found = hits.map(({ document }) => keys.get(document.id) ?? '');
      scores.push({ query, score: ndcg(found, relevant, 10) });
    }
    const mean = scores.reduce((sum, { score }) => sum + score, 0) / scores.length;
    const worst = scores.filter(({ score }) => score < 0.7).map(({ query, score }) => `${score.toFixed(2)} ${query}`);
    process.stderr.write(
      `nDCG@10 on ${dialect}: ${mean.toFixed(3)} (${queries.length} queries, ${keys.size} documents). Below 0.7:\n${worst.map((line) => `  ${line}\n`).join('')}`,
    );
    expect(mean).toBeGreaterThanOrEqual(FLOOR);
  }, 60_000);
});
