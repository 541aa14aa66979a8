import type { Language } from './language.rules.js';
import { indexedWords, wordsOf } from './words.rules.js';

const words = (text: string) => wordsOf(text).map((word) => word.text);

describe('wordsOf', () => {
  it.each<[string, string, string[]]>([
    ['case', 'Crème BRÛLÉE', ['crème', 'brûlée']],
    ['accents that are characters of their own', 'cafe\u0301', ['café']],
    ['names of code', 'mcp.tool_timeout_ms', ['mcp', 'tool', 'timeout', 'ms']],
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
  it.each<[string, Language, string, string]>([
    ['English', 'en', 'policies configured Configuration queries', 'polici configur configur queri'],
    ['German', 'de', 'Häuser Verbindungen', 'hausÄ verbindÄ'],
    ['French', 'fr', 'générales Télétravail', 'generalÇ teletravailÇ'],
    ['Spanish, and what is typed without accents', 'es', 'configuración', 'configurÑ configuracionÑ'],
    ['English, with accents or without', 'en', 'crème creme', 'creme creme'],
    ['Russian, and English in it', 'ru', 'серверы policies', 'серверЯ policiЯ'],
    ['words with digits, which have no stem', 'de', 'utf8s k8s', 'utf8s k8s utfÄ'],
    ['letters that Unicode does not decompose', 'en', 'Łódź Ærø', 'lodz aero'],
    ['pairs, which have no stem', 'de', '全文検索', '全文 文検 検索 索'],
  ])('are the stems of %s', (_what, language, text, expected) => {
    expect(indexedWords(text, language).join(' ')).toBe(expected);
  });

  it('adds the parts of names after all words', () => {
    expect(indexedWords('SkillRegistry parseHTTPUrl now', 'en')).toEqual([
      'skillregistri',
      'parsehttpurl',
      'now',
      'skill',
      'registri',
      'pars',
      'http',
      'url',
    ]);
  });
});
