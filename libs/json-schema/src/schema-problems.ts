import { inOurDialect, invalidPartOf, newAjv } from './ajv.js';

export interface SchemaProblem {
  /** Location in the schema, as a JSON Pointer. */
  path: string;
  message: string;
  severity: 'error' | 'warning';
}

/** Returns the problems of a JSON Schema (2020-12): at most one error, or warnings about unknown keywords. */
export function problemsOfSchema(schema: object): SchemaProblem[] {
  const ours = inOurDialect(schema);
  const invalid = invalidPartOf(ours);
  if (!invalid) return problemsOfUse(ours);
  return [{ path: invalid.path, message: `is not valid JSON Schema: ${invalid.message}`, severity: 'error' }];
}

/** Returns problems that only compilation reveals: unresolved references, invalid patterns, unknown keywords. */
function problemsOfUse(schema: object): SchemaProblem[] {
  const warnings: SchemaProblem[] = [];
  const warn = (text: string) => {
    const word = /unknown keyword: "([^"]{1,60})"/.exec(text)?.[1];
    const message = `the schema has "${word ?? ''}", which means nothing in JSON Schema`;
    if (word !== undefined) warnings.push({ path: '', message, severity: 'warning' });
  };
  try {
    const logger = { log: warn, warn, error: () => undefined };
    newAjv(schema, { strictSchema: 'log', logger }).compile(schema);
    return warnings;
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 150) : 'it cannot be compiled';
    const reason = error instanceof RangeError ? 'it is too large' : message;
    return [{ path: '', message: `is not a usable JSON Schema: ${reason}`, severity: 'error' }];
  }
}
