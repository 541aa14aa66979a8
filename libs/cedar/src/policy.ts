import { compileExpression, type Entity, type Environment, type Evaluate } from './expression.js';
import { type ExpressionJson, type PolicyJson, type ScopeJson, toEntityJson } from './policy-json.js';
import { EntityUid, EvaluationError } from './values.js';

/** The result of evaluating one policy. Cedar: `true`, `false`, or an error. */
type Verdict = 'satisfied' | 'unsatisfied' | 'error';

export interface Policy {
  readonly id: string;
  /** Equal for policies with the same meaning. */
  readonly text: string;
  readonly effect: 'permit' | 'forbid';
  /** Null = an annotation without a value. */
  readonly annotations: Readonly<Record<string, string | null>>;
  /** True when a failed evaluation denies the request. */
  readonly isGuard: boolean;
  /**
   * The context and resource attributes that its conditions read, such as `context.hour` and `resource.uri`. `context.*` and
   * `resource.*` stand for all.
   */
  readonly reads: ReadonlySet<string>;
  /** The one resource that its scope names; null when it covers others, too. */
  readonly resource: EntityUid | null;
  concernsPrincipal(principal: Entity): boolean;
  concernsAction(action: EntityUid): boolean;
  concernsResource(resource: Entity): boolean;
  /** Evaluates the conditions for a request that the policy applies to. */
  evaluate(environment: Environment): Verdict;
}

/**
 * Compiles a policy from its JSON.
 * @param isGuard true when a failed evaluation denies the request; Cedar would skip the policy
 * @throws UnsupportedExpression
 */
export function compilePolicy(id: string, json: PolicyJson, isGuard = json.effect === 'forbid'): Policy {
  const conditions = json.conditions.map(({ kind, body }) => ({
    expected: kind === 'when',
    test: compileExpression(body),
  }));
  const { op, entity } = json.resource;
  return {
    id,
    text: JSON.stringify(json),
    effect: json.effect,
    annotations: json.annotations ?? {},
    isGuard,
    reads: readsOf(json),
    resource: op === '==' && entity ? uidOf(entity) : null,
    concernsPrincipal: entityTest(json.principal),
    concernsAction: actionTest(json.action),
    concernsResource: entityTest(json.resource),
    evaluate: (environment) => verdictOf(conditions, environment),
  };
}

function verdictOf(conditions: readonly { expected: boolean; test: Evaluate }[], environment: Environment): Verdict {
  try {
    for (const { expected, test } of conditions) {
      const value = test(environment);
      if (typeof value !== 'boolean') return 'error';
      if (value !== expected) return 'unsatisfied';
    }
    return 'satisfied';
  } catch (error) {
    if (error instanceof EvaluationError) return 'error';
    throw error;
  }
}

function entityTest({ op, entity, entity_type: type, in: within }: ScopeJson): (entity: Entity) => boolean {
  switch (op) {
    case 'All':
      return () => true;
    case '==': {
      const { key } = uidOf(entity);
      return ({ uid }) => uid.key === key;
    }
    case 'in':
      return membershipTest(uidOf(entity));
    case 'is': {
      const isMember = within ? membershipTest(uidOf(within.entity)) : () => true;
      return (candidate) => candidate.uid.type === type && isMember(candidate);
    }
    default:
      throw new TypeError(`a scope has the unknown operator ${op}`);
  }
}

const membershipTest =
  ({ key }: EntityUid) =>
  ({ uid, ancestors }: Entity): boolean =>
    uid.key === key || ancestors.has(key);

/** Actions have no groups. */
function actionTest({ op, entity, entities }: ScopeJson): (action: EntityUid) => boolean {
  if (op === 'All') return () => true;
  const keys = new Set((entities ?? [entity]).map((reference) => uidOf(reference).key));
  return ({ key }) => keys.has(key);
}

function uidOf(reference: ScopeJson['entity']): EntityUid {
  if (!reference) throw new TypeError('a scope names no entity');
  const { type, id } = toEntityJson(reference);
  return new EntityUid(type, id);
}

function readsOf({ conditions }: PolicyJson): Set<string> {
  const reads = new Set<string>();
  for (const { body } of conditions) collectReads(body, reads);
  return reads;
}

/** Collects the context and resource attributes that an expression reads. */
function collectReads(json: unknown, reads: Set<string>): void {
  if (typeof json !== 'object' || json === null) return;
  if (Array.isArray(json)) {
    for (const entry of json) collectReads(entry, reads);
    return;
  }
  const { Var: variable, '.': access, has } = json as ExpressionJson & Record<'.' | 'has', Access | undefined>;
  if (isRead(variable)) reads.add(`${variable}.*`);
  for (const owner of [access, has]) {
    if (!owner) continue;
    const { Var: owned } = Object(owner.left) as { Var?: unknown };
    if (isRead(owned)) reads.add(`${owned}.${Array.isArray(owner.attr) ? String(owner.attr[0]) : owner.attr}`);
    else collectReads(owner.left, reads);
  }
  for (const [key, value] of Object.entries(json)) if (key !== '.' && key !== 'has') collectReads(value, reads);
}

interface Access {
  left: unknown;
  attr: string | string[];
}

const isRead = (variable: unknown): variable is 'context' | 'resource' =>
  variable === 'context' || variable === 'resource';
