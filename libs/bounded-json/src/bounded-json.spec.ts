import { depthOf, isObject, parseBoundedJson, parsedOrNull, valueCountOf } from './bounded-json.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('parseBoundedJson', () => {
  it('reads JSON nested as deep as allowed, and refuses one level more', () => {
    expect(parseBoundedJson(bytes(nested(8)), 8)).toEqual({ value: JSON.parse(nested(8)) as unknown });
    expect(parseBoundedJson(bytes(nested(9)), 8)).toEqual({ problem: 'too_deep' });
    expect(parseBoundedJson(bytes(`{"a":${nested(8)}}`), 8)).toEqual({ problem: 'too_deep' });
  });

  it.each([
    ['brackets in a text', JSON.stringify('['.repeat(100))],
    ['an escaped quote before brackets', JSON.stringify(`"${'{'.repeat(100)}`)],
    ['an escaped backslash at the end of a text', JSON.stringify({ a: '\\', b: `\\"${'['.repeat(50)}` })],
    ['arrays side by side', `[${'[],'.repeat(100)}[]]`],
  ])('does not take %s for depth', (_title, json) => {
    expect(parseBoundedJson(bytes(json), 8)).toEqual({ value: JSON.parse(json) as unknown });
  });

  it.each([
    ['nothing', ''],
    ['half a text', '{"a":"'],
    ['a word', 'nope'],
  ])('says so when the bytes are %s', (_title, text) => {
    expect(parseBoundedJson(bytes(text), 8)).toEqual({ problem: 'not_json' });
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(parseBoundedJson(new Uint8Array([0x22, 0xff, 0x22]), 8)).toEqual({ problem: 'not_json' });
  });

  it('stops at the limit, and reads a text of nothing but escapes in linear time', () => {
    expect(depthOf(bytes('['.repeat(1_000_000)), 64)).toBe(65);
    expect(depthOf(bytes(`["${'\\"'.repeat(1_000_000)}"]`), 64)).toBe(1);
    expect(depthOf(bytes(`["${'\\'.repeat(1_000_000)}"]`), 64)).toBe(1);
  });
});

describe('valueCountOf', () => {
  it.each([
    ['[]', 2],
    ['[1,2,3]', 4],
    ['{"a":{},"b":[{}]}', 6],
    ['"commas, [brackets], \\" and {more}"', 1],
  ])('counts %s as %i', (json, count) => {
    expect(valueCountOf(bytes(json), 0)).toBeGreaterThan(0);
    expect(valueCountOf(bytes(json.padEnd(200)), 100)).toBe(count);
  });

  it('stops counting above the limit', () => {
    expect(valueCountOf(bytes(`[${'{},'.repeat(1_000_000)}{}]`), 1000)).toBe(1001);
  });
});

describe('isObject', () => {
  it('says no to null and to lists', () => {
    expect([{}, { a: 1 }].map(isObject)).toEqual([true, true]);
    expect([null, undefined, [], 'a', 1].map(isObject)).toEqual([false, false, false, false, false]);
  });
});

it('parsedOrNull returns JSON, and null for a text that is none', () => {
  expect(['{"a":[1]}', '{"a":', ''].map(parsedOrNull)).toEqual([{ a: [1] }, null, null]);
});
