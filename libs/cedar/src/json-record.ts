import { type CedarRecord, CedarSet, Decimal, EvaluationError, type Value } from './values.js';

const DEEPEST = 32;
/** How many values, nested ones included, one record may convert. */
const MOST_VALUES = 20_000;

/** The parts of a JSON Schema that decide which numbers may have a fraction. */
export interface NumberSchema {
  readonly type?: unknown;
  readonly properties?: unknown;
  readonly items?: unknown;
}

/**
 * Wraps untrusted JSON as a record. Attributes are converted when they are read, and keys have no special meaning. Null counts as
 * absent.
 * @param schema numbers that it declares with `"type": "number"` become decimals, all others must be integers
 */
export function jsonRecord(json: object, schema: NumberSchema = {}): CedarRecord {
  return lazyRecord(json, { schema, depth: 0, budget: { left: MOST_VALUES } });
}

interface Place {
  schema: NumberSchema;
  depth: number;
  budget: { left: number };
}

function lazyRecord(json: object, place: Place): CedarRecord {
  const entryOf = (name: string): unknown => ownOf(json, name) ?? undefined;
  return {
    has: (name) => entryOf(name) !== undefined,
    get: (name) => {
      const entry = entryOf(name);
      if (entry === undefined) return undefined;
      return toValue(entry, within(place, ownOf(Object(place.schema.properties) as object, name)));
    },
    names: () => Object.keys(json).filter((name) => entryOf(name) !== undefined),
  };
}

const ownOf = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;

const within = ({ depth, budget }: Place, schema: unknown): Place => ({
  schema: Object(schema) as NumberSchema,
  depth: depth + 1,
  budget,
});

/** @throws EvaluationError when it is not a Cedar value, or the record has converted too many */
function toValue(json: unknown, place: Place): Value {
  if ((place.budget.left -= 1) < 0) throw new EvaluationError(`there are more than ${MOST_VALUES} values to compare`);
  if (place.depth > DEEPEST) throw new EvaluationError(`the value is nested deeper than ${DEEPEST} levels`);
  switch (typeof json) {
    case 'boolean':
      return json;
    case 'string':
      return json.toWellFormed();
    case 'number':
      return isDecimal(place.schema) ? Decimal.of(json) : toLong(json);
    case 'object':
      if (json === null) throw new EvaluationError('null is no value to compare');
      if (!Array.isArray(json)) return lazyRecord(json, place);
      return CedarSet.of(json.map((entry) => toValue(entry, within(place, place.schema.items))));
    default:
      throw new EvaluationError(`a ${typeof json} is no value to compare`);
  }
}

const isDecimal = ({ type }: NumberSchema): boolean =>
  type === 'number' || (Array.isArray(type) && type.includes('number'));

function toLong(number: number): number {
  if (!Number.isSafeInteger(number)) throw new EvaluationError(`${number} is no integer, or too large to be exact`);
  // -0 equals 0, but prints differently.
  return number === 0 ? 0 : number;
}
