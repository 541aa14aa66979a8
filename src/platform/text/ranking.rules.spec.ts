import { relevanceOf, distinctivenessOf, weightOf, WHOLE_DOCUMENT } from './ranking.rules.js';
import type { WeighedTerm } from './ranking.rules.js';
import { countWords, hashOf } from './word-counts.rules.js';

const AVERAGES = { title: 3, context: 3, body: 100 };
const term = (word: string, weight = 1) => ({ hashes: [hashOf(word)], weight, boost: 1 });
const row = ({ title = 'x y z', context = '', body = 'filler '.repeat(50) } = {}) =>
  countWords({ title, context, body });
const score = (counts: Uint8Array, ...words: string[]) =>
  relevanceOf(
    counts,
    words.map((word) => term(word)),
    AVERAGES,
  ).score;

describe('the weight of a word', () => {
  it('is the greater the fewer rows have it, and never negative', () => {
    const weights = [1, 10, 500, 1_000].map((rows) => weightOf(rows, 1_000));
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
    expect(Math.min(...weights)).toBeGreaterThan(0);
    expect(weightOf(1_200, 1_000)).toBeGreaterThan(0); // counted while the index was growing
  });
});

describe('the relevance of a row', () => {
  it.each<[string, Parameters<typeof row>[0], Parameters<typeof row>[0]]>([
    ['in the title more than in the body', { title: 'a y z' }, { body: `a ${'filler '.repeat(49)}` }],
    ['the more often it occurs', { body: 'a a b '.repeat(16) }, { body: `a b b ${'c d b '.repeat(15)}` }],
    ['in a short body more than in a long one', { body: 'a b c' }, { body: `a ${'b '.repeat(400)}` }],
    ['in a short title more than in a long one', { title: 'a b' }, { title: 'a b c d e f g h' }],
  ])('counts a word %s', (_what, better, worse) => {
    expect(score(row(better), 'a')).toBeGreaterThan(score(row(worse), 'a'));
  });

  it('says how many of the words the row has, in any of their forms', () => {
    const terms = [term('a'), term('none'), { hashes: [hashOf('missing'), hashOf('b')], weight: 1 }];
    expect(relevanceOf(row({ body: 'a b' }), terms, AVERAGES)).toMatchObject({ found: 2 });
    expect(relevanceOf(row({ body: '' }), terms, AVERAGES)).toEqual({ score: 0, found: 0 });
  });

  it('prefers two different words to more of one', () => {
    const one = row({ body: `${'a '.repeat(20)}${'filler '.repeat(30)}` });
    const both = row({ body: `a b ${'filler '.repeat(48)}` });
    expect(score(both, 'a', 'b')).toBeGreaterThan(score(one, 'a', 'b'));
  });

  it('holds the length of a whole document against it', () => {
    const [short, long] = [row({ body: `a ${'b '.repeat(99)}` }), row({ body: `a a a ${'b '.repeat(997)}` })];
    const whole = (counts: Uint8Array) => relevanceOf(counts, [term('a')], AVERAGES, WHOLE_DOCUMENT).score;
    expect(whole(short)).toBeGreaterThan(whole(long));
  });

  it('is a number also where all fields are empty', () => {
    const none = { title: 0, context: 0, body: 0 };
    expect(relevanceOf(row({ title: 'a' }), [term('a')], none).score).toBeGreaterThan(0);
  });
});

describe('the rows of one text', () => {
  const rows = (bodies: readonly string[]) => bodies.map((body) => ({ body, counts: row({ title: 'cron', body }) }));
  const telling = (bodies: readonly string[], ...terms: WeighedTerm[]) =>
    distinctivenessOf(rows(bodies), terms, AVERAGES);

  it('rank first with a rare word, however often the others have the common one', () => {
    const [often = 0, once = 0, own] = telling(
      ['job job job job a b', 'job c d e f g', 'job overlap c d e f'],
      term('job'),
      term('overlap'),
    );
    expect([own, often > once, often < 1]).toEqual([1, true, true]);
  });

  it('rank alike when they are equal, and not at all without any of the words', () => {
    expect([telling(['a b', 'b a'], term('a')), telling(['x', 'y'], term('a'))]).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });

  it('answer worse by a word that is worth less, and not by one that every row of the index has', () => {
    const bodies = ['browser a b c', 'still a b c', 'closed a b c'];
    const [browser, still] = telling(bodies, term('browser'), { ...term('still'), boost: 0.4 });
    expect([browser, still]).toEqual([1, expect.closeTo(0.4)]);
    expect(telling(bodies, term('browser', 0), term('closed'))).toEqual([0, 0, 1]);
  });
});
