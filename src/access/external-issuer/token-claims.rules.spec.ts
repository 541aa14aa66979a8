import {
  introspectionProblem,
  isOfProgram,
  kindOf,
  missingScopes,
  programOf,
  scopesOf,
  typeProblem,
} from './token-claims.rules.js';

describe('kindOf', () => {
  it.each([
    ['eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'jwt'],
    ['eyJhbGciOiJub25lIn0.e30.', 'jwt'],
    ['eyJ.eyJ', 'opaque'],
    ['eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d', 'opaque'],
    ['2YotnFZFEjr1zCsicMWpAA', 'opaque'],
    ['x'.repeat(12_001), null],
  ])('%# is %s', (token, kind) => expect(kindOf(token)).toBe(kind));
});

describe('typeProblem', () => {
  it.each([
    ['at+jwt', {}],
    ['application/at+JWT', { nonce: 'of Keycloak' }],
    ['JWT', {}],
    [undefined, {}],
    ['JWT', { token_use: 'access' }],
    ['JWT', { typ: 'Bearer', nonce: 'x', scope: 'openid' }],
  ])('takes %s with %j', (typ, claims) => expect(typeProblem(typ, claims)).toBeNull());

  it.each([
    ['logout+jwt', {}],
    ['dpop+jwt', {}],
    ['JWT', { typ: 'ID' }],
    ['at+jwt', { typ: 'Refresh' }],
    ['JWT', { token_use: 'id' }],
    ['JWT', { nonce: 'x' }],
    [undefined, { at_hash: 'x', scope: ' ' }],
    ['at+jwt', { cnf: { jkt: 'x' } }],
  ])('refuses %s with %j', (typ, claims) => expect(typeProblem(typ, claims)).not.toBeNull());
});

describe('introspectionProblem', () => {
  const expected = { issuer: 'https://a.example', audience: 'https://b.example/mcp/oauth', nowMs: 1_000_000 };
  const valid = { active: true, aud: expected.audience, exp: 2_000 };
  it.each([
    {},
    { iss: expected.issuer },
    { aud: ['x', expected.audience] },
    { exp: 941 },
    { nbf: 1_060 },
    { token_type: 'Bearer', token_use: 'access_token' },
  ])('has nothing against %j', (changed) =>
    expect(introspectionProblem({ ...valid, ...changed }, expected)).toBeNull(),
  );
  it.each([
    [{ active: false }, 'not active'],
    [{ active: 'true' }, 'with a string, and not with true or false'],
    [{ iss: 'https://a.example/' }, 'another issuer'],
    [{ aud: 'https://b.example/mcp' }, 'its audience is not https://b.example/mcp/oauth'],
    [{ aud: undefined }, 'audience'],
    [{ exp: '2000' }, 'does not say when it expires'],
    [{ exp: 940 }, 'has expired'],
    [{ nbf: 1_061 }, 'not valid yet'],
    [{ nbf: 'now' }, 'not valid yet'],
    [{ cnf: { jkt: 'x' } }, 'bound to a key'],
    [{ token_type: 'DPoP' }, 'bound to a key'],
    [{ token_type: 'Bearer', token_use: 'refresh_token' }, 'a refresh token'],
  ])('refuses %j', (changed, problem) =>
    expect(introspectionProblem({ ...valid, ...changed }, expected)).toContain(problem),
  );
});

describe('scopes', () => {
  it.each([
    [{ scope: 'a  b' }, ['a', 'b']],
    [{ scp: ['a', 'b c', 7] }, ['a', 'b', 'c']],
    [{ scope: 'a', scp: 'b' }, ['a', 'b']],
    [{ scope: null }, []],
  ])('of %j', (claims, scopes) => expect(scopesOf(claims)).toEqual(scopes));

  it('are missing unless the token has each, or the name at the end of its URI', () => {
    expect(missingScopes(['api://x/mcp', 'b'], { scp: 'mcp' })).toEqual(['b']);
    expect(missingScopes(['mcp'], { scp: 'api://x/mcp' })).toEqual(['mcp']);
    expect(missingScopes([], {})).toEqual([]);
  });
});

describe('programs', () => {
  it('have an id under several names', () => {
    expect(programOf({ azp: 'a', client_id: 'b' })).toBe('a');
    expect(programOf({ azp: 7, cid: 'b' })).toBe('b');
    expect(programOf({ appid: 'with a space' })).toBeNull();
  });

  it('are no people', () => {
    expect(isOfProgram({ sub: 'a', azp: 'a' })).toBe(true);
    expect(isOfProgram({ sub: 'a', idtyp: 'app' })).toBe(true);
    expect(isOfProgram({ sub: 'a', azp: 'b' })).toBe(false);
    expect(isOfProgram({})).toBe(false);
  });
});
