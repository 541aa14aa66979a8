import type { EntityReferenceJson, ExpressionJson } from './policy-json.js';
import { toEntityJson } from './policy-json.js';
import { matches, toPattern } from './pattern.js';
import {
  areEqual,
  type CedarRecord,
  CedarSet,
  Decimal,
  EntityUid,
  EvaluationError,
  isRecord,
  recordOf,
  type Value,
} from './values.js';

/** A principal or a resource, with its known attributes and groups. */
export interface Entity {
  uid: EntityUid;
  attributes: CedarRecord;
  /** Keys of all groups that contain it, directly or indirectly. */
  ancestors: ReadonlySet<string>;
}

/** The input to a policy evaluation. */
export interface Environment {
  principal: Entity;
  action: EntityUid;
  resource: Entity;
  context: CedarRecord;
}

export type Evaluate = (environment: Environment) => Value;

/** Thrown when a policy uses a feature that this evaluator lacks. */
export class UnsupportedExpression extends Error {}

/** Compiles an expression to a function. @throws UnsupportedExpression */
export function compileExpression(json: ExpressionJson): Evaluate {
  const [[operator, operand] = ['', undefined], ...more] = Object.entries(json);
  const compile = Object.hasOwn(COMPILERS, operator) ? COMPILERS[operator] : undefined;
  if (!compile || more.length > 0) throw new UnsupportedExpression(`${operator} is not supported here`);
  return compile(operand as Operand);
}

/** The operand of any operator: each has some of these members. */
interface Operand {
  left: ExpressionJson;
  right: ExpressionJson;
  arg: ExpressionJson;
  attr: string | string[];
  pattern: unknown[];
  entity_type: string;
  in?: ExpressionJson;
  if: ExpressionJson;
  then: ExpressionJson;
  else: ExpressionJson;
}

type Compiler = (operand: Operand) => Evaluate;

const COMPILERS: Readonly<Record<string, Compiler>> = {
  Value: (operand) => constant(toConstant(operand)),
  Var: (operand: unknown) => variable(operand),
  '!': ({ arg }) => {
    const value = compileExpression(arg);
    return (env) => !toBoolean(value(env));
  },
  neg: ({ arg }) => {
    const value = compileExpression(arg);
    return (env) => safe(0 - toLong(value(env)));
  },
  '==': binary(areEqual),
  '!=': binary((a, b) => !areEqual(a, b)),
  '<': binary((a, b) => toLong(a) < toLong(b)),
  '<=': binary((a, b) => toLong(a) <= toLong(b)),
  '>': binary((a, b) => toLong(a) > toLong(b)),
  '>=': binary((a, b) => toLong(a) >= toLong(b)),
  '+': binary((a, b) => safe(toLong(a) + toLong(b))),
  '-': binary((a, b) => safe(toLong(a) - toLong(b))),
  '*': binary((a, b) => safe(toLong(a) * toLong(b))),
  '&&': ({ left, right }) => {
    const [first, second] = [compileExpression(left), compileExpression(right)];
    return (env) => toBoolean(first(env)) && toBoolean(second(env));
  },
  '||': ({ left, right }) => {
    const [first, second] = [compileExpression(left), compileExpression(right)];
    return (env) => toBoolean(first(env)) || toBoolean(second(env));
  },
  'if-then-else': (operand) => {
    const condition = compileExpression(operand.if);
    const [yes, no] = [compileExpression(operand.then), compileExpression(operand.else)];
    return (env) => (toBoolean(condition(env)) ? yes(env) : no(env));
  },
  in: ({ left, right }) => {
    const [value, group] = [compileExpression(left), compileExpression(right)];
    return (env) => isIn(env, toEntity(value(env)), group(env));
  },
  is: (operand) => {
    const value = compileExpression(operand.left);
    const group = operand.in && compileExpression(operand.in);
    return (env) => {
      const entity = toEntity(value(env));
      return entity.type === operand.entity_type && (!group || isIn(env, entity, group(env)));
    };
  },
  '.': ({ left, attr }) => {
    const owner = compileExpression(left);
    const name = String(attr);
    return (env) => {
      const value = attributesOf(env, owner(env))?.get(name);
      if (value === undefined) throw new EvaluationError(`there is no attribute ${JSON.stringify(name)}`);
      return value;
    };
  },
  has: ({ left, attr }) => {
    const owner = compileExpression(left);
    const path = Array.isArray(attr) ? attr : [attr];
    return (env) => hasPath(env, owner(env), path);
  },
  like: ({ left, pattern }) => {
    const text = compileExpression(left);
    const compiled = toPattern(pattern);
    return (env) => matches(compiled, toText(text(env)));
  },
  contains: binary((set, value) => toSet(set).has(value)),
  containsAll: binary((set, other) => toSet(set).hasAll(toSet(other))),
  containsAny: binary((set, other) => toSet(set).hasAny(toSet(other))),
  isEmpty: ({ arg }) => {
    const set = compileExpression(arg);
    return (env) => toSet(set(env)).size === 0;
  },
  Set: (operand) => {
    const members = toList(operand).map(compileExpression);
    return (env) => CedarSet.of(members.map((member) => member(env)));
  },
  Record: (operand) => {
    const attributes = Object.entries(operand).map(
      ([name, value]) => [name, compileExpression(value as ExpressionJson)] as const,
    );
    return (env) => recordOf(attributes.map(([name, value]) => [name, value(env)] as const));
  },
  decimal: (operand) => {
    const [text] = toList(operand).map(compileExpression);
    if (!text) throw new UnsupportedExpression('decimal needs a text');
    return (env) => Decimal.parse(toText(text(env)));
  },
  lessThan: comparison((a, b) => a < b),
  lessThanOrEqual: comparison((a, b) => a <= b),
  greaterThan: comparison((a, b) => a > b),
  greaterThanOrEqual: comparison((a, b) => a >= b),
};

