import { isObject, type Json, type JsonObject } from '../json.js';
import { refuse, type Simple } from './simple-program.js';

/** Limits for an evaluation on the main thread: beyond them, a thread takes over. */
const MOST_STEPS = 5_000;
const MOST_CHARACTERS = 100_000;
/** Keys that JavaScript orders differently than jq, or treats specially. */
const UNLIKE = /^(?:\d+|__proto__)$/;
const SURROGATE = /[\ud800-\udfff]/;

type Outputs = Json[];

/** Evaluates one simple program as jq does. */
export class SimpleEvaluation {
  private steps = 0;
  private characters = 0;

  constructor(private readonly variables: JsonObject) {}

  /** @throws NotSimple when jq would fail, do something unsupported here, or take long */
  evaluate(program: Simple, input: Json): Outputs {
    this.spend(1);
    switch (program.kind) {
      case 'literal':
        return [program.value];
      case 'input':
        return [input];
      case 'variable':
        return [own(this.variables, program.name) ?? refuse()];
      case 'text':
        return [
          this.text(program.parts.map((part) => (typeof part === 'string' ? part : toText(this.one(part, input))))),
        ];
      case 'index': {
        const key = this.one(program.key, input);
        return this.evaluate(program.of, input).map((value) => at(value, key));
      }
      case 'each':
        return this.evaluate(program.of, input).flatMap((value) => this.each(value));
      case 'array':
        return [program.items ? this.evaluate(program.items, input) : []];
      case 'object':
        return [this.object(program.entries, input)];
      case 'if':
        return this.evaluate(isTrue(this.one(program.condition, input)) ? program.then : program.otherwise, input);
      case 'binary':
        return this.binary(program, input);
      case 'call':
        return this.call(program.name, program.args, input);
    }
  }

  private one(program: Simple, input: Json): Json {
    const outputs = this.evaluate(program, input);
    const [output] = outputs;
    return outputs.length === 1 && output !== undefined ? output : refuse();
  }

  private object(entries: readonly [Simple, Simple][], input: Json): Json {
    const object: JsonObject = {};
    for (const [key, value] of entries) object[keyOf(this.one(key, input))] = this.one(value, input);
    return object;
  }

  private binary({ operator, left, right }: Extract<Simple, { kind: 'binary' }>, input: Json): Outputs {
    switch (operator) {
      case '|':
        return this.evaluate(left, input).flatMap((value) => this.evaluate(right, value));
      case ',':
        return [...this.evaluate(left, input), ...this.evaluate(right, input)];
      case '//': {
        const found = this.evaluate(left, input).filter(isTrue);
        return found.length > 0 ? found : this.evaluate(right, input);
      }
      case 'and':
        return [isTrue(this.one(left, input)) && isTrue(this.one(right, input))];
      case 'or':
        return [isTrue(this.one(left, input)) || isTrue(this.one(right, input))];
      case '+':
        return [this.sum(this.one(left, input), this.one(right, input))];
      default: {
        const values = [this.one(left, input), this.one(right, input)] as const;
        return [/[=<>]/.test(operator) ? compare(operator, ...values) : calculate(operator, ...values)];
      }
    }
  }

  private sum(left: Json, right: Json): Json {
    if (left === null) return right;
    if (right === null) return left;
    if (typeof left === 'number' && typeof right === 'number') return number(left + right);
    if (typeof left === 'string' && typeof right === 'string') return this.text([left, right]);
    if (Array.isArray(left) && Array.isArray(right)) {
      this.spend(left.length + right.length);
      return [...left, ...right];
    }
    if (!isObject(left) || !isObject(right)) return refuse();
    this.spend(Object.keys(left).length + Object.keys(right).length);
    return { ...left, ...right };
  }

  private call(name: string, args: readonly Simple[], input: Json): Outputs {
    const [first] = args;
    switch (name) {
      case 'empty':
        return [];
      case 'map':
        return [this.each(input).flatMap((value) => this.evaluate(first ?? refuse(), value))];
      case 'select':
        return isTrue(this.one(first ?? refuse(), input)) ? [input] : [];
      case 'any':
        return [this.each(input).some((value) => isTrue(first ? this.one(first, value) : value))];
      case 'all':
        return [this.each(input).every((value) => isTrue(first ? this.one(first, value) : value))];
      case 'add':
        return [this.each(input).reduce<Json>((sum, value) => this.sum(sum, value), null)];
      default:
        return [this.valueOf(name, input, first && this.one(first, input))];
    }
  }

