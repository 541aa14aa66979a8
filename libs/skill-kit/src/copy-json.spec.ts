import { copyJson } from './copy-json.js';

describe('copies of JSON', () => {
  it('are equal, and share nothing', () => {
    const original = { list: [1, { deep: [null, 'text', { deeper: false }] }], empty: {}, '': 0.5 };
    const copied = copyJson(original);
    expect(copied).toEqual(original);
    expect(copied).not.toBe(original);
    expect(copied.list).not.toBe(original.list);
    expect(copied.list[1]).not.toBe(original.list[1]);
  });

  it('keep a member that is called __proto__ as a member', () => {
    const original = JSON.parse('{ "__proto__": { "isAdmin": true }, "constructor": { "prototype": 1 } }') as object;
    const copied = copyJson({ original });
    expect(JSON.stringify(copied.original)).toBe(JSON.stringify(original));
    expect(Object.getPrototypeOf(copied.original)).toBe(Object.prototype);
    expect(copied).not.toHaveProperty(['original', 'isAdmin']);
  });
});
