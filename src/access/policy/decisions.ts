import { type CedarRecord, type Decision, type Entity, NarrowedPolicies, type Policy, PolicySet, Slice } from '#cedar';
import type { PolicyDecision } from '../../platform/events/app-events.js';
import { type Client, UNKNOWN_ORIGIN } from '#skill-kit';
import {
  callerAttributes,
  callerContext,
  contextOf,
  isKnownInLists,
  isKnownOfTemplates,
  isOfTheCaller,
  type WallClock,
} from './policy-context.js';
import { ACTIONS, principalEntity, promptEntity, resourceEntity, toolEntity } from './policy-entities.js';
import type { ListedSubject, PolicyAction, PolicyOutlook, PolicyRequest, ToolSubject } from './policy-request.js';

/** Annotation of policies whose calls a person must approve; its value is the question to the person. */
export const REQUIRE_APPROVAL = 'require_approval';
/** The question to the person if the policies have none. */
export const DEFAULT_QUESTION = 'May this call be made?';
/** Annotation of such policies: who approves. `administrator` by default, or `user`, who is asked through their client. */
export const APPROVER = 'approver';

/** Programs name themselves, so the number of callers is unbounded. Beyond this many, the cache is cleared. */
const MOST_CALLERS = 2_000;
/** Prompts come and go with their sources. Beyond this many, the cached decisions about them are dropped. */
const MOST_PROMPTS = 1_000;

const CLOCK = ['context.hour', 'context.weekday'];
const NO_POLICIES = new PolicySet([]);

/**
 * Decides requests by one set of policies, and caches what depends on neither arguments nor time. When a policy changes, it is
 * replaced, with its caches.
 */
export class Decisions {
  private readonly callers = new Map<string, CallerDecisions>();
  /** For each list of groups, the decisions about the last client that had it. */
  private readonly lastOf = new WeakMap<readonly string[], { name: string; decisions: CallerDecisions }>();
  /** True when policies read the program or its protocol version. */
  readonly readsProgram: boolean;
  readonly readsClock: boolean;

  constructor(private readonly policies: PolicySet) {
    this.readsProgram = ['program', 'programProven', 'programVersion', 'protocolVersion', 'era'].some((name) =>
      policies.isRead(`context.${name}`),
    );
    this.readsClock = policies.reading(CLOCK).policies.length > 0;
  }

  /** Returns the decisions by the policies alone that differ from earlier ones. @param before null = nothing was permitted */
  static ofChange(before: Decisions | null, now: Decisions | null): Decisions {
    return new Decisions((before?.policies ?? NO_POLICIES).differenceTo(now?.policies ?? NO_POLICIES));
  }

  /** Returns the decisions by the policies alone that read the hour or weekday. */
  ofTheClock(): Decisions {
    return new Decisions(this.policies.reading(CLOCK));
  }

  decide(request: PolicyRequest, clock: WallClock): PolicyDecision {
    return this.of(request.client).decide(request, clock);
  }

  /** Returns whether a client may be shown something: some call or read of it may be allowed. */
  mayShow(client: Client, subject: ListedSubject, clock: WallClock): boolean {
    return this.of(client).mayShow(subject, clock);
  }

  /** Returns what a client may do, as far as it is known without the arguments. */
  outlook(client: Client, subject: ListedSubject, clock: WallClock): PolicyOutlook {
    return this.of(client).outlook(subject, clock);
  }

  /** Returns whether a client may read any resource of a store, as far as it is known without its URI. */
  mayShowTemplate(client: Client, uriTemplate: string, clock: WallClock): boolean {
    return this.of(client).mayShowTemplate(uriTemplate, clock);
  }

  /** Returns whether a client's right to read depends on the URI or tags of the resource. */
  distinguishesResources(client: Client): boolean {
    return this.of(client).distinguishesResources();
  }

  /**
   * Returns the decisions about a client, for comparing whole lists. Not cached for clients that have sent no request: the
   * decisions about thousands of tools for hundreds of clients take much memory.
   */
  peekOf(client: Client): Pick<CallerDecisions, 'mayShow' | 'concern' | 'concernReads'> {
    return this.callers.get(this.keyOf(client)) ?? new CallerDecisions(this.policies, client);
  }

