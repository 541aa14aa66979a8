import { followRedirect } from './redirect.rules.js';

const hop = (headers: Record<string, string>) => ({
  url: new URL('https://one.example/a'),
  method: 'GET',
  headers,
  body: null,
});

describe('followRedirect', () => {
  const SECRETS = { authorization: 'a', cookie: 'b', 'x-api-key': 'c', 'x-mine': 'd' };
  const HARMLESS = { accept: '*/*', 'user-agent': 'x', 'if-none-match': '"1"' };

  it('sends no header that may hold a secret to another host, whatever its name', () => {
    for (const location of ['https://two.example/', 'http://one.example/', 'https://one.example:8443/']) {
      expect(followRedirect(hop({ ...SECRETS, ...HARMLESS }), 302, location).headers).toEqual(HARMLESS);
    }
  });

  it('takes all headers along on the same host', () => {
    expect(followRedirect(hop({ ...SECRETS, ...HARMLESS }), 302, '/b').headers).toEqual({ ...SECRETS, ...HARMLESS });
  });
});
