import type { Entity, Environment } from './expression.js';
import type { Policy } from './policy.js';
import type { EntityUid } from './values.js';

/** A policy set's decision on a request. */
export interface Decision {
  allowed: boolean;
  /** The policies that determined the decision: the matching forbids, or else the matching permits. */
  deciding: readonly Policy[];
  /** Policies that failed to evaluate. A failed guard denies the request. */
  failed: readonly Policy[];
}

interface Verdicts {
  permits: Policy[];
  forbids: Policy[];
  failed: Policy[];
}

/**
 * The policies for one principal, action and resource, evaluated as far as possible while some context attributes are unknown.
 */
export class Slice {
  private constructor(
    private readonly known: Verdicts,
    /** Policies whose verdict depends on unknown attributes. */
    readonly open: readonly Policy[],
    /** The decision if no unknown attribute can change it; else null. */
    readonly fixed: Decision | null,
  ) {}

  /**
   * @param isKnown returns whether an attribute that a policy reads, such as `context.hour`, has its final value in `environment`
   */
  static of(policies: readonly Policy[], environment: Environment, isKnown: (read: string) => boolean): Slice {
    const known: Verdicts = { permits: [], forbids: [], failed: [] };
    const open: Policy[] = [];
    for (const policy of policies) {
      if ([...policy.reads].every(isKnown)) evaluateInto(known, policy, environment);
      else open.push(policy);
    }
    return new Slice(known, open, isDenied(known) || open.length === 0 ? decisionOf(known) : null);
  }

  /** Decides a request with a complete context. */
  decide(environment: Environment): Decision {
    if (this.fixed) return this.fixed;
    const verdicts: Verdicts = {
      permits: [...this.known.permits],
      forbids: [...this.known.forbids],
      failed: [...this.known.failed],
    };
    for (const policy of this.open) evaluateInto(verdicts, policy, environment);
    return decisionOf(verdicts);
  }

  /** Returns whether a request may be allowed for some values of the attributes that are unknown in `environment`. */
  mayAllow(environment: Environment, isKnown: (read: string) => boolean): boolean {
    if (this.fixed) return this.fixed.allowed;
    const now = Slice.of(this.open, environment, isKnown);
    if (isDenied(now.known)) return false;
    return this.known.permits.length > 0 || now.known.permits.length > 0 || now.open.some(isPermit);
  }
}

const isPermit = ({ effect }: Policy): boolean => effect === 'permit';

// Cedar skips a policy that fails to evaluate. A caller could choose arguments that switch off a guard this way.
const isDenied = ({ forbids, failed }: Verdicts): boolean =>
  forbids.length > 0 || failed.some(({ isGuard }) => isGuard);

function evaluateInto(verdicts: Verdicts, policy: Policy, environment: Environment): void {
  switch (policy.evaluate(environment)) {
    case 'satisfied':
      (isPermit(policy) ? verdicts.permits : verdicts.forbids).push(policy);
      return;
    case 'error':
      verdicts.failed.push(policy);
      return;
    case 'unsatisfied':
  }
}

function decisionOf(verdicts: Verdicts): Decision {
  const { permits, forbids, failed } = verdicts;
  if (isDenied(verdicts)) return { allowed: false, deciding: forbids, failed };
  return { allowed: permits.length > 0, deciding: permits, failed };
}

/** Filters policies by principal and action, then by resource. */
export class PolicySet {
  constructor(readonly policies: readonly Policy[]) {}

  /** Returns the policies that apply to this principal and action. */
  narrow(principal: Entity, action: EntityUid): NarrowedPolicies {
    return new NarrowedPolicies(
      this.policies.filter((policy) => policy.concernsPrincipal(principal) && policy.concernsAction(action)),
    );
  }

  /** Returns whether any policy reads an attribute, such as `context.hour`. */
  isRead(attribute: string): boolean {
    return this.reading([attribute]).policies.length > 0;
  }

  /** Returns the policies that read any of these attributes. */
  reading(attributes: readonly string[]): PolicySet {
    const read = attributes.flatMap((name) => [name, `${name.slice(0, name.indexOf('.'))}.*`]);
    return new PolicySet(this.policies.filter(({ reads }) => read.some((name) => reads.has(name))));
  }

  /** Returns the policies of which only one of the two sets has the meaning: they alone cause other decisions. */
  differenceTo(other: PolicySet): PolicySet {
    return new PolicySet([...missingIn(other, this.policies), ...missingIn(this, other.policies)]);
  }
}

function missingIn(set: PolicySet, policies: readonly Policy[]): Policy[] {
  const texts = new Set(set.policies.map(({ text }) => text));
  return policies.filter(({ text }) => !texts.has(text));
}

export class NarrowedPolicies {
  private readonly ofOneResource = new Map<string, Policy[]>();
  private readonly others: Policy[] = [];

  constructor(readonly policies: readonly Policy[]) {
    for (const policy of policies) {
      const { resource } = policy;
      if (!resource) this.others.push(policy);
      else this.ofOneResource.set(resource.key, [...(this.ofOneResource.get(resource.key) ?? []), policy]);
    }
  }

  concerning(resource: Entity): Policy[] {
    const named = this.ofOneResource.get(resource.uid.key) ?? [];
    return [...named, ...this.others.filter((policy) => policy.concernsResource(resource))];
  }
}
