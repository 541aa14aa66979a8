import { leastCpuMs } from '../../../test/support/cpu.js';
import { ARGUMENTS, keptOf, keptText, REDACTED } from './redaction.rules.js';
import { isSecretName } from './secret-names.rules.js';

/** What an unlucky computer takes for what a usual one does in a tenth. */
const MODERATE_MS = 1_000;

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

  it('is no value of a secret name, at any depth', () => {
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

  it('is nothing that a schema marks, through references, alternatives, lists and patterns', () => {
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
        self: { $ref: '#/$defs/self' },
      },
      patternProperties: { '^s_': secret },
    };
    // A pattern is not tried, so a member that a pattern could be about is redacted.
    expect(kept({ card: { number: '4111' } }, { ...schema, patternProperties: {} })).toEqual({
      value: { card: { number: REDACTED } },
      isCut: true,
    });
    const { value } = kept(
      {
        plain: 'x-secret',
        cards: [{ number: 'x-secret' }],
        pair: ['x-secret', 'x-secret'],
        any: { x: 'x-secret', y: 1 },
        self: { again: { again: { s: 'x-secret' } } },
        s_1: 'x-secret',
      },
      schema,
    );
    expect(JSON.stringify(value)).not.toContain('x-secret');
  });

  it.each([
    ['a bearer key', 'curl -H "Authorization: Bearer abcdefgh12345"', 'abcdefgh12345'],
    ['a key of a client', 'use ask_0123456789abcdefgh please', '0123456789abcdefgh'],
    ['a password in a URL', 'postgres://user:hunter2@host/db', 'hunter2'],
  ])('is no text with %s', (_title, text, secret) => {
    expect(JSON.stringify(kept({ text }).value)).not.toContain(secret);
    expect(kept({ text }).isCut).toBe(true);
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
    expect(keptText(`${'x'.repeat(9)}😀`, 10)).toBe(`${'x'.repeat(9)}\ufffd… (cut: 11 characters)`);
  });

  const nested = (depth: number) => {
    let value: unknown = 'x';
    for (let level = 0; level < depth; level += 1) value = { a: value };
    return value;
  };

  it.each<[string, () => unknown]>([
    [
      'a million members',
      () => Object.fromEntries(Array.from({ length: 1_000_000 }, (_member, index) => [`m${index}`, index])),
    ],
    ['a million elements', () => Array.from({ length: 1_000_000 }, () => ({}))],
    ['a text of megabytes', () => ({ text: '\u0001'.repeat(8_000_000) })],
    [
      'names of megabytes',
      () => ({ ['k'.repeat(4_000_000)]: 1, ['A'.repeat(4_000_000)]: 1, ['\u0300'.repeat(4_000_000)]: 1 }),
    ],
    ['deep nesting', () => nested(5_000)],
    ['many long texts', () => Array.from({ length: 10_000 }, () => 'ü"\\'.repeat(300))],
    ['texts that look like secrets', () => Array.from({ length: 500 }, () => 'bearer   ://a:b'.repeat(60))],
  ])('is small, and soon found, of %s', async (_title, make) => {
    const value = make();
    const { json, isCut } = keptOf(value, null, ARGUMENTS);
    expect(isCut).toBe(true);
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(2 * ARGUMENTS.bytes);
    expect(await leastCpuMs(() => keptOf(value, null, ARGUMENTS), MODERATE_MS)).toBeLessThan(MODERATE_MS);
  });

  it('gives up on a schema that is too entangled, and keeps nothing', () => {
    const many = Array.from({ length: 200 }, () => ({ properties: { a: { type: 'string', writeOnly: false } } }));
    expect(kept({ a: 'x' }, { anyOf: many }).value).toBe(REDACTED);
  });
});
