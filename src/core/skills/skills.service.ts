import { Injectable, Logger } from '@nestjs/common';
import type { Client, JsonObject, SkillDefinition, SkillOutput } from '#skill-kit';
import type { PolicyDecision } from '../../platform/events/app-events.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { ADMIN_CLIENT } from '../../access/audit/audit-entry.js';
import { resourceNamedIn } from '../../access/audit/named-resource.js';
import type { ToolSubject } from '../../access/policy/policy-request.js';
import { denialOf, NOT_ASKED, PolicyService } from '../../access/policy/policy.service.js';
import { cancelledMessage, invalidMessage } from './call-messages.js';
import { type CallContext, type CallOutput, type Ended, ended, isRunState, type LongCalls } from './skill-call.js';
import { SkillCatalogue } from './skill-catalogue.service.js';
import { SkillExecutor } from './skill-executor.service.js';
import { SkillRegistry } from './skill.registry.js';
import { SkillDenied, SkillNotFound, TasksRequired } from './skills.errors.js';

/** Runs every tool call: checks the policy, finds the skill, validates the arguments, executes within the time limit, reports. */
@Injectable()
export class SkillsService {
  private readonly logger = new Logger(SkillsService.name);
  private longCalls: LongCalls | null = null; // null = long skills are executed like others

  constructor(
    private readonly registry: SkillRegistry,
    private readonly catalogue: SkillCatalogue,
    private readonly policy: PolicyService,
    private readonly executor: SkillExecutor,
    private readonly events: EventBus,
  ) {}

  /** Returns the skills that this client may call, in alphabetical order. */
  list(client: Client): SkillDefinition[] {
    return this.offered().filter((skill) => this.catalogue.isEnabled(skill.name) && this.mayShow(client, skill));
  }

  /** Checks that policy lets the client use a skill at all; the skill need not exist. @throws SkillDenied */
  assertVisible(client: Client, name: string): void {
    if (this.mayUse(client, { name, tags: [] })) return;
    const tool = this.registry.find(name) ?? unlisted(name);
    throw new SkillDenied(name, this.policy.decide({ client, action: 'callTool', tool, arguments: {} }));
  }

  /**
   * Returns whether policy lets the client use a skill at all; the skill need not exist.
   * @param skill with the tags that policies see if it is not a tool
   */
  mayUse(client: Client, { name, tags }: Pick<ToolSubject, 'name' | 'tags'>): boolean {
    return this.mayShow(client, this.registry.find(name) ?? unlisted(name, tags));
  }

  /** Returns whether the last change of policies changed the client's list of tools. */
  hasOtherList(client: Client): boolean {
    return this.policy.showsOthers(
      client,
      this.offered().map((tool) => ({ action: 'callTool', tool })),
    );
  }

  /**
   * Returns why a client may not call a skill that another component executes, even one that is not a tool; null when it may.
   * Nobody is asked: calls that need confirmation are denied.
   * @param skill with the tags that policies see if it is not a tool
   * @param input the arguments, not necessarily valid
   */
  denialOf(client: Client, { name, tags }: Pick<ToolSubject, 'name' | 'tags'>, input: JsonObject): string | null {
    const tool = this.registry.find(name) ?? unlisted(name, tags);
    const decision = this.policy.decide({ client, action: 'callTool', tool, arguments: input });
    if (!decision.allowed) return denialOf(decision, `this call of ${name}`);
    if (!this.catalogue.isEnabled(name)) return disabledMessage(name);
    return decision.approval === null ? null : unconfirmedMessage(name);
  }

  /** From now on, turns calls of long skills into durable runs. */
  runLongCallsBy(longCalls: LongCalls): void {
    this.longCalls = longCalls;
  }

  /** Checks that an enabled skill has this name. @throws SkillNotFound */
  assertCallable(name: string): void {
    if (!this.find(name)) throw new SkillNotFound(name, this.registry.whyAbsent(name));
  }

