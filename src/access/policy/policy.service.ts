import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { compilePolicy, type PolicyJson, PolicySet } from '#cedar';
import type { Client } from '#skill-kit';
import type { PolicyDecision } from '../../platform/events/app-events.js';
import { ReplicaChannel } from '../../platform/database/replica-channel.service.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { SettingsService } from '../../platform/config/settings.service.js';
import { SerialQueue } from '../../platform/periodic/serial-queue.js';
import { Decisions, REQUIRE_APPROVAL } from './decisions.js';
import { type WallClock, WEEKDAYS } from './policy-context.js';
import type { ListedSubject, PolicyOutlook, PolicyRequest } from './policy-request.js';
import type { StoredPolicy } from './policy.js';
import { PolicyStore } from './policy.store.js';

const MINUTE_MS = 60_000;

/** Provides policies with the hour and weekday, in the time zone of the setting `policy.time_zone`. */
@Injectable()
export class PolicyClock {
  private shown: WallClock = { hour: 0, weekday: 'sunday' };
  private shownFor = ''; // the minute and the time zone of `shown`
  private format: { timeZone: string; parts: Intl.DateTimeFormat } | null = null;

  constructor(private readonly settings: SettingsService) {}

  now(nowMs = Date.now()): WallClock {
    const timeZone = this.settings.get('policy.time_zone');
    const minute = Math.floor(nowMs / MINUTE_MS);
    const shownFor = `${minute} ${timeZone}`;
    if (shownFor !== this.shownFor) {
      this.shown = this.read(new Date(minute * MINUTE_MS), timeZone);
      this.shownFor = shownFor;
    }
    return this.shown;
  }

  at(moment: Date): WallClock {
    return this.read(moment, this.settings.get('policy.time_zone'));
  }

  private read(at: Date, timeZone: string): WallClock {
    if (this.format?.timeZone !== timeZone) {
      const options = { timeZone, weekday: 'long', hour: 'numeric', hourCycle: 'h23' } as const;
      this.format = { timeZone, parts: new Intl.DateTimeFormat('en-US', options) };
    }
    const parts = new Map(this.format.parts.formatToParts(at).map(({ type, value }) => [type, value]));
    const weekday = parts.get('weekday')?.toLowerCase();
    return {
      hour: Number(parts.get('hour')),
      weekday: WEEKDAYS.find((day) => day === weekday) ?? 'sunday',
    };
  }
}

/** Placeholder for a decision where nothing is to be decided. */
export const NOT_ASKED: PolicyDecision = Object.freeze({
  allowed: false,
  reason: 'not_permitted',
  policies: [],
  approval: null,
  userMayApprove: false,
  advice: null,
});

const ENGINE_FAILED: PolicyDecision = Object.freeze({
  allowed: false,
  reason: 'engine_failed',
  policies: [],
  approval: null,
  userMayApprove: false,
  advice: null,
});

const NOTHING: PolicyOutlook = Object.freeze({ use: 'refused', policies: [] });

/**
 * The only place that decides what clients may do: called before every call, read and prompt, and for every entry of a list. When
 * it cannot decide, it denies.
 */
@Injectable()
export class PolicyService implements OnModuleInit {
  private readonly logger = new Logger(PolicyService.name);
  private decisions: Decisions | null = null; // null = the policies could not be loaded
  private before: Decisions | null = null; // those before the last change
  /** The policies behind the last change. What they do not concern is shown as before: comparing all lists takes long. */
  private change = Decisions.ofChange(null, null);
  private clockBefore: WallClock | null = null; // null = the last change was not one of the clock
  private failure: string | null = 'the policies are not loaded yet';
  private loaded = ''; // the policies as they were read
  /** An older state must not be applied after a newer one. */
  private readonly reloads = new SerialQueue();
  private readonly taggers = new Map<string, (uri: string) => readonly string[]>();

  constructor(
    private readonly store: PolicyStore,
    private readonly clock: PolicyClock,
    private readonly events: EventBus,
    private readonly replicas: ReplicaChannel,
  ) {
    replicas.on('policies', () => this.reloads.run(() => this.reload({ isFromElsewhere: true })));
  }

  async onModuleInit(): Promise<void> {
    this.use(await this.store.list());
  }

  /** Registers the source of the tags that policies see on the resources of a scheme, by canonical URI. */
  registerTags(scheme: string, tagsOf: (uri: string) => readonly string[]): void {
    this.taggers.set(scheme, tagsOf);
  }

  /** Returns a subject as policies see it: a resource with its tags. */
  asSeen<Subject extends ListedSubject>(subject: Subject): Subject {
    if (subject.action !== 'readResource') return subject;
    const tagsOf = this.taggers.get(subject.uri.slice(0, subject.uri.indexOf(':')));
    return tagsOf ? { ...subject, tags: tagsOf(subject.uri) } : subject;
  }

  decide(request: PolicyRequest): PolicyDecision {
    if (!this.decisions) return ENGINE_FAILED;
    try {
      return this.decisions.decide(this.asSeen(request), this.clock.now());
    } catch (error) {
      return this.refuse(error);
    }
  }

  mayShow(client: Client, subject: ListedSubject): boolean {
    return this.trying(() => this.decisions?.mayShow(client, this.asSeen(subject), this.clock.now()) ?? false);
  }

