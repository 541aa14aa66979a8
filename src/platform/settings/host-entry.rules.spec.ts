import { isAddressOrRange, isHostEntry } from './host-entry.rules.js';

describe('isHostEntry', () => {
  it.each([
    'feeds.corp',
    'Feeds.Corp.',
    '*.corp',
    'intranet',
    'my_host',
    'b\u00fccher.example',
    '10.1.2.3',
    '10.0.0.0/8',
    '::1',
    '[::1]',
    'fd00::/8',
  ])('takes %s', (entry) => expect(isHostEntry(entry)).toBe(true));

  it.each([
    '10.0.0.0/99',
    'http://foo',
    'foo:8080',
    'foo/bar',
    '10.1.2',
    '10.1.2.300',
    '300',
    '*',
    '*.*.corp',
    'a b',
    '-a',
    '::1::',
    'fd00::/129',
    '',
    `${'a.'.repeat(200)}corp`,
  ])('refuses %s', (entry) => expect(isHostEntry(entry)).toBe(false));
});

it.each([
  ['10.0.0.0/8', true],
  ['10.0.0.0/33', false],
  ['10.0.0.1', true],
  ['corp', false],
])('isAddressOrRange(%s) is %s', (entry, is) => expect(isAddressOrRange(entry)).toBe(is));
