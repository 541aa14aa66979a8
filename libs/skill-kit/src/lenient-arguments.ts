import { isObject, type JsonObject } from './skill-result.js';

const INTEGER = /^-?(?:0|[1-9]\d{0,15})$/;
const NUMBER = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/;
/** Deeper values stay unchanged. */
const MOST_LEVELS = 20;
/** Longer lists stay unchanged: no model writes them. */
const MOST_ITEMS = 1_000;

/**
 * Adapts arguments that models write differently from their schema: drops null for an optional property, and "" for one that must
 * not be empty; converts "5" to 5, "true" to true, and a text to a list of one where a list of texts is expected. Ambiguous
 * values stay unchanged, so the schema refuses them. Does not modify the arguments; returns them if there is nothing to adapt.
 */
export function lenientArguments(args: JsonObject, schema: JsonObject): JsonObject {
  return withProperties(args, schema, 0);
}

function lenient(value: unknown, schema: unknown, level: number): unknown {
  if (!isObject(schema) || level > MOST_LEVELS) return value;
  const { type, items } = schema;
  if (typeof value === 'string') return isListOfTexts(schema) ? listOfOne(value) : fromText(value, type);
  if (type === 'object' && isObject(value)) return withProperties(value, schema, level);
  if (type === 'array' && Array.isArray(value) && value.length <= MOST_ITEMS) return withItems(value, items, level);
  return value;
}

const isListOfTexts = ({ type, items }: JsonObject): boolean =>
  type === 'array' && isObject(items) && items['type'] === 'string';

// A text that looks like a JSON list, or contains commas, may mean several items.
const listOfOne = (value: string): unknown => (/^\s*\[|,|^\s*$/.test(value) ? value : [value]);

function fromText(value: string, type: unknown): unknown {
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (type === 'integer' && INTEGER.test(value) && Number.isSafeInteger(Number(value))) return Number(value);
  if (type === 'number' && NUMBER.test(value)) return Number(value);
  return value;
}

function withProperties(value: JsonObject, schema: JsonObject, level: number): JsonObject {
  const { properties, required } = schema;
  if (!isObject(properties)) return value;
  const needed: unknown[] = Array.isArray(required) ? required : [];
  const changed: [string, unknown][] = [];
  let isSame = true;
  for (const [name, member] of Object.entries(value)) {
    const described = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!needed.includes(name) && isNothing(member, described)) {
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

/** Returns whether a property refuses a value with which models express absence. */
function isNothing(value: unknown, schema: unknown): boolean {
  if ((value !== null && value !== '') || !isObject(schema)) return false;
  const { type, minLength } = schema;
  if (value === '') return type === 'string' && typeof minLength === 'number' && minLength > 0;
  // Only a property with one plain type certainly refuses null.
  return typeof type === 'string' && type !== 'null';
}
