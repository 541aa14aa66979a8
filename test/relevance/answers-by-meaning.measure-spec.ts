import { settingsOn } from '../../src/platform/config/testing.js';
import { memoryDatabase } from '../../src/platform/database/testing.js';
import { recordedEvents } from '../../src/platform/events/testing.js';
import { provideKnowledge } from '../../src/features/knowledge/standalone-knowledge.js';
import { BuiltinModel } from '../../src/features/semantic/models/builtin-model.service.js';
import { semanticOn } from '../../src/features/semantic/testing.js';
import { describeWithModel } from '../support/builtin-model.js';
import { describeUnlessMissing } from '../support/left-out.js';
import { type AnswerSet, fastifyAnswers, ownAnswers, saved, withoutOthers } from './answer-sets.js';
import { NEEDED } from './documentation/corpus.js';

/** Embedding is slow, so distractors are left out; the limit ends only a test that hangs. */
const LIMIT_MS = 3_600_000;

describeWithModel('the passages of search results, with the built-in model,', () => {
  const builtin = new BuiltinModel();
  afterAll(() => builtin.onApplicationShutdown());

  async function answered(title: string, set: AnswerSet) {
    const [database, { events }] = [await memoryDatabase(), recordedEvents()];
    const settings = await settingsOn({ database, events });
    const { meaning, embedder } = semanticOn({ database, settings, events, builtin });
    const ask = await saved(provideKnowledge(database, events, meaning), set);
    await settings.set('knowledge.embeddings', 'builtin');
    await embedder.tick(() => new Date());
    return ask(`With the built-in model, of ${title}`);
  }

  it(
    'answer 93 % of the questions on the manuals of our packages by the first, and 97 % by one of the first two',
    async () => {
      const { first, firstTwo } = await answered('the manuals of our packages', withoutOthers(ownAnswers()));
      expect(first).toBeGreaterThanOrEqual(0.93);
      expect(firstTwo).toBeGreaterThanOrEqual(0.97);
    },
    LIMIT_MS,
  );

  describeUnlessMissing(NEEDED, 'of the manual of Fastify', () => {
    it(
      'answer 72 % of the questions by the first, and 80 % by one of the first two',
      async () => {
        const { first, firstTwo } = await answered('the manual of Fastify', fastifyAnswers());
        expect(first).toBeGreaterThanOrEqual(0.72);
        expect(firstTwo).toBeGreaterThanOrEqual(0.8);
      },
      LIMIT_MS,
    );
  });
});
