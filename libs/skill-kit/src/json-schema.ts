import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';
import { compileJsonSchema, mayTakeLong, withinTime } from '#json-schema';
import { isObject, type JsonObject } from './skill-result.js';
import { nestedClassOf } from './nested.decorator.js';
import type { DtoClass } from './skill.decorator.js';

/**
 * Returns the JSON Schema (2020-12) of a class-validator class: closed to unknown properties, with nested classes inlined,
 * because some clients do not support `$ref`.
 */
export function schemaOfClass(dto: DtoClass, path: readonly DtoClass[] = []): JsonObject {
  if (path.includes(dto)) throw new TypeError(`the class ${dto.name} contains itself: write its JSON Schema by hand`);
  const { properties = {}, required = [] } = targetConstructorToSchema(dto, {
    additionalConverters: {
      [ValidationTypes.NESTED_VALIDATION]: ({ propertyName }) =>
        schemaOfClass(nestedClassOf(dto, propertyName), [...path, dto]),
    },
  });
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** Returns whether the class has rules that its JSON Schema cannot express (custom constraints). */
export function hasRulesBeyondSchema(dto: DtoClass): boolean {
  const metadata = getMetadataStorage().getTargetValidationMetadatas(dto, '', true, false);
  return metadata.some((rule) => rule.type === 'customValidation' && !expressible.has(rule.name ?? ''));
}

const expressible = new Set(
  (
    'isDefined equals notEquals isEmpty isNotEmpty isIn isNotIn isBoolean isDate isNumber isString isDateString isArray isInt ' +
    'isEnum isDivisibleBy isPositive isNegative max min contains notContains isAlpha isAlphanumeric isAscii isBase64 ' +
    'isByteLength isEmail isFQDN isHexColor isHexadecimal isIP isISBN isISO8601 isJSON isObject isNotEmptyObject isUrl isUUID ' +
    'length isLength minLength maxLength matches arrayNotEmpty arrayMinSize arrayMaxSize arrayUnique'
  ).split(' '),
);

/** Values with more members are not checked for every problem: a million of them would take seconds. */
const MOST_VALUES_DESCRIBED = 1_000;

/** Returns the violations of a schema, one line per problem; empty when the value is valid. */
export type UnguardedCheck = (value: unknown) => string[];

/** Like `UnguardedCheck`, but returns null when the check could block this thread: then run `problemsBySchema` in another one. */
export type SchemaCheck = (value: unknown) => string[] | null;

/** How long a check by a potentially slow schema may block the main thread. */
const MOST_MS = 10;
/**
 * Maximum size of data, in characters and values, for such a check on this thread: nothing can interrupt a regular expression on
 * a long text.
 */
const SMALL = 8_000;

/**
 * Compiles a check that returns quickly, whatever the schema and the value are.
 * @throws Error when the schema is not valid JSON Schema 2020-12
 */
export function compileSchema(schema: JsonObject): SchemaCheck {
  const check = compileUnguarded(schema);
  if (!mayTakeLong(schema)) return check;
  return (value) => (sizeOf(value, SMALL) > SMALL ? null : (withinTime(MOST_MS, () => check(value)) ?? null));
}

/** Returns the violations of a schema, however long that takes. @throws Error when the schema is not valid */
export const problemsBySchema = (schema: JsonObject, value: unknown): string[] => compileUnguarded(schema)(value);

/**
 * Like `compileSchema`, but unguarded: for the service's own schemas, and for other threads. @throws Error when the schema is not
 * valid
 */
export function compileUnguarded(schema: JsonObject): UnguardedCheck {
  const fits = compileJsonSchema(schema, { allErrors: false });
  let describe: ValidateFunction | null = null; // null until the first violation: few schemas ever need it
  return (value) => {
    if (fits(value)) return [];
    if (valuesIn(value, MOST_VALUES_DESCRIBED) > MOST_VALUES_DESCRIBED) return describeProblems(schema, fits.errors);
    describe ??= compileJsonSchema(schema, { allErrors: true });
    describe(value);
    return describeProblems(schema, describe.errors);
  };
}

/**
 * Like `compileUnguarded`, but compiles the schema of a class on first use: a service starts with dozens of skills, and each
 * takes milliseconds. The results of `schemaOfClass` are valid.
 */
export function compileLater(schema: JsonObject): UnguardedCheck {
  let check: UnguardedCheck | null = null; // null = not compiled yet
  return (value) => (check ??= compileUnguarded(schema))(value);
}

/** Counts the values inside a value and the characters of its texts; stops above `enough`. */
function sizeOf(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length + 1;
  if (typeof value !== 'object' || value === null) return 1;
  let size = 1;
  for (const name in value) {
    if (size > enough) return size;
    size += name.length + sizeOf((value as JsonObject)[name], enough - size);
  }
  return size;
}

/** Counts the values inside a value; stops above `enough`. */
function valuesIn(value: unknown, enough: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const name in value) {
    if (count > enough) return count;
    count += valuesIn((value as JsonObject)[name], enough - count);
  }
  return count;
}

