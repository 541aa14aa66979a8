import { isStorable, mayHoldUnstorable, storableText, storableValue } from './bounded-json.js';

describe('the storable part', () => {
  it.each([
    ['a text', 'plain', 'plain'],
    ['NUL', 'a\0b\0', 'ab'],
    ['half a character', 'a\ud800b', 'a\ufffdb'],
    ['the other half of a character', '\udc00', '\ufffd'],
    ['a whole character', 'a😀', 'a😀'],
  ])('of a text is right for %s', (_title, text, kept) => {
    expect(storableText(text)).toBe(kept);
    expect(isStorable(text)).toBe(text === kept);
  });

  it('of a JSON value covers names of members, and keeps a member named __proto__', () => {
    const value = JSON.parse('{"a\\u0000":["\\ud800",{"__proto__":"x\\u0000"},null,1,true]}') as unknown;
    const kept = storableValue(value);
    expect(JSON.stringify(kept)).toBe('{"a":["\ufffd",{"__proto__":"x"},null,1,true]}');
  });

  it('may differ when the JSON has certain escapes, in either case', () => {
    const holds = (json: string) => mayHoldUnstorable(Buffer.from(json));
    expect([holds('"\\u0000"'), holds('"\\uD800"'), holds('"\\udfff"')]).toEqual([true, true, true]);
    expect([holds('"\\u0041"'), holds('"text"'), holds('"ü"')]).toEqual([false, false, false]);
  });
});
