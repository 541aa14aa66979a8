import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compileJsonSchema } from './compile-json-schema.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const checkOf = (schema: object) => compileJsonSchema(schema, { allErrors: true });

describe('compileJsonSchema', () => {
  it('checks by references, also by those of a schema that refers to itself', () => {
    const check = checkOf({
      $id: 'https://example.com/tree',
      type: 'object',
      properties: {
        child: { $ref: '#/$defs/tree' },
        named: { $id: 'https://example.com/named', type: 'string' },
        second: { $ref: 'https://example.com/tree#/$defs/tree' },
      },
      $defs: { tree: { type: 'object', properties: { child: { $ref: '#/$defs/tree' } }, additionalProperties: false } },
    });
    expect(check({ child: { child: {} }, named: 'x', second: {} })).toBe(true);
    expect(check({ child: { child: { other: 1 } }, named: 1, second: { other: 1 } })).toBe(false);
    expect(check.errors).toHaveLength(3);
  });

  it('checks schemas with the same $id each by itself', () => {
    const [text, number] = ['string', 'number'].map((type) => checkOf({ $id: 'https://example.com/a', type }));
    expect([text?.('x'), number?.(1), text?.(1), number?.('x')]).toEqual([true, true, false, false]);
  });

  it.each([
    ['by its address', { properties: { schema: { $ref: 'https://json-schema.org/draft/2020-12/schema' } } }],
    ['from beside it', { $id: 'https://json-schema.org/draft/2020-12/a', properties: { schema: { $ref: 'schema' } } }],
  ])('checks schemas by the meta-schema, %s', (_how, schema) => {
    const check = checkOf(schema);
    expect([check({ schema: { type: 'string' } }), check({ schema: { type: 'nonsense' } })]).toEqual([true, false]);
  });

  it('checks formats, and takes any dialect for the current one', () => {
    const check = checkOf({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'string', format: 'date' });
    expect([check('2026-02-28'), check('2026-02-30')]).toEqual([true, false]);
  });

  it('checks at once, whatever the schema says', () => {
    expect(checkOf({ $async: true, type: 'string' })(1)).toBe(false);
    expect(() =>
      checkOf({ properties: { a: { $async: true, $ref: '#/$defs/b' } }, $defs: { b: { $async: true } } }),
    ).toThrow('async schema');
  });

  it.each([{ type: 'nonsense' }, { pattern: '(' }, { $ref: 'https://example.com/elsewhere' }, { properties: 1 }])(
    'refuses %j',
    (schema) => {
      expect(() => checkOf(schema)).toThrow(Error);
    },
  );

  it('does not keep schemas that nobody needs any more', async () => {
    const compiled = () => {
      const schema = { type: 'object', properties: { a: { type: 'string' } } };
      checkOf(schema)({ a: 1 });
      return new WeakRef(schema.properties);
    };
    const schemas = Array.from({ length: 20 }, compiled);
    const kept = () => schemas.filter((schema) => schema.deref() !== undefined).length;
    // V8's concurrent compiler threads keep references until they are done.
    for (let tried = 0; tried < 100 && kept() >= 2; tried += 1) {
      await setTimeout(20);
      collectGarbage();
    }
    expect(kept()).toBeLessThan(2);
  });
});
