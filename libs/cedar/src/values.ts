/** The values of expressions in this evaluator. Longs are safe integers: beyond them, evaluation fails. */
export type Value = boolean | number | string | EntityUid | Decimal | CedarSet | CedarRecord;

/** Thrown when an expression has no value: wrong type, missing attribute, number out of range. */
export class EvaluationError extends Error {}

/** Identifies an entity by type and id. */
export class EntityUid {
  /** Equal exactly for equal names. */
  readonly key: string;

  constructor(
    readonly type: string,
    readonly id: string,
  ) {
    // Type names have no line breaks.
    this.key = `${type}\n${id}`;
  }
}

const DECIMAL = /^(-?)(\d{1,15})\.(\d{1,4})$/;

/** A decimal number with at most four digits after the point, stored as a whole number of ten-thousandths. */
export class Decimal {
  private constructor(readonly tenThousandths: number) {}

  /** @throws EvaluationError when the text is not a Cedar decimal */
  static parse(text: string): Decimal {
    const [, sign, whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
    const magnitude = Number(`${whole}${fraction.padEnd(4, '0')}`);
    if (sign === undefined || !Number.isSafeInteger(magnitude)) {
      throw new EvaluationError(
        `${JSON.stringify(text.slice(0, 40))} is no decimal number with one to four digits after the point`,
      );
    }
    return new Decimal(sign === '-' ? -magnitude : magnitude);
  }

  /** @throws EvaluationError when the number has more than four digits after the point, or too many before it */
  static of(number: number): Decimal {
    const tenThousandths = Math.round(number * 10_000);
    if (!Number.isSafeInteger(tenThousandths) || tenThousandths / 10_000 !== number) {
      throw new EvaluationError(`${number} cannot be represented exactly with four decimal places`);
    }
    return new Decimal(tenThousandths);
  }
}

/** A set of values, without order or duplicates. */
export class CedarSet {
  private constructor(private readonly values: ReadonlyMap<string, Value>) {}

  static of(values: Iterable<Value>): CedarSet {
    const byKey = new Map<string, Value>();
    for (const value of values) byKey.set(keyOf(value), value);
    return new CedarSet(byKey);
  }

  get size(): number {
    return this.values.size;
  }

  keys(): Iterable<string> {
    return this.values.keys();
  }

  members(): Iterable<Value> {
    return this.values.values();
  }

  has(value: Value): boolean {
    return this.values.has(keyOf(value));
  }

  hasAll(other: CedarSet): boolean {
    for (const key of other.values.keys()) if (!this.values.has(key)) return false;
    return true;
  }

  hasAny(other: CedarSet): boolean {
    for (const key of other.values.keys()) if (this.values.has(key)) return true;
    return false;
  }
}

/** Attributes by name. */
export interface CedarRecord {
  has(name: string): boolean;
  /** Returns undefined when there is no such attribute. @throws EvaluationError when its value is not a Cedar value */
  get(name: string): Value | undefined;
  names(): Iterable<string>;
}

export function recordOf(attributes: Iterable<readonly [string, Value]>): CedarRecord {
  const values = new Map(attributes);
  return {
    has: (name) => values.has(name),
    get: (name) => values.get(name),
    names: () => values.keys(),
  };
}

export const isRecord = (value: Value): value is CedarRecord =>
  typeof value === 'object' &&
  !(value instanceof EntityUid) &&
  !(value instanceof Decimal) &&
  !(value instanceof CedarSet);

/** Returns a text that is equal exactly for equal values. */
function keyOf(value: Value): string {
  switch (typeof value) {
    case 'boolean':
      return value ? 't' : 'f';
    case 'number':
      return `n${value}`;
    case 'string':
      return `s${JSON.stringify(value)}`;
    default:
      return keyOfObject(value);
  }
}

function keyOfObject(value: Exclude<Value, boolean | number | string>): string {
  if (value instanceof EntityUid) return `e${JSON.stringify([value.type, value.id])}`;
  if (value instanceof Decimal) return `d${value.tenThousandths}`;
  if (value instanceof CedarSet) return `[${[...value.keys()].sort().join(',')}]`;
  const attributes = [...value.names()].sort().map((name) => `${JSON.stringify(name)}:${keyOf(valueOf(value, name))}`);
  return `{${attributes.join(',')}}`;
}

function valueOf(record: CedarRecord, name: string): Value {
  const value = record.get(name);
  if (value === undefined) throw new EvaluationError(`there is no attribute ${JSON.stringify(name)}`);
  return value;
}

/** Returns whether two values are equal. Values of different types are never equal. */
export function areEqual(a: Value, b: Value): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  if (a instanceof EntityUid) return b instanceof EntityUid && a.type === b.type && a.id === b.id;
  return keyOf(a) === keyOf(b);
}
