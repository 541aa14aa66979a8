import formats from 'ajv-formats';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';

/** Knows what a valid schema is, which takes long to compile; it never holds anything of a schema. */
const rules = new Ajv2020({ strict: false, logger: false });

/** What is wrong with a schema, and where in it, as a JSON Pointer. */
export interface InvalidPart {
  path: string;
  message: string;
}

/** Returns the first thing that is wrong with a schema by the rules of JSON Schema 2020-12; null when it is valid. */
export function invalidPartOf(schema: object): InvalidPart | null {
  if (rules.validateSchema(schema) === true) return null;
  const [error] = rules.errors ?? [];
  return { path: error?.instancePath ?? '', message: error?.message ?? 'see the JSON Schema specification' };
}

/**
 * Returns what compiles one valid schema. Each gets one of its own: Ajv keeps all that it has compiled, and takes schemas
 * with the same `$id` for one.
 */
export const newAjv = (options: Options): Ajv2020 =>
  formats.default(new Ajv2020({ strict: false, logger: false, validateSchema: false, ...options }));

/** Returns a schema without its dialect, because only one is known, and without what would make a check asynchronous. */
export function inOurDialect(schema: object): object {
  const { $schema: _dialect, $async: _async, ...plain } = schema as Record<string, unknown>;
  return plain;
}
