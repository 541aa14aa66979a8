import formats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../json.js';

/** What is wrong with a JSON Schema. */
export interface SchemaProblem {
  /** Where in the schema, as a JSON Pointer. */
  path: string;
  message: string;
  severity: 'error' | 'warning';
}

const META_SCHEMA = 'https://json-schema.org/draft/2020-12/schema';
/** Knows what a JSON Schema is, which takes long to compile; it never holds anything of a document. */
const rules = formats.default(new Ajv2020({ strict: false, allErrors: false }));

/** Returns what is wrong with a JSON Schema (2020-12): at most one error, or warnings about words that mean nothing. */
export function problemsOfSchema(schema: JsonObject): SchemaProblem[] {
  // A schema may carry an $id or another dialect; only its rules matter here.
  const { $id: _id, $schema: _dialect, ...anonymous } = schema;
  const isSchema = rules.getSchema(META_SCHEMA);
  if (isSchema && isSchema(anonymous) !== true) {
    const [error] = isSchema.errors ?? [];
    const message = `is not valid JSON Schema: ${error?.message ?? 'see the JSON Schema specification'}`;
    return [{ path: error?.instancePath ?? '', message, severity: 'error' }];
  }
  return problemsOfUse(anonymous);
}

/** Returns what shows only when a schema is compiled: references that lead nowhere, invalid patterns, unknown words. */
function problemsOfUse(schema: JsonObject): SchemaProblem[] {
  const warnings: SchemaProblem[] = [];
  const warn = (text: string) => {
    const word = /unknown keyword: "([^"]{1,60})"/.exec(text)?.[1];
    const message = `the schema has "${word ?? ''}", which means nothing in JSON Schema`;
    if (word !== undefined) warnings.push({ path: '', message, severity: 'warning' });
  };
  const logger = { log: warn, warn, error: () => undefined };
  const ajv = new Ajv2020({ strict: false, strictSchema: 'log', meta: false, validateSchema: false, logger });
  try {
    formats.default(ajv).compile(schema);
    return warnings;
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 150) : 'it cannot be compiled';
    const reason = error instanceof RangeError ? 'it is too large' : message;
    return [{ path: '', message: `is not a usable JSON Schema: ${reason}`, severity: 'error' }];
  }
}
