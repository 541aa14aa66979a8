import { isNative, isRegistered, placeOf, redirectUriProblem } from './redirect-uri.rules.js';

describe('a redirect URI', () => {
  it.each([
    'https://claude.ai/api/mcp/auth_callback',
    'http://localhost/callback',
    'http://127.0.0.1:33418/',
    'http://[::1]:1/',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'com.example.app:/callback',
    'https://example.com/a?b=c',
  ])('%s may be registered', (uri) => expect(redirectUriProblem(uri)).toBeNull());

  it.each([
    ['javascript:alert(1)', /scheme javascript/],
    ['JavaScript:alert(1)', /scheme javascript/],
    ['vbscript:x', /scheme/],
    ['data:text/html,x', /scheme/],
    ['file:///etc/passwd', /scheme/],
    ['blob:https://example.com/1', /scheme blob/],
    ['view-source:https://example.com', /scheme/],
    ['http://example.com/', /scheme http/],
    ['http://localhost.example.com/', /scheme http/],
    ['http://127.0.0.2/', /scheme http/],
    ['http://127.0.0.1.evil.example/', /scheme http/],
    ['http://[::2]/', /scheme http/],
    ['https://a:b@example.com/', /user name/],
    ['https://localhost@example.com/', /user name/],
    ['https://example.com/#', /fragment/],
    ['https://*.example.com/', /wildcard/],
    ['https://example.com\\.evil.example/', /characters/],
    ['https://ex\u0430mple.com/', /characters/],
    ['https://example.com/\n', /characters/],
    ['https://exa mple.com/', /characters/],
    ['//example.com/', /absolute/],
    ['/callback', /absolute/],
    ['', /characters/],
    [`https://example.com/${'a'.repeat(2_000)}`, /2000/],
  ])('%j may not', (uri, problem) => expect(redirectUriProblem(uri)).toMatch(problem));

  it('of this machine may return with another port, and with no other change', () => {
    const registered = ['http://localhost:1234/callback', 'http://[::1]/', 'https://example.com:1/'];
    const allowed = (uri: string) => isRegistered(uri, registered);
    expect(['http://localhost:9/callback', 'http://localhost/callback', 'http://[::1]:9/'].map(allowed)).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      [
        'http://127.0.0.1:1234/callback',
        'http://localhost:1234/callback/',
        'http://localhost:1234/callback?a',
        'https://localhost:1234/callback',
        'http://a@localhost:1234/callback',
        'https://example.com:2/',
        'https://example.com/',
      ].map(allowed),
    ).toEqual(Array(7).fill(false));
  });

  it('belongs to a program on the machine, or to a web page', () => {
    expect(isNative(['cursor://a', 'http://localhost/'])).toBe(true);
    expect(isNative(['cursor://a', 'https://example.com/'])).toBe(false);
    expect(isNative([])).toBe(false);
  });

  it.each([
    ['https://claude.ai:8443/callback', 'claude.ai:8443'],
    ['http://127.0.0.1:33418/', '127.0.0.1'],
    ['cursor://anysphere/oauth', 'cursor'],
  ])('%s leads to %s', (uri, place) => expect(placeOf(uri)).toBe(place));
});
