import { unknownTlsIn } from './postgres-tls.rules.js';

describe('unknownTlsIn', () => {
  it.each([
    'postgres://db.example.com/shop',
    'postgres://db.example.com/shop?sslmode=verify-full&sslrootcert=/etc/ca.pem&application_name=ssl',
    'postgres://db.example.com/shop?sslmode=disable',
    'postgres://db.example.com/shop?ssl=true',
    'no URL',
  ])('finds nothing wrong with %s', (url) => expect(unknownTlsIn(url)).toBeNull());

  it.each([
    ['sslMode=require', /^sslMode: there is sslmode, as in sslmode=verify-full/],
    ['ssl_mode=require', /^ssl_mode: there is sslmode/],
    ['sslmode=requir', /^sslmode must be one of disable, prefer, require, verify-ca, verify-full/],
    ['ssl=require', /^ssl must be one of true, 1, 0, no-verify$/],
  ])('says what is wrong with %s, which would mean plain text', (parameter, problem) =>
    expect(unknownTlsIn(`postgres://db.example.com/shop?${parameter}`)).toMatch(problem),
  );
});