  /**
   * Calls a skill. Errors of the call itself are returned as results with `isError`, including that the skill is disabled.
   * @throws SkillNotFound, TasksRequired, ProtocolFault
   */
  async call(client: Client, name: string, args: JsonObject, context: CallContext): Promise<CallOutput> {
    const startedAt = performance.now();
    const skill = this.find(name);
    const {
      outcome,
      output,
      decision = NOT_ASKED,
      approvedBy = null,
      isReportedByRun = false,
    } = skill ? await this.attempt(client, skill, args, context) : this.uncallable(client, name);
    const kept = context.withoutSecrets ?? asItIs;
    if (!isReportedByRun) {
      this.events.emit('tool.called', {
        tool: name,
        client,
        arguments: kept(args),
        inputSchema: skill?.inputSchema ?? null,
        decision,
        approvedBy,
        outcome,
        resource: skill && !skill.annotations?.readOnlyHint ? kept(resourceOf(output)) : null,
        durationMs: performance.now() - startedAt,
        message: outcome === 'ok' ? null : kept(messageOf(output)),
        at: new Date(),
      });
    }
    if (output instanceof Error) throw output;
    return output;
  }

  /** Reports a call that was cancelled before it was made. */
  reportCancelled(client: Client, name: string, args: JsonObject, since: Date): void {
    this.events.emit('tool.called', {
      tool: name,
      client,
      arguments: args,
      inputSchema: this.registry.find(name)?.inputSchema ?? null,
      decision: NOT_ASKED,
      approvedBy: null,
      outcome: 'cancelled',
      resource: null,
      durationMs: Date.now() - since.getTime(),
      message: cancelledMessage(name),
      at: new Date(),
    });
  }

  private async attempt(
    client: Client,
    skill: SkillDefinition,
    args: JsonObject,
    context: CallContext,
  ): Promise<Ended> {
    const { name } = skill;
    if (skill.stepsOnly && context.step === null && client.name !== ADMIN_CLIENT.name)
      return this.onlyForSteps(client, skill);
    const parsed = skill.parse(args) ?? (await this.parseElsewhere(client, skill, args, context));
    if ('outcome' in parsed) return parsed;
    if ('problems' in parsed) return this.invalid(client, skill, parsed.problems);
    if (skill.startsRun && context.withoutSecrets && holdsSecrets(args, context.withoutSecrets))
      return ended('error', secretMessage(name));
    // Policies decide on the arguments that the skill will get, with defaults filled in and types converted.
    const { input } = parsed;
    const decided = this.policy.decide({ client, action: 'callTool', tool: skill, arguments: input });
    const decision = context.isDecidedByModel ? withCaution(decided, skill) : decided;
    if (!decision.allowed) return denied(decision, name);
    if (skill.long === 'required' && !context.followsTasks && context.step === null)
      return { outcome: 'invalid', output: new TasksRequired(name), decision };
    const call = { args, input };
    const made =
      decision.approval === null && !isRunState(context.state)
        ? await this.executor.outcome(skill, context, () => this.execute(client, skill, call, context))
        : await this.confirmed(client, skill, { ...call, decision }, context);
    return { ...made, decision };
  }

  /** Validates slow arguments in another thread, only for clients that may call the skill at all. */
  private async parseElsewhere(client: Client, skill: SkillDefinition, args: JsonObject, context: CallContext) {
    if (this.mayShow(client, skill)) return this.executor.parseElsewhere(skill, args, context);
    return denied(this.policy.decide({ client, action: 'callTool', tool: skill, arguments: {} }), skill.name);
  }

  /** Returns why the skill cannot be called: models can read a result, but clients show a protocol error as a failure. */
  private uncallable(client: Client, name: string): Ended {
    const disabled = this.registry.find(name);
    return disabled && this.mayShow(client, disabled)
      ? ended('unknown', disabledMessage(name))
      : { outcome: 'unknown', output: new SkillNotFound(name, this.registry.whyAbsent(name)) };
  }

  /** Has a person confirm a call. A run asks, without the call's time limit, and makes the call once it is confirmed. */
  private async confirmed(
    client: Client,
    skill: SkillDefinition,
    { args, input, decision }: { args: JsonObject; input: object; decision: PolicyDecision },
    context: CallContext,
  ): Promise<Ended> {
    const { longCalls } = this;
    if (context.step === null) {
      if (!longCalls)
        return ended('denied', `Not allowed: nobody can be asked here to confirm this call of ${skill.name}.`);
      let isReportedByRun = false;
      const made = await this.executor.outcome(skill, context, async () => {
        const output = await longCalls.run(client, skill, args, context);
        isReportedByRun = true;
        return output;
      });
      return { ...made, isReportedByRun };
    }
    const proceed = (resumed: CallContext) => this.execute(client, skill, { args, input }, resumed);
    return this.executor.confirmed(client, skill, { input, decision }, context, proceed);
  }