export const MOST_PROBLEMS = 20;
/** Callers choose names: this length is enough to recognise one. */
const LONGEST_NAME = 100;
/** Maximum length of a description in a message. */
const LONGEST_WORDS = 300;

/** Matches Ajv's plural of one thing, without its "s". */
const PLURAL_OF_ONE = /\b1 (character|item)s\b/;

/** Returns one line per problem, with its path within the value, for a language model to read. */
function describeProblems(schema: JsonObject, errors: readonly ErrorObject[] | null | undefined): string[] {
  const listed = new Set<string>();
  return (errors ?? []).slice(0, MOST_PROBLEMS).map((error) => {
    const path = shortened(error.instancePath.slice(1).replaceAll('/', '.'));
    const where = path === '' ? '' : `${path}: `;
    const params = error.params as Record<string, unknown>;
    if (error.keyword === 'additionalProperties') {
      const known = listed.has(error.schemaPath) ? '' : ` (${knownAt(schema, error.schemaPath)})`;
      listed.add(error.schemaPath);
      return `${where}unknown property "${shortened(String(params['additionalProperty']))}"${known}`;
    }
    if (error.keyword === 'type')
      return `${where}must be ${[params['type']].flat().join(' or ')}${listAt(schema, error.schemaPath)}`;
    if (error.keyword === 'required') return `${where}missing required property "${String(params['missingProperty'])}"`;
    if (error.keyword === 'enum') return `${where}must be one of ${JSON.stringify(params['allowedValues'])}`;
    if (error.keyword !== 'pattern')
      return `${where}${(error.message ?? error.keyword).replace(PLURAL_OF_ONE, '1 $1')}`;
    const words = descriptionAt(schema, error.schemaPath);
    return words === null ? `${where}does not fit the pattern of its schema` : `${where}does not fit: ${words}`;
  });
}

function nameIn(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}

/** Returns the part of a schema that has the keyword at a path of Ajv. */
function partAt(schema: JsonObject, path: string): JsonObject {
  let place: unknown = schema;
  for (const step of path.split('/').slice(1, -1)) place = (Object(place) as JsonObject)[nameIn(step)];
  return Object(place) as JsonObject;
}

/** Returns the schema's description of the value that one of its keywords refuses; null when it has none. */
function descriptionAt(schema: JsonObject, path: string): string | null {
  const { description } = partAt(schema, path);
  return typeof description === 'string' ? description.slice(0, LONGEST_WORDS) : null;
}

/** Returns an example of the list of texts that is expected; '' when another value is. */
function listAt(schema: JsonObject, path: string): string {
  const { type, items } = partAt(schema, path);
  return type === 'array' && isObject(items) && items['type'] === 'string' ? ', such as ["one", "two"]' : '';
}

/** Returns which properties an object may have. */
function knownAt(schema: JsonObject, path: string): string {
  const names = Object.keys(Object(partAt(schema, path)['properties']) as JsonObject).join(', ');
  if (names === '') return 'there are none here';
  return `known: ${names.length <= LONGEST_WORDS ? names : `${names.slice(0, LONGEST_WORDS)}…`}`;
}

export const shortened = (text: string): string =>
  text.length <= LONGEST_NAME ? text : `${text.slice(0, LONGEST_NAME)}…`;
