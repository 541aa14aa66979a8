import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json, JsonObject } from './json.js';
import type { SchemaModel } from './model.js';
import { standardError } from './workflow-error.js';

/**
 * Checks data against a schema.
 * @param what names the data in the message, such as `input`
 * @throws WorkflowError (validation) with all that is wrong and where
 */
export function checkSchema(schema: SchemaModel | undefined, data: Json, what: string): void {
  if (schema === undefined) return;
  const validate = compiled(schema.document);
  if (validate(data)) return;
  const mistakes = (validate.errors ?? []).slice(0, MAX_MISTAKES).map(sentenceOf);
  throw standardError('validation', `The ${what} does not fit its schema: ${mistakes.join('; ')}.`);
}

const MAX_MISTAKES = 10;
const cache = new WeakMap<JsonObject, ValidateFunction>();

/** Compiles a schema once, for as long as its definition is in memory. */
function compiled(document: JsonObject): ValidateFunction {
  let validate = cache.get(document);
  if (validate === undefined) {
    // One for each schema, because those of different workflows may have the same `$id`.
    const ajv = new Ajv2020({ strict: false, validateFormats: true, logger: false });
    addFormats.default(ajv);
    try {
      validate = ajv.compile(document);
    } catch (error) {
      throw standardError('configuration', `The schema cannot be used: ${(error as Error).message}`);
    }
    cache.set(document, validate);
  }
  return validate;
}

function sentenceOf({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty, allowedValues } = params as { additionalProperty?: string; allowedValues?: unknown };
  const more = additionalProperty ?? (allowedValues === undefined ? undefined : JSON.stringify(allowedValues));
  return `${instancePath || '/'} ${message ?? 'is wrong'}${more === undefined ? '' : `: ${more.slice(0, 300)}`}`;
}