const toList = (operand: unknown): ExpressionJson[] => operand as ExpressionJson[];

const constant =
  (value: Value): Evaluate =>
  () =>
    value;

function variable(name: unknown): Evaluate {
  switch (name) {
    case 'principal':
      return ({ principal }) => principal.uid;
    case 'action':
      return ({ action }) => action;
    case 'resource':
      return ({ resource }) => resource.uid;
    case 'context':
      return ({ context }) => context;
    default:
      throw new UnsupportedExpression(`the variable ${JSON.stringify(name)} is not supported here`);
  }
}

function toConstant(json: unknown): Value {
  if (typeof json === 'boolean' || typeof json === 'string') return json;
  if (typeof json === 'number' && Number.isSafeInteger(json)) return json;
  if (Array.isArray(json)) return CedarSet.of(json.map(toConstant));
  if (typeof json === 'object' && json !== null && '__entity' in json) {
    const { type, id } = toEntityJson(json as EntityReferenceJson);
    return new EntityUid(type, id);
  }
  throw new UnsupportedExpression(`the value ${JSON.stringify(json)} is not supported here`);
}

function binary(operation: (left: Value, right: Value) => Value): Compiler {
  return ({ left, right }) => {
    const [first, second] = [compileExpression(left), compileExpression(right)];
    return (env) => operation(first(env), second(env));
  };
}

function comparison(operation: (left: number, right: number) => boolean): Compiler {
  return (operand) => {
    const [first, second] = toList(operand).map(compileExpression);
    if (!first || !second) throw new UnsupportedExpression('a comparison needs two decimal numbers');
    return (env) => operation(toDecimal(first(env)), toDecimal(second(env)));
  };
}

function isIn(env: Environment, entity: EntityUid, group: Value): boolean {
  if (group instanceof EntityUid) return isWithin(env, entity, group);
  let found = false;
  for (const member of toSet(group).members()) found = isWithin(env, entity, toEntity(member)) || found;
  return found;
}

function isWithin(env: Environment, entity: EntityUid, group: EntityUid): boolean {
  return areEqual(entity, group) || (entityOf(env, entity)?.ancestors.has(group.key) ?? false);
}

/** Only the principal and the resource have attributes and groups. */
function entityOf({ principal, resource }: Environment, uid: EntityUid): Entity | undefined {
  if (areEqual(uid, principal.uid)) return principal;
  return areEqual(uid, resource.uid) ? resource : undefined;
}

/** Returns the attributes of a record or an entity; undefined for an unknown entity. */
function attributesOf(env: Environment, owner: Value): CedarRecord | undefined {
  if (owner instanceof EntityUid) return entityOf(env, owner)?.attributes;
  if (isRecord(owner)) return owner;
  throw new EvaluationError(`a ${typeNameOf(owner)} has no attributes`);
}

function hasPath(env: Environment, owner: Value, [name = '', ...rest]: string[]): boolean {
  const attributes = attributesOf(env, owner);
  if (!attributes?.has(name)) return false;
  if (rest.length === 0) return true;
  const value = attributes.get(name);
  return value !== undefined && hasPath(env, value, rest);
}

function toBoolean(value: Value): boolean {
  if (typeof value !== 'boolean') throw wrongType('Bool', value);
  return value;
}

function toLong(value: Value): number {
  if (typeof value !== 'number') throw wrongType('Long', value);
  return value;
}

function toText(value: Value): string {
  if (typeof value !== 'string') throw wrongType('String', value);
  return value;
}

function toSet(value: Value): CedarSet {
  if (!(value instanceof CedarSet)) throw wrongType('Set', value);
  return value;
}

function toEntity(value: Value): EntityUid {
  if (!(value instanceof EntityUid)) throw wrongType('entity', value);
  return value;
}

function toDecimal(value: Value): number {
  if (!(value instanceof Decimal)) throw wrongType('decimal', value);
  return value.tenThousandths;
}

function safe(number: number): number {
  if (!Number.isSafeInteger(number)) throw new EvaluationError('the number is too large');
  return number === 0 ? 0 : number;
}

const wrongType = (expected: string, value: Value) =>
  new EvaluationError(`a ${typeNameOf(value)} is where a ${expected} is expected`);

function typeNameOf(value: Value): string {
  if (typeof value === 'boolean') return 'Bool';
  if (typeof value === 'number') return 'Long';
  if (typeof value === 'string') return 'String';
  if (value instanceof EntityUid) return 'entity';
  if (value instanceof Decimal) return 'decimal';
  return value instanceof CedarSet ? 'Set' : 'Record';
}
