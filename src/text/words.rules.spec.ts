import { indexedWords, wordsOf } from './words.rules.js';

const words = (text: string) => wordsOf(text).map((word) => word.text);

describe('wordsOf', () => {
  it.each<[string, string, string[]]>([
    ['case and accents', 'Crème BRÛLÉE', ['creme', 'brulee']],
    ['accents that are characters of their own', 'cafe\u0301', ['cafe']],
    ['letters that Unicode does not decompose', 'Straße Łódź Ærø', ['strasse', 'lodz', 'aero']],
    ['names of code', 'mcp.tool_timeout_ms', ['mcp', 'tool', 'timeout', 'ms']],
    ['the English plural', 'policies sessions glass status', ['policy', 'session', 'glass', 'status']],
    ['pairs of Chinese characters', '全文検索', ['全文', '文検', '検索', '索']],
    ['Japanese voiced kana', 'がく', ['がく', 'く']],
    ['Hangul', '한국어', ['한국', '국어', '어']],
    ['mixed scripts', 'MCP服务器v2', ['mcp', '服务', '务器', '器', 'v2']],
    ['full-width letters', 'ＡＢＣ', ['abc']],
    ['no words', '!?() "*" -- \u0000', []],
  ])('knows %s', (_what, text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('returns the position of each word', () => {
    const text = '… Über 全文!';
    expect(wordsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual(['Über', '全文', '文']);
  });
});

describe('indexedWords', () => {
  it('adds the parts of names after all words', () => {
    expect(indexedWords('SkillRegistry parseHTTPUrl now')).toEqual([
      'skillregistry',
      'parsehttpurl',
      'now',
      'skill',
      'registry',
      'parse',
      'http',
      'url',
    ]);
  });
});
