import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { compileJsonSchema } from '#json-schema';
import type { JsonObject } from './json.js';
import { standardError } from './workflow-error.js';

/**
 * Returns the validation errors of data against a JSON Schema, each with its path.
 * @throws WorkflowError (configuration) when the schema cannot be used
 */
export function mistakesOf(schema: JsonObject, data: unknown): string[] {
  const validate = compiled(schema);
  return validate(data) ? [] : (validate.errors ?? []).slice(0, MAX_MISTAKES).map(sentenceOf);
}

const MAX_MISTAKES = 10;
const cache = new WeakMap<JsonObject, ValidateFunction>();

/** Compiles a schema once, and caches it while its definition is in memory. */
function compiled(schema: JsonObject): ValidateFunction {
  let validate = cache.get(schema);
  if (validate === undefined) {
    try {
      validate = compileJsonSchema(schema, { allErrors: false });
    } catch (error) {
      throw standardError('configuration', `The schema cannot be used: ${(error as Error).message}`);
    }
    cache.set(schema, validate);
  }
  return validate;
}

function sentenceOf({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty, allowedValues } = params as { additionalProperty?: string; allowedValues?: unknown };
  const more = additionalProperty ?? (allowedValues === undefined ? undefined : JSON.stringify(allowedValues));
  return `${instancePath || '/'} ${message ?? 'is wrong'}${more === undefined ? '' : `: ${more.slice(0, 300)}`}`;
}
