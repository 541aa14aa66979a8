import { matcherOf, parseTextQuery } from './text-query.rules.js';

const EMPTY = { words: [], last: null, phrases: [], compounds: [] };

describe('parseTextQuery', () => {
  it.each<[string, string, Partial<ReturnType<typeof parseTextQuery>>]>([
    ['words, the last one perhaps incomplete', 'Helm roll', { words: ['helm', 'roll'], last: 'roll' }],
    ['a complete last word', 'helm rollback ', { words: ['helm', 'rollback'] }],
    [
      'phrases',
      'pods "helm rollback" “so what”',
      {
        words: ['pods'],
        phrases: [
          ['helm', 'rollback'],
          ['so', 'what'],
        ],
      },
    ],
    ['a quote that never ends', '"helm roll', { words: ['helm', 'roll'], last: 'roll' }],
    [
      'operators as words',
      'a AND (b* OR -c) NOT title:d',
      { words: ['b', 'c', 'title', 'd'], last: 'd', compounds: [['title', 'd']] },
    ],
    ['a question without its small words', 'how do I restart the server?', { words: ['restart', 'server'] }],
    ['small words when there is nothing else', 'the who?', { words: ['the', 'who'] }],
    ['Chinese as pairs', '全文検索', { words: ['全文', '文検', '検索'], last: '検索' }],
    ['one Chinese character', '全', { words: ['全'], last: '全' }],
    ['a Chinese phrase', '"全文検索"', { phrases: [['全文', '文検', '検索']] }],
    ['names of code, whole and in parts', 'has_more in', { words: ['more'], last: null, compounds: [['has', 'more']] }],
    ['nothing', ' "" ()* ', {}],
  ])('reads %s', (_what, input, expected) => {
    const { words, ...rest } = parseTextQuery(input);
    const wanted = { ...EMPTY, ...expected };
    expect(rest).toEqual({ last: wanted.last, phrases: wanted.phrases, compounds: wanted.compounds });
    expect(words).toEqual(wanted.words);
  });

  it('limits the number of words', () => {
    const { words } = parseTextQuery(Array.from({ length: 500 }, (_, n) => `w${n}`).join(' '));
    expect(words.length).toBeLessThanOrEqual(24);
  });

  it('limits the number of phrases and of their words, and takes the words of others one by one', () => {
    const quoted = Array.from({ length: 7 }, (_, n) => `"red${n} blue${n}"`).join(' ');
    const { phrases, words } = parseTextQuery(`${quoted} green`);
    expect(phrases).toEqual([0, 1, 2, 3, 4].map((n) => [`red${n}`, `blue${n}`]));
    expect(words).toEqual(['red5', 'blue5', 'red6', 'blue6', 'green']);
    const long = Array.from({ length: 100 }, (_, n) => `w${n}`);
    expect(parseTextQuery(`"${long.join(' ')}"`).phrases).toEqual([long.slice(0, 24)]);
  });

  it('matches the words of a text that it looks for', () => {
    const isMatch = matcherOf(parseTextQuery('"helm chart" pods roll'));
    expect(['helm', 'charts', 'pod', 'rollback', 'other'].map(isMatch)).toEqual([true, true, true, true, false]);
  });
});
