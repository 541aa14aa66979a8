import type { Json, JsonObject } from '../json.js';

/** What the simplest programs are made of. */
interface Path {
  /** The variable that the path begins at; null = the input. */
  variable: string | null;
  steps: (string | number)[];
}
type Simple =
  | { kind: 'path'; path: Path }
  | { kind: 'literal'; value: Scalar }
  | { kind: 'comparison'; path: Path; operator: string; value: Scalar };
type Scalar = null | boolean | number | string;

/**
 * Evaluates a program that consists of a path (`.a.b[0]`, `$item.name`), of a literal, or of a path compared with a
 * literal, exactly as jq does. Returns undefined for all other programs, and where jq would fail.
 */
export function evaluateFast(program: string, input: Json, variables: JsonObject): Json | undefined {
  const simple = simpleOf(program);
  if (simple === null) return undefined;
  if (simple.kind === 'literal') return simple.value;
  const value = follow(simple.path, input, variables);
  if (simple.kind === 'path' || value === undefined) return value;
  return compare(value, simple.operator, simple.value);
}

/** The programs come from definitions, so there are few different ones; still, nothing here grows without a limit. */
const known = new Map<string, Simple | null>();
const MAX_KNOWN = 5000;

function simpleOf(program: string): Simple | null {
  let simple = known.get(program);
  if (simple === undefined) {
    simple = parse(program);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(program, simple);
  }
  return simple;
}

const NAME = '[A-Za-z_][A-Za-z0-9_]*';
const INDEX = String.raw`\[\d{1,6}\]`;
const REST = String.raw`(?:\.${NAME}|${INDEX})*`;
const PATH = String.raw`\.(?:(?:${NAME}|${INDEX})${REST})?|\$${NAME}${REST}`;
// Numbers of so few digits are the same in JavaScript and in jq, which knows decimal numbers of any length.
const LITERAL = String.raw`null|true|false|-?(?:0|[1-9]\d{0,11})(?:\.\d{1,3})?|"[A-Za-z0-9 _.,:;/@+*!?=<>()-]*"`;
const SIMPLE = new RegExp(String.raw`^\s*(?:(${LITERAL})|(${PATH})(?:\s*(==|!=|<=|>=|<|>)\s*(${LITERAL}))?)\s*$`);
/** These have a meaning of their own in jq. */
const SPECIAL = new Set(['ENV', '__loc__', '__prog_args', 'ARGS']);

function parse(program: string): Simple | null {
  if (program.length > 500) return null;
  const match = SIMPLE.exec(program);
  if (match === null) return null;
  const [, literal, path, operator, right] = match;
  if (literal !== undefined) return { kind: 'literal', value: JSON.parse(literal) as Scalar };
  const parsed = pathOf(path ?? '');
  if (parsed === null) return null;
  if (operator === undefined || right === undefined) return { kind: 'path', path: parsed };
  return { kind: 'comparison', path: parsed, operator, value: JSON.parse(right) as Scalar };
}

function pathOf(text: string): Path | null {
  const names = [...text.matchAll(new RegExp(String.raw`(\$?)(${NAME})|\[(\d+)\]`, 'g'))];
  const variable = names[0]?.[1] === '$' ? (names.shift()?.[2] ?? null) : null;
  if (variable !== null && SPECIAL.has(variable)) return null;
  return { variable, steps: names.map(([, , name, index]) => name ?? Number(index)) };
}

function follow({ variable, steps }: Path, input: Json, variables: JsonObject): Json | undefined {
  let value: Json | undefined = variable === null ? input : own(variables, variable);
  for (const step of steps) {
    if (value === undefined) return undefined;
    if (value === null) continue;
    if (typeof step === 'number') {
      if (!Array.isArray(value)) return undefined;
      value = value[step] ?? null;
    } else {
      if (typeof value !== 'object' || Array.isArray(value)) return undefined;
      value = own(value, step) ?? null;
    }
  }
  return value;
}

const own = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

function compare(left: Json, operator: string, right: Scalar): boolean | undefined {
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
  }
  // jq orders texts by their code points, and JavaScript does not.
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    default:
      return left >= right;
  }
}
