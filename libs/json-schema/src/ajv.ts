import formats from 'ajv-formats';
import { Ajv2020, type Options } from 'ajv/dist/2020.js';

/** Validates schemas against the meta-schema, which is slow to compile. Keeps nothing of the schemas. */
const rules = new Ajv2020({ strict: false, logger: false });

/** An error in a schema, and its location as a JSON Pointer. */
export interface InvalidPart {
  path: string;
  message: string;
}

/** Returns the first violation of JSON Schema 2020-12; null when the schema is valid. */
export function invalidPartOf(schema: object): InvalidPart | null {
  if (rules.validateSchema(schema) === true) return null;
  const [error] = rules.errors ?? [];
  return { path: error?.instancePath ?? '', message: error?.message ?? 'see the JSON Schema specification' };
}

/**
 * Returns a compiler for one valid schema. Each schema needs its own: Ajv keeps everything that it has compiled, and treats
 * schemas with the same `$id` as one.
 */
export const newAjv = (schema: object, options: Options): Ajv2020 =>
  formats.default(
    new Ajv2020({ strict: false, logger: false, validateSchema: false, meta: mayUseMetaSchema(schema), ...options }),
  );

/** Adding the meta-schema takes longer than compiling most schemas. */
const mayUseMetaSchema = (schema: object): boolean => JSON.stringify(schema).includes('json-schema.org');

/**
 * Returns a schema without `$schema`, because only one dialect is supported, and without `$async`, which makes validation
 * asynchronous.
 */
export function inOurDialect(schema: object): object {
  const { $schema: _dialect, $async: _async, ...plain } = schema as Record<string, unknown>;
  return plain;
}
