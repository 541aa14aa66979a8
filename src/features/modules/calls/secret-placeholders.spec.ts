import { fillIn, hideIn, hideInText, placeholdersFor, usedIn } from './secret-placeholders.js';

const VALUE = 'Ka+b &c="d\\\'é';
const placeholder = placeholdersFor(['key'])['key'] ?? '';
const used = [{ placeholder, value: VALUE }];
const request = (url: string, more: object = {}) =>
  ({ url, method: 'POST', headers: {}, redirect: 'follow', ...more }) as const;

describe('the placeholder of a secret', () => {
  it('is found in the URL, the headers and the body of a request', () => {
    const holds = (more: object) => usedIn(request('http://a.example/', more), { key: placeholder });
    expect(holds({})).toEqual([]);
    expect(holds({ url: `http://a.example/?key=${placeholder}` })).toEqual(['key']);
    expect(holds({ headers: { 'x-key': `Bearer ${placeholder}` } })).toEqual(['key']);
    expect(holds({ body: Buffer.from(`{"key":"${placeholder}"}`) })).toEqual(['key']);
  });

  it.each(['http://%s/', 'http://a.%s:80/', 'HTTPS://%s.example/x'])('is refused in the host of %s', (url) => {
    expect(() => fillIn(request(url.replace('%s', placeholder)), used)).toThrow('a secret cannot be in the host');
  });

  it('is filled into a form, JSON and any other body so that each has its value', () => {
    const sent = (type: string, body: string) => {
      const headers = { 'Content-Type': type };
      return fillIn(request('http://a.example/', { headers, body: Buffer.from(body) }), used).body?.toString() ?? '';
    };
    const form = sent('application/x-www-form-urlencoded;charset=UTF-8', `key=${placeholder}&x=1`);
    expect([...new URLSearchParams(form)]).toEqual([
      ['key', VALUE],
      ['x', '1'],
    ]);
    for (const type of ['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.api+json'])
      expect(JSON.parse(sent(type, JSON.stringify({ key: placeholder })))).toEqual({ key: VALUE });
    expect(sent('text/plain', `key: ${placeholder}`)).toBe(`key: ${VALUE}`);
  });

  it.each([
    ['as it is', VALUE],
    ['in a URL', encodeURIComponent(VALUE)],
    ['in a URL with small letters', encodeURIComponent(VALUE).replaceAll(/%../g, (byte) => byte.toLowerCase())],
    ['in a URL that was read', new URL(`http://a.example/?${encodeURIComponent(VALUE)}`).search.slice(1)],
    ['in a form', new URLSearchParams({ key: VALUE }).toString().slice(4)],
    ['in JSON', JSON.stringify(VALUE).slice(1, -1)],
    ['in small letters', VALUE.toLowerCase()],
  ])('replaces the secret where it comes back %s', (_how, form) => {
    expect(hideIn(Buffer.from(`a ${form} b`), used).toString()).toBe(`a ${placeholder} b`);
    expect(hideInText(`a ${form} b`, used)).toBe(`a ${placeholder} b`);
    expect(hideInText(Buffer.from(`a ${form} b`).toString('latin1'), used)).toBe(`a ${placeholder} b`);
  });
});