  /** Returns what a client may do, as far as it is known without the arguments. */
  outlook(client: Client, subject: ListedSubject): PolicyOutlook {
    try {
      return this.decisions?.outlook(client, this.asSeen(subject), this.clock.now()) ?? NOTHING;
    } catch (error) {
      this.refuse(error);
      return NOTHING;
    }
  }

  /** Returns whether a client may read any resource of a store, as far as it is known without its URI. */
  mayShowTemplate(client: Client, uriTemplate: string): boolean {
    return this.decisions?.mayShowTemplate(client, uriTemplate, this.clock.now()) ?? false;
  }

  /** Returns whether a client's right to read depends on the URI or tags of the resource. */
  distinguishesResources(client: Client): boolean {
    return this.decisions?.distinguishesResources(client) ?? true;
  }

  /** Returns whether the last change of the policies changed which of these subjects lists show to a client. */
  showsOthers(client: Client, subjects: readonly ListedSubject[]): boolean {
    const clock = this.clock.now();
    const [now, before] = [this.decisions?.peekOf(client), this.before?.peekOf(client)];
    const change = this.change.peekOf(client);
    return subjects.some((subject) => {
      if (!change.concern(subject)) return false;
      const seen = this.asSeen(subject);
      const isShown = this.trying(() => now?.mayShow(seen, clock) ?? false);
      return isShown !== this.trying(() => before?.mayShow(seen, this.clockBefore ?? clock) ?? false);
    });
  }

  private trying(decide: () => boolean): boolean {
    try {
      return decide();
    } catch (error) {
      return this.refuse(error).allowed;
    }
  }

  /** Returns whether the last change of the policies may have changed which resources a client may read. */
  hasOtherReads(client: Client): boolean {
    return this.change.peekOf(client).concernReads();
  }

  /** Returns whether policies distinguish programs that use the same key, now or before the last change. */
  distinguishesPrograms(): boolean {
    return (this.before?.readsProgram ?? false) || (this.decisions?.readsProgram ?? false);
  }

  /** Returns why the policies cannot be evaluated, so that everything is denied; null when they can. */
  problem(): string | null {
    return this.failure;
  }

  readsClock(): boolean {
    return this.decisions?.readsClock ?? false;
  }

  /** Notifies the service that the hour or day has changed. */
  clockTurned(before: WallClock, source: { isFromElsewhere?: true }): void {
    this.before = this.decisions;
    this.change = this.decisions?.ofTheClock() ?? this.change;
    this.clockBefore = before;
    this.events.emit('policies.changed', source);
  }

  /** Applies stored changes on all replicas. Resolves when they are in effect here. */
  async changed(): Promise<void> {
    try {
      await this.reloads.run(() => this.reload({}));
    } finally {
      await this.replicas.notify('policies');
    }
  }

  /** On failure, the previous policies stay in force. */
  private async reload(source: { isFromElsewhere?: true }): Promise<void> {
    const policies = await this.store.list();
    if (JSON.stringify(policies) === this.loaded) return;
    this.use(policies);
    this.events.emit('policies.changed', source);
  }

  private use(policies: readonly StoredPolicy[]): void {
    this.loaded = JSON.stringify(policies);
    this.before = this.decisions;
    this.clockBefore = null;
    try {
      this.decisions = new Decisions(policySetOf(policies));
      this.failure = null;
    } catch (error) {
      this.decisions = null;
      this.failure = error instanceof Error ? error.message : String(error);
      this.logger.error({ err: error }, 'The policies cannot be loaded, so everything is refused');
    }
    this.change = Decisions.ofChange(this.before, this.decisions);
  }

  private refuse(error: unknown): PolicyDecision {
    this.logger.error({ err: error }, 'The policies could not be evaluated for a request, so it is refused');
    return ENGINE_FAILED;
  }
}

/** @throws UnsupportedExpression, TypeError when a stored policy is damaged */
export const policySetOf = (policies: readonly Pick<StoredPolicy, 'name' | 'compiled' | 'enabled'>[]): PolicySet =>
  new PolicySet(
    policies
      .filter(({ enabled }) => enabled)
      .map(({ name, compiled }) => compilePolicy(name, compiled, isGuard(compiled))),
  );

/** Callers choose the arguments; they must not be able to disable a policy that forbids or requires approval. */
const isGuard = ({ effect, annotations = {} }: PolicyJson): boolean =>
  effect === 'forbid' || REQUIRE_APPROVAL in annotations;

/** Returns why an action is not allowed and what to do, as sentences. @param action such as "this call of deploy" */
export function denialOf({ reason, policies, advice }: PolicyDecision, action: string): string {
  const named = policies.length === 1 ? `policy ${policies.join()}` : `policies ${policies.join(', ')}`;
  const next = advice ?? 'Ask the administrator.';
  switch (reason) {
    case 'forbidden':
      return `Not allowed: ${named} ${policies.length === 1 ? 'forbids' : 'forbid'} ${action}. ${next}`;
    case 'unevaluable':
      return `Not allowed: ${named} cannot be evaluated for ${action}, because of a value that is missing, of another type, or not exact. ${next}`;
    case 'engine_failed':
      return `Not allowed: the policies cannot be evaluated at the moment, so nothing is. Ask the administrator to look at the policies.`;
    case 'permitted':
    case 'not_permitted':
      return `Not allowed: no policy permits ${action}. ${next}`;
  }
}
