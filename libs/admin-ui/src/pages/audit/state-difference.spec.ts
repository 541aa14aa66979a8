import { differencesOf } from './state-difference';

it('differencesOf names the members that differ, at any depth', () => {
  const before = { a: 1, b: { c: [1], d: 'same' }, gone: true };
  const after = { a: 2, b: { c: [1, 2], d: 'same' }, made: null };
  expect(differencesOf(before, after)).toEqual([
    { path: 'a', before: 1, after: 2 },
    { path: 'b.c', before: [1], after: [1, 2] },
    { path: 'gone', before: true, after: undefined },
    { path: 'made', before: undefined, after: null },
  ]);
  expect(differencesOf(null, { a: 1 })).toEqual([{ path: '', before: null, after: { a: 1 } }]);
  expect(differencesOf({ a: [{ b: 1 }] }, { a: [{ b: 1 }] })).toEqual([]);
});