  /** Returns the problems of the arguments, only to clients that may call the skill at all. */
  private invalid(client: Client, skill: SkillDefinition, problems: string[]): Ended {
    const decision = this.policy.decide({ client, action: 'callTool', tool: skill, arguments: {} });
    if (!decision.allowed && !this.mayShow(client, skill)) return denied(decision, skill.name);
    return ended('invalid', invalidMessage(skill.name, problems));
  }

  /** Returns why a client may not call a skill that is reserved for workflows. */
  private onlyForSteps(client: Client, skill: SkillDefinition): Ended {
    return this.mayShow(client, skill)
      ? ended('unknown', stepsOnlyMessage(skill.name))
      : { outcome: 'unknown', output: new SkillNotFound(skill.name) };
  }

  /** Returns the skills that clients may call, before policies are applied. */
  private offered(): SkillDefinition[] {
    return this.registry.list().filter(({ stepsOnly }) => !stepsOnly);
  }

  private mayShow(client: Client, tool: ToolSubject): boolean {
    return this.policy.mayShow(client, { action: 'callTool', tool });
  }

  private find(name: string): SkillDefinition | undefined {
    return this.catalogue.isEnabled(name) ? this.registry.find(name) : undefined;
  }

  private execute(
    client: Client,
    skill: SkillDefinition,
    { args, input }: { args: JsonObject; input: object },
    context: CallContext,
  ): Promise<SkillOutput> {
    const { longCalls } = this;
    if (skill.long && longCalls && context.step === null) return longCalls.run(client, skill, args, context);
    // Within a run, a long skill, or one that starts another run, has no time limit: the run can be cancelled.
    const isUnlimited = Boolean(skill.long && longCalls) || (skill.startsRun === true && context.step !== null);
    return this.executor.execute(client, skill, input, context, { isUnlimited });
  }
}

const asItIs = <T>(value: T): T => value;

/** Also requires confirmation for potentially destructive calls that a model of the service makes: nobody has seen the call. */
function withCaution(decision: PolicyDecision, { name, annotations = {} }: SkillDefinition): PolicyDecision {
  const { readOnlyHint = false, destructiveHint = true } = annotations;
  if (readOnlyHint || !destructiveHint || !decision.allowed || decision.approval !== null) return decision;
  const approval = `A language model wants to call ${name}, which may change or delete something for good.`;
  return { ...decision, approval, userMayApprove: true };
}

const unlisted = (name: string, tags: ToolSubject['tags'] = []): ToolSubject => ({
  name,
  kind: 'workflow',
  tags,
  inputSchema: {},
});

const denied = (decision: PolicyDecision, name: string): Ended => ({
  ...ended('denied', denialOf(decision, `this call of ${name}`)),
  decision,
});

const disabledMessage = (name: string) =>
  `The tool ${name} is disabled: an administrator of this service has switched it off, and can switch it on again under ` +
  'Skills in the admin interface. Do not call it again; use another tool, or tell the user.';

/** Returns whether arguments contain secrets. */
const holdsSecrets = (args: JsonObject, withoutSecrets: <T>(value: T) => T): boolean =>
  JSON.stringify(withoutSecrets(args)) !== JSON.stringify(args);

const secretMessage = (name: string) =>
  `The tool ${name} was not called: it keeps its arguments in a run of its own, and a secret is among them. Use the secret in the ` +
  'step that sends it.';

const unconfirmedMessage = (name: string) =>
  `Not allowed: a person must confirm each call of ${name}, and nobody is asked here. Call ${name} as a tool of its own.`;

const stepsOnlyMessage = (name: string) =>
  `The tool ${name} is only there for steps of workflows. Do not call it again: answer yourself, or have an administrator of this ` +
  'service offer it to clients (a setting under Config says so).';

/** Returns the resource that a successful call has created or changed. */
const resourceOf = (output: Ended['output']): string | null =>
  'structuredContent' in output && !output.isError ? resourceNamedIn(output.structuredContent) : null;

function messageOf(output: Ended['output']): string {
  if (!('content' in output)) return 'message' in output ? output.message : 'no message';
  const [first] = output.content;
  return first?.type === 'text' ? first.text : 'no message';
}
