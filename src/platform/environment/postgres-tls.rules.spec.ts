import { unknownTlsIn, withVerifiedTls } from './postgres-tls.rules.js';

describe('unknownTlsIn', () => {
  it.each([
    'postgres://db.example.com/shop',
    'postgres://db.example.com/shop?sslmode=verify-full&sslrootcert=/etc/ca.pem&application_name=ssl',
    'postgres://db.example.com/shop?sslmode=disable',
    'postgres://db.example.com/shop?ssl=true',
    'no URL',
  ])('finds nothing wrong with %s', (url) => expect(unknownTlsIn(url)).toBeNull());

  it.each([
    ['sslMode=require', /^the parameter sslMode is unknown: use sslmode \(such as sslmode=verify-full\)/],
    ['ssl_mode=require', /^the parameter ssl_mode is unknown: use sslmode/],
    ['sslmode=requir', /^sslmode must be one of disable, prefer, require, verify-ca, verify-full/],
    ['ssl=require', /^ssl must be one of true, 1, 0, no-verify$/],
  ])('says what is wrong with %s, which would mean plain text', (parameter, problem) =>
    expect(unknownTlsIn(`postgres://db.example.com/shop?${parameter}`)).toMatch(problem),
  );

  it('refuses a URL that is longer than any real one', () =>
    expect(unknownTlsIn(`postgres://db.example.com/shop?${'&a'.repeat(5_000)}`)).toBe(
      'a URL of a database has at most 10000 characters',
    ));
});

describe('withVerifiedTls', () => {
  it.each([
    ['sslmode=require', 'sslmode=verify-full'],
    ['application_name=a&sslmode=prefer', 'application_name=a&sslmode=verify-full'],
    ['sslmode=verify-ca&sslrootcert=/etc/ca.pem', 'sslmode=verify-full&sslrootcert=/etc/ca.pem'],
    ['sslmode=disable', 'sslmode=disable'],
    ['sslmode=no-verify', 'sslmode=no-verify'],
    ['uselibpqcompat=true&sslmode=require', 'uselibpqcompat=true&sslmode=require'],
  ])('turns %s into %s', (given, expected) =>
    expect(withVerifiedTls(`postgres://db.example.com/shop?${given}`)).toBe(
      `postgres://db.example.com/shop?${expected}`,
    ),
  );
});
