import {
  accountNames,
  claimOf,
  findingsOf,
  grantsOf,
  groupsIn,
  leavesOutGroups,
  safePath,
  withParameter,
} from './login.rules.js';

describe('the path that a login leads to', () => {
  it.each(['/admin/', '/admin/skills?q=a%20b&x=1', '/admin/sign-in/abc', '/'])('may be %s', (path) =>
    expect(safePath(path)).toBe(path),
  );

  it.each([
    ...['//evil.example', '///evil.example', '/\\evil.example', '\\\\evil.example', '/\t/evil.example', '/\n/evil'],
    ...['https://evil.example', 'javascript:alert(1)', 'admin/', '', ' /admin/', '/admin/\r\nset-cookie: a=b', '/ä'],
    ...['/a/..//evil.example', '/.//evil.example', `/${'x'.repeat(500)}`, undefined, null, 7, ['/admin/'], {}],
  ])('is the start page instead of %j', (path) => expect(safePath(path)).toBe('/admin/'));

  it('gets a parameter, in place of one of that name', () => {
    expect(withParameter('/admin/x?a=1', 'e', 'b c')).toBe('/admin/x?a=1&e=b+c');
    expect(withParameter('/admin/x?e=1', 'e', '2')).toBe('/admin/x?e=2');
  });
});

describe('the claims of a person', () => {
  it('are found by name, and at a path', () => {
    const claims = { 'https://a.b/groups': ['x'], realm_access: { roles: ['y'] }, text: 'z' };
    expect(groupsIn(claimOf(claims, 'https://a.b/groups'))).toEqual(['x']);
    expect(groupsIn(claimOf(claims, 'realm_access.roles'))).toEqual(['y']);
    expect(groupsIn(claimOf(claims, 'text'))).toEqual(['z']);
    for (const name of ['none', 'realm_access.none', 'constructor', 'text.length', '__proto__.x'])
      expect([name, groupsIn(claimOf(claims, name))]).toEqual([name, []]);
  });

  it('list at most a thousand groups, and only texts', () => {
    expect(groupsIn(Array.from({ length: 5_000 }, String))).toHaveLength(1_000);
    expect(groupsIn(['a', 1, null, { a: 1 }])).toEqual(['a']);
  });

  it('may lack groups because they are too many', () => {
    expect(leavesOutGroups({ _claim_names: { groups: 'src1' } }, 'groups')).toBe(true);
    expect(leavesOutGroups({ _claim_names: { roles: 'src1' } }, 'groups')).toBe(false);
    expect(leavesOutGroups({}, 'groups')).toBe(false);
  });

  it.each([
    [{ preferred_username: 'Ada.Lovelace@example.com' }, 'ada.lovelace'],
    [{ email: 'zoë@example.com', sub: '7' }, 'zoe'],
    [{ name: 'Ada Lovelace' }, 'ada-lovelace'],
    [{ preferred_username: '12', sub: '00u1a' }, 'u1a'],
    [{ preferred_username: '李', sub: '123' }, 'person'],
    [{ preferred_username: 'a'.repeat(100) }, 'a'.repeat(36)],
    [{ preferred_username: ['admin'], sub: '--' }, 'person'],
  ])('make of %j the name %s', (claims, name) => {
    const names = [...accountNames(claims)];
    expect(names.slice(0, 2)).toEqual([name, `${name}-2`]);
    for (const one of names) expect(one).toMatch(/^[a-z][a-z0-9._-]{0,39}$/);
  });
});

describe('the rules of a provider', () => {
  const rules = [
    { group: 'IT', role: 'editor', groups: ['ops'] },
    { group: 'Heads', role: 'admin', groups: [] },
    { group: 'Guests', role: 'member', groups: ['guests', 'ops'] },
  ] as const;

  it('give the highest role, and all groups', () => {
    const grant = (...theirs: string[]) => grantsOf({ rules, defaultRole: 'viewer' }, theirs);
    expect(grant('Guests', 'Heads', 'IT')).toEqual({ role: 'admin', groups: ['ops', 'guests'] });
    expect(grant('Guests')).toEqual({ role: 'member', groups: ['guests', 'ops'] });
    expect(grant('it', 'Other')).toEqual({ role: 'viewer', groups: [] });
  });

  it('say nothing about what none of them names', () => {
    const [it] = [{ group: 'IT', role: null, groups: ['ops'] }];
    expect(grantsOf({ rules: [it], defaultRole: 'viewer' }, ['IT'])).toEqual({ role: null, groups: ['ops'] });
    expect(grantsOf({ rules: [rules[1]], defaultRole: 'viewer' }, [])).toEqual({ role: 'viewer', groups: null });
  });
});

describe('the discovery document of a provider', () => {
  const issuer = 'https://login.example.com';
  const good = {
    ...{ issuer, authorization_endpoint: 'a', token_endpoint: 't', jwks_uri: 'j' },
    ...{ response_types_supported: ['code'], code_challenge_methods_supported: ['plain', 'S256'] },
  };

  it('is fine', () => expect(findingsOf(good, issuer)).toEqual({ problems: [], warnings: [] }));

  it.each([
    [{ issuer: `${issuer}/` }, 'calls its issuer "https://login.example.com/"'],
    [{ issuer: undefined }, 'calls its issuer null'],
    [{ token_endpoint: undefined }, 'no token_endpoint'],
    [{ jwks_uri: 7 }, 'no jwks_uri'],
    [{ response_types_supported: ['id_token'] }, 'authorization code flow'],
    [{ code_challenge_methods_supported: ['plain'] }, 'PKCE'],
  ])('is found out with %j', (change, problem) => {
    expect(findingsOf({ ...good, ...change }, issuer)).toEqual({
      problems: [expect.stringContaining(problem)],
      warnings: [],
    });
  });

  it('need not mention PKCE, and must be an object', () => {
    const { code_challenge_methods_supported: _untold, ...silent } = good;
    expect(findingsOf(silent, issuer)).toEqual({ problems: [], warnings: [expect.stringContaining('Entra')] });
    for (const document of [null, [], 'text', 7]) expect(findingsOf(document, issuer).problems).toHaveLength(1);
  });
});
