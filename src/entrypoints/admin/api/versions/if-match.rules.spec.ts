import { entityTag, versionInIfMatch } from './if-match.rules.js';

describe('versionInIfMatch', () => {
  it.each([
    [entityTag(3), '3'],
    [' "3" ', '3'],
    ['W/"3"', '3'],
    [entityTag('2026-11-22T23:59:41.123Z'), '2026-11-22T23:59:41.123Z'],
    ['*', undefined],
    [undefined, undefined],
    ['3', null],
    ['', null],
    ['"3", "4"', null],
    ['"a b"', null],
    [`"${'3'.repeat(65)}"`, null],
  ])('reads %j as %j', (header, version) => expect(versionInIfMatch(header)).toBe(version));
});
