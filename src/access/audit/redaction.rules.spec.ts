import { growthOf, LINEAR, TIMES } from '../../../test/support/growth.js';
import { ARGUMENTS, keptOf, keptText, REDACTED } from './redaction.rules.js';
import { isSecretName } from './secret-names.rules.js';

const kept = (value: unknown, schema: Record<string, unknown> | null = null) => {
  const { json, isCut } = keptOf(value, schema, ARGUMENTS);
  return { value: JSON.parse(json) as unknown, isCut };
};

describe('names of secrets', () => {
  it.each([
    ...[
      'password',
      'Password',
      'userPassword',
      'user_password',
      'PASSWORD1',
      'db.passwd',
      'apiKey',
      'api_key',
      'API-KEY',
    ],
    ...[
      'APIKey',
      'x-api-key',
      'authorization',
      'Proxy-Authorization',
      'set-cookie',
      'accessToken',
      'token',
      'id_tokens',
    ],
    ...['clientSecret', 'privateKey', 'ssh keys', 'sessionId', 'auth', 'ｐａｓｓｗｏｒｄ', 'bearer', 'otp'],
  ])('%s is one', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each([
    ...['monkey', 'keyboard', 'key', 'keys', 'primaryKey', 'foreign_key', 'tokens', 'maxTokens', 'tokenizer', 'author'],
    ...[
      'authority',
      'passenger',
      'secretary',
      'cookiecutter',
      'pinned',
      'spinner',
      'sortKey',
      'id',
      '',
      'run_id',
      'note',
    ],
  ])('%s is none', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe('what is kept of arguments', () => {
  it('is everything when nothing is secret or long', () => {
    const value = { a: [1, 2.5, null, true, 'ä'], b: { c: '' }, key: 'k', monkey: 'm' };
    expect(kept(value)).toEqual({ value, isCut: false });
  });

  it('has no value of a secret name, at any depth', () => {
    const value = {
      a: [{ b: { apiKey: 'k', password: { old: 'x' } } }],
      headers: [{ name: 'Authorization', value: 'x' }],
    };
    expect(kept(value)).toEqual({
      value: {
        a: [{ b: { apiKey: REDACTED, password: REDACTED } }],
        headers: [{ name: 'Authorization', value: REDACTED }],
      },
      isCut: true,
    });
  });

  it('is nothing that a schema marks, through references, alternatives and lists', () => {
    const secret = { type: 'string', writeOnly: true };
    const schema = {
      type: 'object',
      $defs: {
        card: { properties: { number: secret } },
        self: { properties: { again: { $ref: '#/$defs/self' }, s: secret } },
      },
      properties: {
        plain: secret,
        card: { $ref: '#/$defs/card' },
        cards: { type: 'array', items: { $ref: '#/$defs/card' } },
        pair: { prefixItems: [{ type: 'string' }, secret] },
        any: { anyOf: [{ type: 'number' }, { allOf: [{ properties: { x: secret } }] }] },
        one: { oneOf: [{ type: 'number' }, secret] },
        self: { $ref: '#/$defs/self' },
      },
    };
    const value = {
      plain: 'x',
      card: { number: 'x', shown: 'y' },
      cards: [{ number: 'x', shown: 'y' }],
      pair: ['x', 'x'],
      any: { x: 'x', shown: 'y' },
      one: 'x',
      self: { again: { again: { s: 'x', shown: 'y' } } },
      other: 'y',
    };
    expect(kept(value, schema)).toEqual({
      value: {
        plain: REDACTED,
        card: { number: REDACTED, shown: 'y' },
        cards: [{ number: REDACTED, shown: 'y' }],
        pair: [REDACTED, REDACTED],
        any: { x: REDACTED, shown: 'y' },
        one: REDACTED,
        self: { again: { again: { s: REDACTED, shown: 'y' } } },
        other: 'y',
      },
      isCut: true,
    });
  });

  it('is no member that a pattern may match: patterns are not evaluated', () => {
    const schema = { properties: { a: {} }, patternProperties: { '^s_': { type: 'string', writeOnly: true } } };
    expect(kept({ s_1: 'x', a: 'x' }, schema).value).toEqual({ s_1: REDACTED, a: REDACTED });
  });

  it.each([
    ['a bearer key', 'curl -H "Authorization: Bearer abcdefgh12345"', 'abcdefgh12345'],
    ['a key of a client', 'use ask_0123456789abcdefgh please', '0123456789abcdefgh'],
    ['a password in a URL', 'postgres://user:hunter2@host/db', 'hunter2'],
    ['a token in the query of a URL', 'see https://host/feed?a=b&access_token=hunter2&c=d#e', 'hunter2'],
    ['a key in the query of a URL', 'GET https://host/feed?api_key=hunter2: 404', 'hunter2'],
    ['a token in a URL within another', 'https://host/?next=https://other/?token=hunter2', 'hunter2'],
    ['a token in the fragment of a URL', 'https://host/#id=1&token=hunter2', 'hunter2'],
  ])('is no text with %s', (_title, text, secret) => {
    expect(JSON.stringify(kept({ text }).value)).not.toContain(secret);
    expect(kept({ text }).isCut).toBe(true);
  });

  it('keeps the other parts of the query of a URL', () => {
    const url = 'https://host/feed?monkey=a&token=hunter2&page=2#end';
    expect(keptText(url, 1_000)).toBe(`https://host/feed?monkey=a&token=${REDACTED}&page=2#end`);
    expect(keptText('why?token=count, of words', 1_000)).toBe('why?token=count, of words');
  });

  it('says how long a text was that is cut', () => {
    expect(kept({ text: 'x'.repeat(5_000) })).toEqual({
      value: { text: `${'x'.repeat(1_000)}… (cut: 5000 characters)` },
      isCut: true,
    });
  });

  it('can be stored: no NUL, no half characters, no member that is more than a member', () => {
    const value = JSON.parse('{"a\\u0000":"\\ud800","__proto__":{"x":1},"constructor":"c"}') as unknown;
    const { json } = keptOf(value, null, ARGUMENTS);
    expect(json).toBe('{"a":"\ufffd","__proto__":{"x":1},"constructor":"c"}');
    expect(keptText('see https://ada:sesame@a.example', 22)).toBe(`see https://[redacted]… (cut: 32 characters)`);
    expect(keptText(`${'x'.repeat(9)}😀`, 10)).toBe(`${'x'.repeat(9)}\ufffd… (cut: 11 characters)`);
  });

  const nested = (depth: number) => {
    let value: unknown = 'x';
    for (let level = 0; level < depth; level += 1) value = { a: value };
    return value;
  };

  const array = <Item>(length: number, item: (index: number) => Item) => Array.from({ length }, (_, n) => item(n));
  it.each<[string, (size: number) => unknown]>([
    ['200,000 members', (size) => Object.fromEntries(array(25_000 * size, (index) => [`m${index}`, index]))],
    ['200,000 elements', (size) => array(25_000 * size, () => ({}))],
    ['a text of megabytes', (size) => ({ text: '\u0001'.repeat(1_000_000 * size) })],
    [
      'names of megabytes',
      (size) => Object.fromEntries(['k', 'A', '\u0300'].map((letter) => [letter.repeat(500_000 * size), 1])),
    ],
    ['deep nesting', (size) => nested(625 * size)],
    ['many long texts', (size) => array(1_250 * size, () => 'ü"\\'.repeat(300))],
    ['texts that look like secrets', (size) => array(100 * size, () => 'bearer   ://a:b'.repeat(60))],
  ])('is small, and found at a cost in proportion, of %s', async (_title, make) => {
    const values = new Map([1, TIMES].map((size) => [size, make(size)]));
    const { json, isCut } = keptOf(values.get(TIMES), null, ARGUMENTS);
    expect(isCut).toBe(true);
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(2 * ARGUMENTS.bytes);
    expect(await growthOf((size) => keptOf(values.get(size), null, ARGUMENTS))).toBeLessThan(LINEAR);
  });

  it('gives up on a schema that is too entangled, and keeps nothing', () => {
    const many = Array.from({ length: 200 }, () => ({ properties: { a: { type: 'string', writeOnly: false } } }));
    expect(kept({ a: 'x' }, { anyOf: many }).value).toBe(REDACTED);
  });
});
