import { isAmongHosts, toHostEntry } from './secret-limits.rules.js';

describe('an entry of the hosts of a secret', () => {
  it.each([
    ['api.example.com', 'api.example.com'],
    ['API.Example.COM.', 'api.example.com'],
    ['api.example.com:08443', 'api.example.com:8443'],
    ['*.Example.com', '*.example.com'],
    ['*.example.com:443', '*.example.com:443'],
    ['*.bücher.example', '*.xn--bcher-kva.example'],
    ['localhost', 'localhost'],
    ['my_host', 'my_host'],
    ['10.1.2.3:80', '10.1.2.3:80'],
    ['2001:DB8::0:1', '[2001:db8::1]'],
    ['[2001:db8:0::1]:8443', '[2001:db8::1]:8443'],
    ['::ffff:10.1.2.3', '[::ffff:a01:203]'],
  ])('%s is kept as %s', (text, kept) => {
    expect(toHostEntry(text)).toBe(kept);
    expect(toHostEntry(kept)).toBe(kept);
  });

  it.each([
    '',
    '*',
    '*.',
    '.example.com',
    'a..example.com',
    'example.com..',
    'https://api.example.com',
    'api.example.com/path',
    'me@api.example.com',
    'api.example.com:0',
    'api.example.com:65536',
    'api.example.com:',
    'api.example.com:http',
    'a.example,b.example',
    'a.example b.example',
    'a%2eexample.com',
    'a.*.example.com',
    '*.*.example.com',
    '*.10.1.2.3',
    '*.[2001:db8::1]',
    '10.0.0.0/8',
    '300.1.2.3',
    '[2001:db8::g]',
    '[2001:db8::1',
    '2001:db8::1:8443:1:2:3:4:5',
    `${'a'.repeat(70)}.`.repeat(4),
  ])('%j is none', (text) => expect(toHostEntry(text)).toBeNull());
});

describe('a URL', () => {
  it.each([
    ['https://api.example.com/x?y', 'api.example.com'],
    ['http://API.example.com.:8080/', 'api.example.com'],
    ['https://api.example.com/', 'api.example.com:443'],
    ['http://api.example.com/', 'api.example.com:80'],
    ['https://a.b.example.com/', '*.example.com'],
    ['https://a.example.com:8443/', '*.example.com:8443'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['https://[2001:db8:0:0::1]:8443/', '[2001:db8::1]:8443'],
    ['http://0x7f.1/', '127.0.0.1'],
  ])('%s is at %s', (url, entry) => expect(isAmongHosts(new URL(url), ['other.example', entry])).toBe(true));

  it.each([
    ['https://api.example.com/', 'example.com'],
    ['https://example.com/', '*.example.com'],
    ['https://badexample.com/', '*.example.com'],
    ['https://api.example.com.evil.example/', 'api.example.com'],
    ['https://api.example.com@evil.example/', 'api.example.com'],
    ['https://evil.example/api.example.com', 'api.example.com'],
    ['https://evil.example\\.example.com/', '*.example.com'],
    ['https://api.example.com:8443/', 'api.example.com:443'],
    ['http://api.example.com/', 'api.example.com:443'],
    ['https://[2001:db8::2]/', '[2001:db8::1]'],
  ])('%s is not at %s', (url, entry) => expect(isAmongHosts(new URL(url), [entry])).toBe(false));

  it('matches nothing without hosts', () => expect(isAmongHosts(new URL('https://a.example/'), [])).toBe(false));
});
