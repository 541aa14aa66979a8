import { toFeedUrl } from './feed-url.rules.js';

it.each([
  ['https://a.example/feed', 'https://a.example/feed'],
  [' HTTP://A.example:80/Feed#top ', 'http://a.example/Feed'],
  ['feed://a.example/f', 'http://a.example/f'],
  ['feed:https://a.example/f', 'https://a.example/f'],
  ['feed://https://a.example/f', 'https://a.example/f'],
  ['a.example/f', 'https://a.example/f'],
  ['localhost:8080/f', 'https://localhost:8080/f'],
])('understands %s', (address, url) => {
  expect(toFeedUrl(address)).toBe(url);
});

it.each([
  '',
  ' ',
  'ftp://a.example/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://',
  `https://a.example/${'x'.repeat(2000)}`,
])('refuses %s', (address) => expect(() => toFeedUrl(address)).toThrow(/can't be subscribed to/));

it('refuses a user name and a password, and does not repeat them', () => {
  for (const address of [
    'https://user:hidden@example.com/feed',
    'feed://hidden@example.com',
    'ftp://a:hidden@b.example',
  ]) {
    const refused = () => toFeedUrl(address);
    expect(refused).toThrow('leave out the user name and password');
    expect(refused).not.toThrow('hidden');
  }
});
