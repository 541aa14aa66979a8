import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { isObject } from '#bounded-json';
import { type Client, type JsonObject, UNKNOWN_ORIGIN } from '#skill-kit';
import type { AuditItem } from '../../../access/audit/audit-entry.js';
import { AuditReader } from '../../../access/audit/audit-reader.service.js';
import { ClientsService } from '../../../access/clients/clients.service.js';
import type { PolicyDecision } from '../../../platform/events/app-events.js';
import { denialOf, PolicyClock, policySetOf } from '../../../access/policy/policy.service.js';
import type {
  ChangedCallView,
  DryRunView,
  PolicyDecisionView,
  PolicyDraft,
  PolicyTestBody,
  Verdict,
} from './policies.schema.js';
import type { PolicyAction, PolicySubject, ToolSubject } from '../../../access/policy/policy-request.js';
import { ResourceRouter } from '../../../core/resources/resource.router.js';
import { SkillRegistry } from '../../../core/skills/skill.registry.js';
import { Decisions } from '../../../access/policy/decisions.js';
import { PolicyStore } from '../../../access/policy/policy.store.js';
import { InvalidPolicy } from './policies.errors.js';
import { PolicyChecker } from './policy-checker.service.js';

/** The policies as they would be after a change. */
@Injectable()
export class PolicyDrafts {
  constructor(
    private readonly store: PolicyStore,
    private readonly checker: PolicyChecker,
  ) {}

  /** @throws InvalidPolicy when the draft is invalid */
  async decisionsWith(draft: PolicyDraft | undefined): Promise<Decisions> {
    const stored = await this.store.list();
    if (!draft) return new Decisions(policySetOf(stored));
    const others = stored.filter(({ name }) => name !== draft.name);
    if (draft.policy === null) return new Decisions(policySetOf(others));
    const { compiled, errors } = await this.checker.check(draft.policy);
    if (!compiled) throw new InvalidPolicy(errors);
    return new Decisions(policySetOf([...others, { name: draft.name, compiled, enabled: true }]));
  }
}

@Injectable()
export class PolicySubjects {
  constructor(
    private readonly skills: SkillRegistry,
    private readonly resources: ResourceRouter,
  ) {}

  /** @param resource name of the tool or prompt, or URI of the resource; it need not exist */
  of(action: PolicyAction, resource: string, args: JsonObject): PolicySubject {
    switch (action) {
      case 'readResource':
        return this.resources.subjectOf(resource);
      case 'getPrompt':
        return { action, prompt: resource };
      case 'callTool':
        return { action, ...this.callOf(resource, args) };
    }
  }

  private callOf(name: string, args: JsonObject): { tool: ToolSubject; arguments: object } {
    const skill = this.skills.find(name);
    if (!skill) return { tool: { name, kind: 'code', tags: [], inputSchema: {} }, arguments: args };
    // Policies see the parsed arguments, as the tool does.
    const parsed = skill.parse(args);
    return { tool: skill, arguments: parsed && 'input' in parsed ? parsed.input : args };
  }
}

/** Number of audited calls that a dry run evaluates. */
const CALLS = 1_000;
/** Number of decisions before yielding to the event loop. */
const PORTION = 50;

/** Tries policies, including unsaved ones: on one request, and on the latest calls. */
@Injectable()
export class PolicyTrials {
  constructor(
    private readonly drafts: PolicyDrafts,
    private readonly subjects: PolicySubjects,
    private readonly clients: ClientsService,
    private readonly clock: PolicyClock,
    private readonly audit: AuditReader,
  ) {}

  /** Decides one request. @throws InvalidPolicy when the draft is invalid */
  async test(body: PolicyTestBody): Promise<PolicyDecisionView> {
    const decisions = await this.drafts.decisionsWith(body.draft);
    const now = this.clock.now();
    const clock = { hour: body.hour ?? now.hour, weekday: body.weekday ?? now.weekday };
    const client = this.clientOf(body);
    const { action, resource } = body;
    return toView(
      decisions.decide({ client, ...this.subjects.of(action, resource, body.arguments ?? {}) }, clock),
      NAMES[action](resource),
    );
  }

  /** Returns which of the latest calls would be decided differently. @throws InvalidPolicy when the draft is invalid */
  async dryRun(draft: PolicyDraft): Promise<DryRunView> {
    const [current, drafted] = [await this.drafts.decisionsWith(undefined), await this.drafts.decisionsWith(draft)];
    const calls = await this.audit.latestCalls(CALLS);
    const changed: ChangedCallView[] = [];
    for (const [index, call] of calls.entries()) {
      if (index % PORTION === PORTION - 1) await nextTurn();
      // Refusals that were only counted have no arguments.
      if (call.decision === undefined || call.subject === undefined || call.arguments === undefined) continue;
      const request = {
        client: clientOfCall(call),
        ...this.subjects.of('callTool', call.subject, objectOf(call.arguments)),
      };
      const clock = this.clock.at(new Date(call.at));
      const decision = drafted.decide(request, clock);
      // The log does not record whether a person had to approve a call.
      const before = verdictOf({ ...current.decide(request, clock), allowed: call.decision === 'allow' });
      const after = verdictOf(decision);
      if (before === after) continue;
      const { seq, at, client = '', subject, argumentsCut: uncertain = false } = call;
      changed.push({ seq, at, client, tool: subject, before, after, policies: [...decision.policies], uncertain });
    }
    return { calls: calls.length, changed };
  }

  private clientOf({ client: name, groups, program, protocolVersion, workflow }: PolicyTestBody): Client {
    return {
      name,
      groups: groups ?? this.clients.find(name)?.groups ?? [],
      origin: {
        ...UNKNOWN_ORIGIN,
        program: program ?? null,
        protocolVersion: protocolVersion ?? null,
        run: workflow === undefined ? null : { id: '', workflow },
      },
    };
  }
}

function clientOfCall({
  client = '',
  groups = [],
  program,
  programVersion,
  protocol,
  run,
  workflow,
}: AuditItem): Client {
  return {
    name: client,
    groups,
    origin: {
      ...UNKNOWN_ORIGIN,
      program: program ?? null,
      programVersion: programVersion ?? null,
      protocolVersion: protocol ?? null,
      run: run === undefined ? null : { id: run, workflow: workflow ?? '' },
    },
  };
}

const verdictOf = ({ allowed, approval }: Pick<PolicyDecision, 'allowed' | 'approval'>): Verdict =>
  allowed ? (approval === null ? 'allowed' : 'confirmed') : 'refused';

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The names of actions in denials, as clients read them. */
const NAMES: Record<PolicyTestBody['action'], (resource: string) => string> = {
  callTool: (name) => `this call of ${name}`,
  readResource: (uri) => `reading ${uri}`,
  getPrompt: (name) => `the prompt ${name}`,
};

const toView = (decision: PolicyDecision, action: string): PolicyDecisionView => ({
  allowed: decision.allowed,
  policies: [...decision.policies],
  approval: decision.approval,
  message: decision.allowed ? null : denialOf(decision, action),
});