  private of(client: Client): CallerDecisions {
    const { name, groups, origin = UNKNOWN_ORIGIN } = client;
    if (this.readsProgram || origin.run !== null) return this.keptOf(client);
    // All requests of a client share one list of groups until it changes.
    const last = this.lastOf.get(groups);
    if (last?.name === name) return last.decisions;
    const decisions = this.keptOf(client);
    this.lastOf.set(groups, { name, decisions });
    return decisions;
  }

  private keptOf(client: Client): CallerDecisions {
    const key = this.keyOf(client);
    const known = this.callers.get(key);
    if (known) return known;
    if (this.callers.size >= MOST_CALLERS) this.callers.clear();
    const decisions = new CallerDecisions(this.policies, client);
    this.callers.set(key, decisions);
    return decisions;
  }

  /** Returns a key that callers share when no policy distinguishes them. */
  private keyOf({ name, groups, origin = UNKNOWN_ORIGIN }: Client): string {
    const { program, programProven, programVersion, protocolVersion, run } = origin;
    const who = `${name}\n${groups.join(' ')}\n${run === null ? '' : `in ${run.workflow}`}`;
    return this.readsProgram
      ? `${who}\n${JSON.stringify([program, programProven, programVersion, protocolVersion])}`
      : who;
  }
}

/** The attributes that differ between the resources of a store. */
const DISTINGUISHING = ['resource.uri', 'resource.tags', 'resource.*'];

type Remembered = PolicyDecision | Slice;

class CallerDecisions {
  private readonly principal: Entity;
  private readonly attributes: ReturnType<typeof callerAttributes>;
  private readonly known: CedarRecord;
  private readonly narrowed = new Map<PolicyAction, NarrowedPolicies>();
  /** Keyed by the definition of the tool: a new tool of the same name is a different tool. */
  private readonly tools = new WeakMap<ToolSubject, Remembered>();
  private readonly prompts = new Map<string, Remembered>();
  /** Equal decisions about many tools are one object. */
  private readonly same = new Map<string, PolicyDecision>();

  constructor(
    private readonly policies: PolicySet,
    client: Client,
  ) {
    this.principal = principalEntity(client);
    this.attributes = callerAttributes(client.origin);
    this.known = callerContext(this.attributes);
  }

  decide(request: PolicyRequest, clock: WallClock): PolicyDecision {
    const remembered = this.remembered(request);
    if (!(remembered instanceof Slice)) return remembered;
    const call = request.action === 'callTool' ? request : null;
    const context = contextOf(this.attributes, clock, call);
    return this.toDecision(remembered.decide(this.environment(request, context)));
  }

  mayShow(subject: ListedSubject, clock: WallClock): boolean {
    const remembered = this.remembered(subject);
    if (!(remembered instanceof Slice)) return remembered.allowed;
    const context = contextOf(this.attributes, clock, null);
    return remembered.mayAllow(this.environment(subject, context), isKnownInLists);
  }

  outlook(subject: ListedSubject, clock: WallClock): PolicyOutlook {
    const remembered = this.remembered(subject);
    if (remembered instanceof Slice) {
      return {
        use: this.mayShow(subject, clock) ? 'depends' : 'refused',
        policies: remembered.open.map(({ id }) => id),
      };
    }
    const { allowed, approval, policies } = remembered;
    return { use: !allowed ? 'refused' : approval === null ? 'allowed' : 'approval', policies };
  }

  mayShowTemplate(uri: string, clock: WallClock): boolean {
    const subject = { action: 'readResource', uri } as const;
    const environment = this.environment(subject, contextOf(this.attributes, clock, null));
    const { policies } = this.policiesFor('readResource');
    // A policy about one resource may permit a part of the store, but forbids nothing about the other resources.
    const concerned = policies.filter((policy) =>
      policy.resource ? policy.effect === 'permit' : policy.concernsResource(environment.resource),
    );
    return Slice.of(concerned, environment, () => false).mayAllow(environment, isKnownOfTemplates);
  }