  /** Applies a function to its input, and to its argument if it takes one. */
  private valueOf(name: string, input: Json, argument: Json = null): Json {
    switch (name) {
      case 'not':
        return !isTrue(input);
      case 'type':
        return typeOf(input);
      case 'tostring':
        return toText(input);
      case 'first':
        return at(input, 0);
      case 'last':
        return at(input, -1);
      case 'length':
        return this.lengthOf(input);
      case 'keys':
        return this.keysOf(input);
      case 'to_entries':
        return isObject(input) ? this.keysUnsorted(input).map((key) => ({ key, value: input[key] ?? null })) : refuse();
      case 'has':
        return hasKey(input, argument);
      case 'join':
        return this.join(input, text(argument));
      case 'split':
        return this.split(text(input), text(argument));
      case 'startswith':
        return text(input).startsWith(text(argument));
      case 'endswith':
        return text(input).endsWith(text(argument));
      case 'ascii_downcase':
        return this.text([text(input)]).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
      case 'ascii_upcase':
        return this.text([text(input)]).replace(/[a-z]/g, (letter) => letter.toUpperCase());
      default:
        return refuse();
    }
  }

  private each(value: Json): Outputs {
    if (!Array.isArray(value))
      return isObject(value) ? this.keysUnsorted(value).map((key) => value[key] ?? null) : refuse();
    this.spend(value.length);
    return value;
  }

  private keysUnsorted(object: JsonObject): string[] {
    const keys = Object.keys(object);
    this.spend(keys.length);
    return keys;
  }

  private keysOf(value: Json): Json {
    if (Array.isArray(value)) return this.each(value).map((_, index) => index);
    return isObject(value) ? this.keysUnsorted(value).sort(byCodePoints) : refuse();
  }

  private lengthOf(value: Json): number {
    if (value === null) return 0;
    if (typeof value === 'number') return Math.abs(value);
    if (typeof value === 'string') return [...this.text([value])].length;
    if (Array.isArray(value)) return value.length;
    return isObject(value) ? this.keysUnsorted(value).length : refuse();
  }

  private join(value: Json, separator: string): string {
    if (!Array.isArray(value)) return refuse();
    return this.text(
      this.each(value).map((part, index) => (index > 0 ? separator : '') + (part === null ? '' : toText(part))),
    );
  }

  private split(value: string, separator: string): string[] {
    this.text([value]);
    if (value === '') return [];
    const parts = separator === '' ? [...value] : value.split(separator);
    this.spend(parts.length);
    return parts;
  }

  /** Concatenates texts after checking the total length: a program may refer to a long text hundreds of times. */
  private text(parts: readonly string[]): string {
    for (const { length } of parts) this.characters += length;
    return this.characters > MOST_CHARACTERS ? refuse() : parts.join('');
  }

  private spend(steps: number): void {
    this.steps += steps;
    if (this.steps > MOST_STEPS) refuse();
  }
}

const own = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;
const isTrue = (value: Json): boolean => value !== null && value !== false;
const text = (value: Json): string => (typeof value === 'string' ? value : refuse());
/** Numbers that JSON or jq writes differently are left to jq. */
const number = (value: number): number => (Number.isFinite(value) && !Object.is(value, -0) ? value : refuse());

function keyOf(value: Json): string {
  const key = text(value);
  return UNLIKE.test(key) ? refuse() : key;
}

function at(value: Json, key: Json): Json {
  if (typeof key === 'string') {
    if (value === null) return null;
    return isObject(value) ? (own(value, key) ?? null) : refuse();
  }
  if (typeof key !== 'number' || !Number.isInteger(key)) return refuse();
  if (value === null) return null;
  return Array.isArray(value) ? (value[key < 0 ? value.length + key : key] ?? null) : refuse();
}

function hasKey(value: Json, key: Json): boolean {
  if (isObject(value)) return Object.hasOwn(value, text(key));
  if (!Array.isArray(value) || typeof key !== 'number' || !Number.isInteger(key)) return refuse();
  return key >= 0 && key < value.length;
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Converts a scalar to text; only numbers that jq and JavaScript write alike. */
function toText(value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value !== 'number' || Object.is(value, -0)) return refuse();
  const written = String(value);
  return /^-?\d{1,15}$/.test(written) || /^-?(?:[1-9]\d{0,9}\.\d{1,6}|0\.[1-9]\d{0,6})$/.test(written)
    ? written
    : refuse();
}

function compare(operator: string, left: Json, right: Json): boolean {
  if (operator === '==' || operator === '!=') {
    if (typeof left === 'object' && typeof right === 'object' && left !== null && right !== null) return refuse();
    return (left === right) === (operator === '==');
  }
  const order = orderOf(left, right);
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    default:
      return order >= 0;
  }
}

function orderOf(left: Json, right: Json): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return byCodePoints(left, right);
  return refuse();
}

/** jq orders texts by code points, and JavaScript by UTF-16 units; without surrogates, the order is the same. */
function byCodePoints(left: string, right: string): number {
  if (left.length + right.length > MOST_CHARACTERS) return refuse();
  if (SURROGATE.test(left) || SURROGATE.test(right)) return refuse();
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function calculate(operator: string, left: Json, right: Json): number {
  if (typeof left !== 'number' || typeof right !== 'number') return refuse();
  switch (operator) {
    case '-':
      return number(left - right);
    case '*':
      return number(left * right);
    case '/':
      return right === 0 ? refuse() : number(left / right);
    default:
      return isWhole(left) && isWhole(right) && right > 0 ? number(left % right) : refuse();
  }
}

const isWhole = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
