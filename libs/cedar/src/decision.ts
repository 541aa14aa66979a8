import type { Entity, Environment } from './expression.js';
import type { Policy } from './policy.js';
import type { EntityUid } from './values.js';

/** What a set of policies says of a request. */
export interface Decision {
  allowed: boolean;
  /** The policies that made the decision: those that forbid it, or else those that permit it. */
  deciding: readonly Policy[];
  /** Policies that could not be evaluated. Each guard among them makes the decision a denial. */
  failed: readonly Policy[];
}

/** The verdicts that are known so far. */
interface Verdicts {
  permits: Policy[];
  forbids: Policy[];
  failed: Policy[];
}

/**
 * What policies say of one principal, action and resource, as far as it is known without some attributes of the context.
 */
export class Slice {
  private constructor(
    private readonly known: Verdicts,
    /** Those whose verdict depends on what is not known yet. */
    readonly open: readonly Policy[],
    /** The decision, when nothing that is not known yet can change it. */
    readonly fixed: Decision | null,
  ) {}

  /** @param isKnown whether what a policy reads, such as `context.hour`, has in `environment` the value that it will have */
  static of(policies: readonly Policy[], environment: Environment, isKnown: (read: string) => boolean): Slice {
    const known: Verdicts = { permits: [], forbids: [], failed: [] };
    const open: Policy[] = [];
    for (const policy of policies) {
      if ([...policy.reads].every(isKnown)) evaluateInto(known, policy, environment);
      else open.push(policy);
    }
    return new Slice(known, open, isDenied(known) || open.length === 0 ? decisionOf(known) : null);
  }

  /** Returns the decision for a request whose context is known. */
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

  /** Returns whether some request may be allowed, whatever is not known of the context in `environment`. */
  mayAllow(environment: Environment, isKnown: (read: string) => boolean): boolean {
    if (this.fixed) return this.fixed.allowed;
    const now = Slice.of(this.open, environment, isKnown);
    if (isDenied(now.known)) return false;
    return this.known.permits.length > 0 || now.known.permits.length > 0 || now.open.some(isPermit);
  }
}

const isPermit = ({ effect }: Policy): boolean => effect === 'permit';

// Cedar skips a policy that cannot be evaluated. Whoever chooses the arguments could switch off a guard like that.
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

/** Policies in the order in which a request narrows them down. */
export class PolicySet {
  constructor(readonly policies: readonly Policy[]) {}

  /** Returns the policies that concern requests of a principal for an action. */
  narrow(principal: Entity, action: EntityUid): NarrowedPolicies {
    return new NarrowedPolicies(
      this.policies.filter((policy) => policy.concernsPrincipal(principal) && policy.concernsAction(action)),
    );
  }

  /** Returns whether any policy reads an attribute, such as `context.hour`. */
  isRead(attribute: string): boolean {
    return areRead(this.policies, attribute);
  }
}

function areRead(policies: readonly Policy[], attribute: string): boolean {
  const all = `${attribute.slice(0, attribute.indexOf('.'))}.*`;
  return policies.some(({ reads }) => reads.has(attribute) || reads.has(all));
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
