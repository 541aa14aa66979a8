import { authorizationProblem, hasSeveralAuthorizations, keyIn, toClientKey } from './client-key.rules.js';

const KEY = toClientKey(Buffer.alloc(32, 7));
const MISTYPED = KEY.slice(0, -1) + (KEY.endsWith('0') ? '1' : '0');

describe('keyIn', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer   a-b.c_d/e+f=~!  ', 'a-b.c_d/e+f=~!'],
    ['BEARER "quoted"', '"quoted"'],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['Bearer a b', undefined],
    ['Bearer\tabc', undefined],
    ['Bearer schlüssel', undefined],
    ['Basic abc', undefined],
    ['xBearer abc', undefined],
    ['abc', undefined],
  ])('of %j is %j', (header, key) => {
    expect(keyIn(header)).toBe(key);
  });
});

describe('hasSeveralAuthorizations', () => {
  it.each<[string[], boolean]>([
    [['Authorization', 'a'], false],
    [['Authorization', 'a', 'AUTHORIZATION', 'a'], true],
    [['authorization', 'a', 'Host', 'x', 'authorization', 'b'], true],
    [['Host', 'authorization', 'Accept', 'authorization'], false],
    [['Authorization', 'authorization'], false],
    [['authorizatiom', 'a', 'authorization', 'b', 'authorization-', 'c'], false],
    [[], false],
  ])('of %j is %s', (rawHeaders, are) => {
    expect(hasSeveralAuthorizations(rawHeaders)).toBe(are);
  });
});

describe('authorizationProblem', () => {
  it.each([
    ['Bearer a\tb', 'tabs or characters outside ASCII'],
    ['Bearer schlüssel', 'tabs or characters outside ASCII'],
    ['Basic abc', 'scheme is not "Bearer"'],
    ['', 'scheme is not "Bearer"'],
    ['Bearer', 'no key after "Bearer"'],
    ['Bearer   ', 'no key after "Bearer"'],
    ['Bearer a b', 'more than one key'],
    ['Bearer "abc"', 'in quotes or is a placeholder'],
    ["Bearer 'abc'", 'in quotes or is a placeholder'],
    ['Bearer <key>', 'in quotes or is a placeholder'],
    ['Bearer ${KEY}', 'in quotes or is a placeholder'],
    [`Bearer ${MISTYPED}`, 'its checksum is wrong'],
    [`Bearer ${KEY}x`, 'cut or extended'],
    [`Bearer ${KEY.slice(0, 48)}`, 'cut or extended'],
    [`Bearer ${KEY.slice(0, 47)}`, 'unknown, has expired or was revoked'],
    [`Bearer x${KEY}`, 'unknown, has expired or was revoked'],
    [`Bearer ${KEY}`, 'unknown, has expired or was revoked'],
  ])('of %j says %j', (header, problem) => {
    expect(authorizationProblem(header)).toContain(problem);
  });
});