  distinguishesResources(): boolean {
    const { policies } = this.policiesFor('readResource');
    return policies.some(({ resource, reads }) => resource !== null || DISTINGUISHING.some((read) => reads.has(read)));
  }

  /** Returns whether any policy is about this subject, whatever its conditions. */
  concern(subject: ListedSubject): boolean {
    const narrowed = this.policiesFor(subject.action);
    return narrowed.policies.length > 0 && narrowed.concerning(entityOf(subject)).length > 0;
  }

  /** Returns whether any policy is about what the client reads. */
  concernReads(): boolean {
    return this.policiesFor('readResource').policies.length > 0;
  }

  private policiesFor(action: PolicyAction): NarrowedPolicies {
    return cached(this.narrowed, action, () => this.policies.narrow(this.principal, ACTIONS[action]));
  }

  private remembered(subject: ListedSubject): Remembered {
    switch (subject.action) {
      case 'callTool':
        return cached(this.tools, subject.tool, () => this.slice(subject));
      case 'getPrompt':
        if (this.prompts.size >= MOST_PROMPTS) this.prompts.clear();
        return cached(this.prompts, subject.prompt, () => this.slice(subject));
      case 'readResource':
        // Not cached: the number of resources is unbounded, and few policies concern them.
        return this.slice(subject);
    }
  }

  private slice(subject: ListedSubject): Remembered {
    const environment = this.environment(subject, this.known);
    const slice = Slice.of(
      this.policiesFor(subject.action).concerning(environment.resource),
      environment,
      isOfTheCaller,
    );
    return slice.fixed ? this.toDecision(slice.fixed) : slice;
  }

  private environment(subject: ListedSubject, context: CedarRecord) {
    return { principal: this.principal, action: ACTIONS[subject.action], resource: entityOf(subject), context };
  }

  private toDecision(decision: Decision): PolicyDecision {
    const made = toPolicyDecision(decision);
    return cached(this.same, JSON.stringify(made), () => Object.freeze(made));
  }
}

const toolEntities = new WeakMap<ToolSubject, Entity>();

function entityOf(subject: ListedSubject): Entity {
  switch (subject.action) {
    case 'callTool':
      return cached(toolEntities, subject.tool, () => toolEntity(subject.tool));
    case 'readResource':
      return resourceEntity(subject.uri, subject.tags);
    case 'getPrompt':
      return promptEntity(subject.prompt);
  }
}

function toPolicyDecision({ allowed, deciding, failed }: Decision): PolicyDecision {
  if (allowed) {
    const policies = deciding.map(({ id }) => id);
    return { allowed, reason: 'permitted', policies, ...approvalOf(deciding), advice: null };
  }
  const unevaluable = failed.filter(({ isGuard }) => isGuard);
  const blamed = deciding.length > 0 ? deciding : unevaluable;
  return {
    allowed,
    reason: deciding.length > 0 ? 'forbidden' : unevaluable.length > 0 ? 'unevaluable' : 'not_permitted',
    policies: blamed.map(({ id }) => id),
    ...NO_APPROVAL,
    advice: deciding.flatMap(({ annotations }) => annotations['advice'] ?? []).join(' ') || null,
  };
}

type Approval = Pick<PolicyDecision, 'approval' | 'userMayApprove'>;
const NO_APPROVAL: Approval = { approval: null, userMayApprove: false };

/** Returns the question to ask before the call, and who may answer it. */
function approvalOf(policies: readonly Policy[]): Approval {
  const asking = policies.filter(({ annotations }) => REQUIRE_APPROVAL in annotations);
  if (asking.length === 0) return NO_APPROVAL;
  const questions = asking.flatMap(({ annotations }) => annotations[REQUIRE_APPROVAL]?.trim() || []);
  return {
    approval: questions.join(' ') || DEFAULT_QUESTION,
    userMayApprove: asking.every(({ annotations }) => annotations[APPROVER] === 'user'),
  };
}

interface Cache<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

function cached<K, V>(cache: Cache<K, V>, key: K, make: () => V): V {
  let value = cache.get(key);
  if (value === undefined) cache.set(key, (value = make()));
  return value;
}
