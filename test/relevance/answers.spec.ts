import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { knowledgeOn } from '../../src/features/knowledge/testing.js';
import { describeUnlessMissing } from '../support/left-out.js';
import { type AnswerSet, fastifyAnswers, missingAnswers, ownAnswers, saved } from './answer-sets.js';
import { NEEDED } from './documentation/corpus.js';

/** Full-text search only. Questions are often worded differently from their answers. */
const FLOORS = { own: { first: 0.88, firstTwo: 0.96 }, fastify: { first: 0.56, firstTwo: 0.65 } };

/** @param load called inside the tests, because they are skipped where the documents are not installed */
function judges(name: string, load: () => AnswerSet, least: { first: number; firstTwo: number }): void {
  it('judges answers that the documents have', () => {
    const set = load();
    expect(missingAnswers(set)).toEqual([]);
    expect(set.questions.length).toBeGreaterThanOrEqual(60);
  });

  describeEachDatabase('the passages of search results', (open, dialect) => {
    it(`answer ${least.first * 100} % of the questions by the first, and ${least.firstTwo * 100} % by one of the first two`, async () => {
      const { knowledge } = knowledgeOn(await open());
      const ask = await saved(knowledge, load());
      const { first, firstTwo } = await ask(`On ${dialect}, of ${name}`);
      expect(first).toBeGreaterThanOrEqual(least.first);
      expect(firstTwo).toBeGreaterThanOrEqual(least.firstTwo);
    });
  });
}

describe('on the manuals of our packages', () => {
  judges('the manuals of our packages', ownAnswers, FLOORS.own);
});

describeUnlessMissing(NEEDED, 'on the manual of Fastify', () => {
  judges('the manual of Fastify', fastifyAnswers, FLOORS.fastify);
});
