import { parseBoundedJson, placeOfUnstorable, valueCountOf } from '#bounded-json';
import { withinTime } from '#json-schema';
import { isObject, type JsonObject } from './skill-result.js';

const INTEGER = /^-?(?:0|[1-9]\d{0,15})$/;
const NUMBER = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/;
/** Deeper values stay unchanged. */
const MOST_LEVELS = 20;
/** Longer lists stay unchanged: no model writes them. */
const MOST_ITEMS = 1_000;
/** Larger JSON stays a text, for the same reason. */
const MOST_VALUES_OF_JSON = 10_000;
const MOST_MS = 10;
/** On a busy machine, other work may take up the time of a try. */
const TRIES = 3;
/** Some clients give this argument to tools that have none, because their models call no tool without. */
const PLACEHOLDER = 'random_string';

/**
 * Adapts arguments that models and clients write differently from their schema: drops null for an optional property, and "" where
 * it is not valid; converts "5" to 5, "true" to true, an argument in JSON to the list or object that it holds, an allowed value in
 * another case, and a text to a list of one where a list of texts is expected. Ambiguous values stay unchanged, so the schema
 * refuses them. Does not modify the arguments; returns them if there is nothing to adapt.
 */
export function lenientArguments(args: JsonObject, schema: JsonObject): JsonObject {
  return withProperties(args, schema, 0);
}

function lenient(value: unknown, schema: unknown, level: number): unknown {
  if (!isObject(schema) || level > MOST_LEVELS) return value;
  if (typeof value !== 'string') return lenientInside(value, schema, level);
  const held = level === 1 ? heldIn(value, schema) : value;
  return held === value ? fromText(value, schema) : lenientInside(held, schema, level);
}

function lenientInside(value: unknown, schema: JsonObject, level: number): unknown {
  const { type, items } = schema;
  if (type === 'object' && isObject(value)) return withProperties(value, schema, level);
  if (type === 'array' && Array.isArray(value) && value.length <= MOST_ITEMS) return withItems(value, items, level);
  return value;
}

/** Returns the list or object that an argument holds as JSON, where the schema expects one and no text; else the argument. */
function heldIn(value: string, { type }: JsonObject): unknown {
  const expected: unknown[] = [type].flat();
  const kind = /^\s*\[/.test(value) ? 'array' : /^\s*\{/.test(value) ? 'object' : undefined;
  if (kind === undefined || !expected.includes(kind) || expected.includes('string')) return value;
  const bytes = Buffer.from(value);
  if (valueCountOf(bytes, MOST_VALUES_OF_JSON) > MOST_VALUES_OF_JSON) return value;
  const parsed = parseBoundedJson(bytes, MOST_LEVELS);
  return 'value' in parsed && placeOfUnstorable(parsed.value, '') === null ? parsed.value : value;
}

function fromText(value: string, schema: JsonObject): unknown {
  const { type, enum: allowed } = schema;
  if (isListOfTexts(schema)) return listOfOne(value);
  if (Array.isArray(allowed)) return allowedIn(allowed, value);
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (type === 'integer' && INTEGER.test(value) && Number.isSafeInteger(Number(value))) return Number(value);
  if (type === 'number' && NUMBER.test(value)) return Number(value);
  return value;
}

const isListOfTexts = ({ type, items }: JsonObject): boolean =>
  type === 'array' && isObject(items) && items['type'] === 'string';

// A text that looks like a JSON list, or contains commas, may mean several items.
const listOfOne = (value: string): unknown => (/^\s*\[|,|^\s*$/.test(value) ? value : [value]);

function allowedIn(allowed: readonly unknown[], value: string): unknown {
  if (allowed.includes(value)) return value;
  const same = allowed.filter((one) => typeof one === 'string' && one.toLowerCase() === value.toLowerCase());
  return same.length === 1 ? same[0] : value;
}

function withProperties(value: JsonObject, schema: JsonObject, level: number): JsonObject {
  const { properties, required } = schema;
  if (!isObject(properties)) return value;
  const needed: unknown[] = Array.isArray(required) ? required : [];
  const hasNone = level === 0 && Object.keys(properties).length === 0;
  const changed: [string, unknown][] = [];
  let isSame = true;
  for (const [name, member] of Object.entries(value)) {
    const described = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if ((hasNone && name === PLACEHOLDER) || (!needed.includes(name) && isNothing(member, described))) {
      isSame = false;
      continue;
    }
    const better = lenient(member, described, level + 1);
    if (better !== member) isSame = false;
    changed.push([name, better]);
  }
  return isSame ? value : Object.fromEntries(changed);
}

function withItems(value: unknown[], items: unknown, level: number): unknown[] {
  const better = value.map((item) => lenient(item, items, level + 1));
  return better.every((item, index) => item === value[index]) ? value : better;
}

/** Returns whether a property refuses a value with which models and clients express absence. */
function isNothing(value: unknown, schema: unknown): boolean {
  if ((value !== null && value !== '') || !isObject(schema)) return false;
  const { type } = schema;
  // Only a property with one plain type certainly refuses null.
  if (typeof type !== 'string' || type === 'null') return false;
  return value === null || type !== 'string' || refusesEmpty(schema);
}

function refusesEmpty({ minLength, enum: allowed, pattern }: JsonObject): boolean {
  if (typeof minLength === 'number' && minLength > 0) return true;
  if (Array.isArray(allowed)) return !allowed.includes('');
  return typeof pattern === 'string' && matchesEmpty(pattern) === false;
}

/** Returns whether a pattern matches the empty text; undefined = it takes too long. */
function matchesEmpty(pattern: string): boolean | undefined {
  let isMatching: boolean | undefined;
  for (let tries = 0; isMatching === undefined && tries < TRIES; tries += 1)
    isMatching = withinTime(MOST_MS, () => new RegExp(pattern, 'u').test(''));
  return isMatching;
}
