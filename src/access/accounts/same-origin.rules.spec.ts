import { type RequestSite, siteOf } from './same-origin.rules.js';

describe('siteOf', () => {
  it.each<[Record<string, string>, RequestSite]>([
    [{ 'sec-fetch-site': 'same-origin' }, 'same'],
    [{ 'sec-fetch-site': 'none' }, 'same'],
    [{ 'sec-fetch-site': 'same-site' }, 'cross'],
    [{ 'sec-fetch-site': 'cross-site', origin: 'http://here:1' }, 'cross'],
    [{ origin: 'http://here:1' }, 'same'],
    [{ origin: 'http://here:2' }, 'cross'],
    [{ origin: 'null' }, 'cross'],
    [{}, 'unknown'],
  ])('%j is %s', (headers, site) => {
    expect(siteOf({ host: 'here:1', ...headers })).toBe(site);
  });
});
