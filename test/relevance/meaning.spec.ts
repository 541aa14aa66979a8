import { settingsOn } from '../../src/config/testing.js';
import { memoryDatabase } from '../../src/database/testing.js';
import { recordedEvents } from '../../src/events/testing.js';
import { provideKnowledge } from '../../src/knowledge/standalone-knowledge.js';
import { semanticOn } from '../../src/semantic/testing.js';
import { corpus } from './corpus.js';
import { heldOutDocuments, heldOutQueries } from './held-out.js';
import { ndcg } from './ndcg.js';
import { judgedQueries } from './queries.js';

const SETS = [
  { name: 'tuned', documents: corpus(), queries: judgedQueries() },
  { name: 'held-out', documents: [...heldOutDocuments(), ...corpus()], queries: heldOutQueries() },
];
it.each(SETS)('%s', async ({ name, documents, queries }) => {
  const database = await memoryDatabase();
  const { events } = recordedEvents();
  const settings = await settingsOn({ database, events });
  const { meaning, embedder, report, models } = semanticOn({ database, settings, events });
  const knowledge = provideKnowledge(database, events, meaning);
  const keys = new Map<string, string>();
  for (const { key, title, content } of documents) keys.set((await knowledge.save({ title, content })).document.id, key);
  for (const mode of ['off', 'builtin']) {
    await settings.set('knowledge.embeddings', mode);
    const t = performance.now();
    await embedder.tick(() => new Date());
    process.stderr.write(`${name} ${mode} ${((performance.now() - t) / 1000).toFixed(1)} s ${JSON.stringify(await report.make())}\n`);
    for (const floor of mode === 'off' ? [0] : [-1, 0.1, 0.2, 0.25, 0.3, 0.35]) {
      const model = models.current as unknown as { unrelatedBelow: number };
      if (model) model.unrelatedBelow = floor;
      const start = performance.now();
      const scores: number[] = [];
      const latin: number[] = [];
      const worst: string[] = [];
      for (const { query, relevant } of queries) {
        const hits = await knowledge.search({ query, limit: 10 });
        const found = hits.map(({ document }) => keys.get(document.id) ?? '');
        const score = ndcg(found, relevant, 10);
        scores.push(score);
        if (score < 0.7) worst.push(`${score.toFixed(2)} ${query}`);
        if (/^[\x20-\x7e]*$/.test(query)) latin.push(score);
      }
      const mean = (a: number[]) => (a.reduce((x, y) => x + y, 0) / a.length).toFixed(4);
      process.stderr.write(`${name} ${mode} ${floor}: ${mean(scores)} (${scores.length}); ascii ${mean(latin)} (${latin.length}); ${((performance.now() - start) / queries.length).toFixed(1)} ms\n ${floor === 0.2 || mode==='off' ? worst.join('\n ') : ''}\n`);
    }
  }
}, 600_000);
