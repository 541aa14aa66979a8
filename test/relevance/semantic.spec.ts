import { jest } from '@jest/globals';
import { settingsOn } from '../../src/platform/config/testing.js';
import { memoryDatabase } from '../../src/platform/database/testing.js';
import { recordedEvents } from '../../src/platform/events/testing.js';
import { provideKnowledge } from '../../src/features/knowledge/standalone-knowledge.js';
import { memoryOn } from '../../src/features/memory/testing.js';
import { BuiltinModel } from '../../src/features/semantic/models/builtin-model.service.js';
import { semanticOn } from '../../src/features/semantic/testing.js';
import { describeWithModel } from '../support/builtin-model.js';
import { heldOutDocuments, heldOutQueries } from './held-out.js';
import { ndcg } from './ndcg.js';
import { NOTES, otherNotes } from './notes.js';

const OTHERS = Number(process.env['OTHER_NOTES'] ?? 100);
// The thread of the model has low priority: on a busy machine it takes ten times as long.
jest.setTimeout(1_200_000 + 5_000 * OTHERS);

const DOCUMENTS = [
  ['Parking', 'Every car needs a permit of the facility team, also for a day at work.'],
  ['Dough', 'Leave it in a bowl for a day, and it rises.'],
  ['Time off', 'Ask for holidays two weeks ahead.'],
  ['Rollback', 'To undo a release that went wrong, run helm rollback.'],
  ['Reimbursement', 'Customers are paid back what they were charged within ten days.'],
  ['Printer E-5012', 'The printer shows E-5012 when it has no paper.'],
  ['Printer E-5013', 'The printer shows E-5013 when it is out of toner.'],
  ['Printer E-5021', 'The printer shows E-5021 when it cannot reach the network.'],
  ['Sales in Lisbon', 'The team in Lisbon sells to hospitals.'],
  ['Sales in Porto', 'The team in Porto sells to hospitals.'],
] as const;
/** Some can be found only by semantic search, others only by words. */
const ASKED = [
  // No common word.
  { query: 'vehicle on the premises', title: 'Parking' },
  { query: 'vacation', title: 'Time off' },
  { query: 'revert a broken deployment', title: 'Rollback' },
  // Fewer common words than with another document.
  { query: 'where do I leave my automobile for a day at work', title: 'Parking' },
  // Semantically as close to another document.
  { query: 'printer problem E-5013', title: 'Printer E-5013' },
  { query: 'printer problem E-5021', title: 'Printer E-5021' },
  { query: 'who sells to clinics in Porto', title: 'Sales in Porto' },
] as const;

describeWithModel('search with the built-in model', () => {
  const builtin = new BuiltinModel();
  afterAll(() => builtin.onApplicationShutdown());

  async function world() {
    const database = await memoryDatabase();
    const { events } = recordedEvents();
    const settings = await settingsOn({ database, events });
    const { meaning, embedder } = semanticOn({ database, settings, events, builtin });
    return { database, settings, embedder, meaning, knowledge: provideKnowledge(database, events, meaning) };
  }

  it('finds texts in other words, and in the same words', async () => {
    const { settings, embedder, knowledge } = await world();
    await settings.set('knowledge.embeddings', 'builtin');
    for (const [title, content] of DOCUMENTS) await knowledge.save({ title, content });
    await embedder.tick(() => new Date());
    const found: [string, string | undefined][] = [];
    for (const { query } of ASKED) {
      const [hit] = await knowledge.search({ query, limit: 3 });
      found.push([query, hit?.document.title]);
    }
    expect(found).toEqual(ASKED.map(({ query, title }) => [query, title]));
  });

  it('finds remembered notes that are asked for in other words', async () => {
    const { database, settings, embedder, meaning } = await world();
    const { memory } = memoryOn(database, meaning);
    for (const note of [...otherNotes(OTHERS), ...NOTES]) await memory.save({ ...note, client: 'ide' });
    const meanReciprocalRank = async () => {
      let sum = 0;
      for (const { key, asked } of NOTES) {
        const hits = await memory.search({ query: asked, limit: 10 });
        const rank = hits.findIndex(({ entry }) => entry.key === key) + 1;
        sum += rank === 0 ? 0 : 1 / rank;
      }
      return sum / NOTES.length;
    };
    const words = await meanReciprocalRank();
    await settings.set('knowledge.embeddings', 'builtin');
    await embedder.tick(() => new Date());
    const both = await meanReciprocalRank();
    process.stderr.write(
      `MRR of ${NOTES.length} notes among ${OTHERS}: ${words.toFixed(3)} by words, ${both.toFixed(3)} with the built-in model\n`,
    );
    expect(both).toBeGreaterThan(words + 0.1);
  });

  it('answers the held-out queries no worse than without', async () => {
    const { settings, embedder, knowledge } = await world();
    const keys = new Map<string, string>();
    for (const { key, title, content } of heldOutDocuments()) {
      keys.set((await knowledge.save({ title, content })).document.id, key);
    }
    const mean = async () => {
      const scores: number[] = [];
      for (const { query, relevant } of heldOutQueries()) {
        const hits = await knowledge.search({ query, limit: 10 });
        scores.push(
          ndcg(
            hits.map(({ document }) => keys.get(document.id) ?? ''),
            relevant,
            10,
          ),
        );
      }
      return scores.reduce((sum, score) => sum + score, 0) / scores.length;
    };
    const words = await mean();
    await settings.set('knowledge.embeddings', 'builtin');
    await embedder.tick(() => new Date());
    const meaning = await mean();
    process.stderr.write(`nDCG@10: ${words.toFixed(3)} by words, ${meaning.toFixed(3)} with the built-in model\n`);
    expect(meaning).toBeGreaterThanOrEqual(words - 0.005);
  });
});
