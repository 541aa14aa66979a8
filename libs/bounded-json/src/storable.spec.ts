import { isStorable, mayHoldUnstorable, placeOfUnstorable, storableText, storableValue } from './bounded-json.js';

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

  it.each([
    ['the body.a[1].b', { a: ['x', { b: 'y\0' }] }],
    ['a name in the body.a', { a: { '\ud800': 1 } }],
    [`the body.${'x'.repeat(191)}`, { ['x'.repeat(300)]: '\0' }],
    [null, { a: ['x', { b: null }, 1, '😀'] }],
  ])('of a JSON value lacks what is in %s', (place, value) => {
    expect(placeOfUnstorable(value, 'the body')).toBe(place);
  });

  it('may differ when the JSON has certain escapes, in either case', () => {
    const holds = (json: string) => mayHoldUnstorable(Buffer.from(json));
    expect([holds('"\\u0000"'), holds('"\\uD800"'), holds('"\\udfff"')]).toEqual([true, true, true]);
    expect([holds('"\\u0041"'), holds('"text"'), holds('"ü"')]).toEqual([false, false, false]);
  });
});
