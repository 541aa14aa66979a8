import { describeLacks, type Lack, LONGEST_QUERY, searchedPart } from './search-lacks.rules.js';

describe('the part of a query that is searched for', () => {
  it.each([
    ['is all of a short one', 'whales in the sea', 'whales in the sea'],
    ['is all of the longest one', 'x'.repeat(LONGEST_QUERY), 'x'.repeat(LONGEST_QUERY)],
    ['ends with a whole word', `${'word '.repeat(199)}longest`, 'word '.repeat(199).trim()],
    ['keeps a word that just fits', `${'word '.repeat(199)}fifth more`, `${'word '.repeat(199)}fifth`],
    ['cuts a text without a space', 'x'.repeat(LONGEST_QUERY + 1), 'x'.repeat(LONGEST_QUERY)],
    ['cuts a long last word', `word ${'x'.repeat(2_000)}`, `word ${'x'.repeat(LONGEST_QUERY - 5)}`],
  ])('%s', (_case, query, expected) => {
    const lacks = new Set<Lack>();
    expect(searchedPart(query, lacks)).toBe(expected);
    expect([...lacks]).toEqual(query === expected ? [] : ['query']);
  });

  it('is reported in one sentence for each thing that a result lacks', () => {
    expect(describeLacks(new Set())).toBe('');
    expect(describeLacks(new Set(['query', 'index']))).toBe(
      ' Only the first 1000 characters of the query were searched for. The index is being built: what is not in it yet is not found. Search again later.',
    );
  });
});
