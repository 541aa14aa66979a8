import { describeUnlessMissing } from '../../support/left-out.js';
import { documentation, NEEDED } from './corpus.js';
import { HELD_OUT } from './held-out.js';
import { TUNED } from './tuned.js';

const SETS = [
  { name: 'tuned', queries: TUNED },
  { name: 'held-out', queries: HELD_OUT },
];

describeUnlessMissing(NEEDED, 'the judged documentation', () => {
  const pages = new Map((documentation() ?? []).map((page) => [page.key, page]));

  it('has hundreds of pages, each with a title and without front matter', () => {
    expect(pages.size).toBe(708);
    const odd = [...pages.values()].filter(
      ({ title, content }) => !/^[^"'\s]/.test(title) || content.startsWith('---'),
    );
    expect(odd.map(({ key }) => key)).toEqual([]);
  });

  it.each(SETS)('has every page that the $name set judges', ({ queries }) => {
    const judged = queries.flatMap(({ relevant }) => Object.keys(relevant));
    expect(judged.filter((key) => !pages.has(key))).toEqual([]);
  });

  it.each(SETS)('has every answer of the $name set in a page that answers the query', ({ queries }) => {
    const unanswered = queries.filter(({ relevant, answer }) => {
      const best = Object.keys(relevant).filter((key) => relevant[key] === 3);
      return answer !== undefined && !best.some((key) => pages.get(key)?.content.includes(answer));
    });
    expect(unanswered.map(({ query }) => query)).toEqual([]);
  });
});

describe('the judged queries', () => {
  it.each(SETS)('are 40 questions, most with an answer, and 40 of keywords in the $name set', ({ queries }) => {
    const questions = queries.filter(({ kind }) => kind === 'question');
    expect([questions.length, queries.length - questions.length]).toEqual([40, 40]);
    expect(questions.filter(({ answer }) => answer !== undefined).length).toBeGreaterThanOrEqual(35);
  });

  it('are asked once, and judged with one to five pages of which at least one answers', () => {
    const queries = [...TUNED, ...HELD_OUT];
    expect(new Set(queries.map(({ query }) => query)).size).toBe(queries.length);
    const odd = queries.filter(({ relevant, answer }) => {
      const grades = Object.values(relevant);
      return grades.length > 5 || !grades.includes(3) || (answer !== undefined && answer.length > 80);
    });
    expect(odd.map(({ query }) => query)).toEqual([]);
  });
});
