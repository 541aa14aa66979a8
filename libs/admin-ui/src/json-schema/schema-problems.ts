import { type OutputUnit, Validator } from '@cfworker/json-schema';
import { isJson, type Json } from '../mcp/json-rpc';
import { messageOf } from './problem-message';
import { unreadTexts } from './unread-json';

/** A problem of a value, or of a part of it. */
export interface Problem {
  /** The keys and indices of the place. */
  path: readonly string[];
  message: string;
  /** True when nothing has been entered there. */
  isMissing: boolean;
}

// These only repeat the problems of parts.
const REPEATING = ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties', '$ref'];
const OF_ITEMS = ['items', 'prefixItems', 'allOf', 'if', 'propertyNames', 'dependentSchemas'];
const CHOICES = ['anyOf', 'oneOf'];

/**
 * Returns a function that finds the problems of values by a schema. It finds none when the schema is invalid: the service then
 * validates the value.
 */
export function problemFinder(schema: Json): (value: Json) => Problem[] {
  const validator = validatorOf(schema);
  return (value) => {
    const unread = unreadTexts(value);
    return [...unread, ...violations(schema, validator, value).filter(({ path }) => !unread.some(isAt(path)))];
  };
}

function validatorOf(schema: Json): Validator | null {
  try {
    return new Validator(schema, '2020-12', false);
  } catch {
    return null;
  }
}

function violations(schema: Json, validator: Validator | null, value: Json): Problem[] {
  const errors = resultOf(validator, value);
  const choices = errors
    .filter(({ keyword }) => CHOICES.includes(keyword))
    .map(({ keywordLocation }) => `${keywordLocation}/`);
  return errors
    .filter(({ keyword }) => !REPEATING.includes(keyword) && !OF_ITEMS.includes(keyword))
    .filter(({ keywordLocation }) => !choices.some((choice) => keywordLocation.startsWith(choice)))
    .map((error) => toProblem(schema, error));
}

function resultOf(validator: Validator | null, value: Json): OutputUnit[] {
  try {
    return validator?.validate(value).errors ?? [];
  } catch {
    return [];
  }
}

function toProblem(root: Json, { keyword, keywordLocation, instanceLocation, error }: OutputUnit): Problem {
  const missing = keyword === 'required' ? /"(.*)"/s.exec(error)?.[1] : undefined;
  const path = [...partsOf(instanceLocation), ...(missing === undefined ? [] : [missing])];
  const schema = schemaAt(root, partsOf(keywordLocation).slice(0, -1));
  return {
    path,
    message: messageOf({ keyword, schema, fallback: error }),
    isMissing: missing !== undefined,
  };
}

const partsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));

function schemaAt(root: Json, path: readonly string[]): Json | null {
  let schema: unknown = root;
  for (const part of path) {
    if (Array.isArray(schema)) schema = (schema as unknown[])[Number(part)];
    else schema = isJson(schema) ? schema[part] : undefined;
  }
  return isJson(schema) ? schema : null;
}

const isAt =
  (path: readonly string[]) =>
  (other: Problem): boolean =>
    other.path.every((part, index) => path[index] === part);
