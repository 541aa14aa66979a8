import type { ValidateFunction } from 'ajv/dist/2020.js';
import { inOurDialect, invalidPartOf, newAjv } from './ajv.js';

/**
 * Compiles a JSON Schema (2020-12) in isolation.
 * @param allErrors true when validation continues after the first error
 * @throws Error when the schema is not valid, or has a reference to another document
 */
export function compileJsonSchema(schema: object, { allErrors }: { allErrors: boolean }): ValidateFunction {
  const ours = inOurDialect(schema);
  const invalid = invalidPartOf(ours);
  if (invalid) throw new Error(`schema is invalid: ${invalid.path || '/'} ${invalid.message}`);
  return newAjv(ours, { allErrors }).compile(ours);
}
