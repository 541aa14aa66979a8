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
