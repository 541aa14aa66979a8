import { Injectable, Logger } from '@nestjs/common';
import {
  type Client,
  failure,
  type FollowRun,
  type InputRequired,
  isFollowRun,
  isInputRequired,
  type JsonObject,
  ProtocolFault,
  type RunStep,
  type SkillContext,
  type SkillDefinition,
  type SkillOutput,
  type SkillResult,
} from '#skill-kit';
import { AppError } from '../../platform/errors/app-error.js';
import type { PolicyDecision, ToolOutcome } from '../../platform/events/app-events.js';
import { EventBus } from '../../platform/events/event-bus.service.js';
import { resourceNamedIn } from '../../access/audit/named-resource.js';
import type { ToolSubject } from '../../access/policy/policy-request.js';
import { denialOf, NOT_ASKED, PolicyService } from '../../access/policy/policy.service.js';
import { SkillCatalogue, tooLargeMessage, ToolLimitsService } from './skill-catalogue.service.js';
import { APPROVAL, keepApproval, nextOf } from './approval.js';
import { ExecutionStopped, executeWithin, toSkillResult } from './skill-execution.js';
import { SkillRegistry } from './skill.registry.js';
import { SkillDenied, SkillNotFound, TasksRequired } from './skills.errors.js';

/** The part of a skill's context that the caller provides. */
export type CallContext = Omit<SkillContext, 'client'>;

/** Makes the calls of long skills durable runs. */
export interface LongCalls {
  /**
   * Starts a run that calls the skill. Returns its result when it comes soon, what it asks its caller, or `followRun(...)`.
   * @param args what the caller sent; it fits the input schema
   */
  run(client: Client, skill: SkillDefinition, args: JsonObject, context: CallContext): Promise<SkillOutput>;
}

/** What a caller keeps between two rounds of a call that has become a run. */
export interface RunState {
  runId: string;
}

export function isRunState(state: unknown): state is RunState {
  return typeof state === 'object' && state !== null && 'runId' in state && typeof state.runId === 'string';
}

/** How a call ends: with its result, with questions to the caller, or with the run that its work continues as. */
export type CallOutput = SkillResult | InputRequired | FollowRun;

interface Ended {
  outcome: ToolOutcome;
  output: CallOutput | ProtocolFault | AppError;
  /** Absent: policy was not asked. */
  decision?: PolicyDecision;
  /** Who confirmed the call; absent: nobody. */
  approvedBy?: string;
  /** Whether a run tells how the call ended, which asks for it to be confirmed: then it is one call, and told once. */
  isToldByRun?: boolean;
}

/** Runs every tool call: checks the policy, finds the skill, validates, executes within the time limit, reports. */
@Injectable()
export class SkillsService {
  private readonly logger = new Logger(SkillsService.name);
  private longCalls: LongCalls | null = null; // null = long skills are executed like others

  constructor(
    private readonly registry: SkillRegistry,
    private readonly catalogue: SkillCatalogue,
    private readonly policy: PolicyService,
    private readonly limits: ToolLimitsService,
    private readonly events: EventBus,
  ) {}

  /** Returns the skills that this client may call, in alphabetical order. */
  list(client: Client): SkillDefinition[] {
    return this.registry.list().filter((skill) => this.catalogue.isEnabled(skill.name) && this.mayShow(client, skill));
  }

  /** Checks that policy lets the client use a skill at all; there need not be one of this name. @throws SkillDenied */
  assertVisible(client: Client, name: string): void {
    const tool = this.registry.find(name) ?? unlisted(name);
    if (this.policy.mayShow(client, { action: 'callTool', tool })) return;
    throw new SkillDenied(name, this.policy.decide({ client, action: 'callTool', tool, arguments: {} }));
  }

  /** Returns whether the client may call other skills since the policies changed for the last time. */
  hasOtherList(client: Client): boolean {
    return this.registry
      .list()
      .some((tool) => this.mayShow(client, tool) !== this.policy.mightShow(client, { action: 'callTool', tool }));
  }

  /**
   * Returns why a client may not call a skill that something else executes, also one that is no tool; null when it may.
   * @param input the arguments, which need not fit
   */
  denialOf(client: Client, name: string, input: JsonObject): string | null {
    const tool = this.registry.find(name) ?? unlisted(name);
    const decision = this.policy.decide({ client, action: 'callTool', tool, arguments: input });
    return decision.allowed ? null : denialOf(decision, `this call of ${name}`);
  }

  /** Has calls of long skills made durable runs from now on. */
  runLongCallsBy(longCalls: LongCalls): void {
    this.longCalls = longCalls;
  }

  /** Checks that an enabled skill has this name. @throws SkillNotFound */
  assertCallable(name: string): void {
    if (!this.find(name)) throw new SkillNotFound(name);
  }

  /**
   * Calls a skill. Whatever goes wrong in the call itself gives a result with `isError`, also that the skill is disabled.
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
      isToldByRun = false,
    } = skill ? await this.attempt(client, skill, args, context) : this.uncallable(client, name);
    const kept = context.step?.withoutSecrets ?? asItIs;
    if (!isToldByRun) {
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

  private async attempt(
    client: Client,
    skill: SkillDefinition,
    args: JsonObject,
    context: CallContext,
  ): Promise<Ended> {
    const { name } = skill;
    const parsed = skill.parse(args);
    if ('problems' in parsed) return this.invalid(client, skill, parsed.problems);
    // Policies decide about the arguments that the skill will get, in which defaults are filled in and types are right.
    const { input } = parsed;
    const decision = this.policy.decide({ client, action: 'callTool', tool: skill, arguments: input });
    if (!decision.allowed) return denied(decision, name);
    if (skill.long === 'required' && !context.followsTasks && context.step === null)
      return { outcome: 'invalid', output: new TasksRequired(name), decision };
    const call = { args, input };
    const made =
      decision.approval === null && !isRunState(context.state)
        ? await this.outcome(skill, context, () => this.execute(client, skill, call, context))
        : await this.confirmed(client, skill, { ...call, decision }, context);
    return { ...made, decision };
  }

  /** Returns why there is no skill to call: models read a result, but clients show an error of the protocol as a failure. */
  private uncallable(client: Client, name: string): Ended {
    const disabled = this.registry.find(name);
    return disabled && this.mayShow(client, disabled)
      ? ended('unknown', disabledMessage(name))
      : { outcome: 'unknown', output: new SkillNotFound(name) };
  }

  /** Has a person asked whether a call may be made. A run does, in its own time, and makes the call once it is confirmed. */
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
      let isToldByRun = false;
      const made = await this.outcome(skill, context, async () => {
        const output = await longCalls.run(client, skill, args, context);
        isToldByRun = true;
        return output;
      });
      return { ...made, isToldByRun };
    }
    const { answers, state } = context;
    const { approval, userMayApprove } = decision;
    const call = { client: client.name, tool: skill.name, input, question: approval ?? '', userMayApprove };
    const next = nextOf({ call, answers, state, nowMs: Date.now(), limitMinutes: this.limits.approvalMinutes() });
    switch (next.kind) {
      case 'refused':
        return ended('denied', next.message);
      case 'ask':
        return { outcome: 'ok', output: next.question, isToldByRun: true };
      case 'granted': {
        const goesOn = { ...context, answers: withoutApproval(answers), state: next.state };
        const made = await this.outcome(skill, context, () => this.execute(client, skill, { args, input }, goesOn));
        const output = isInputRequired(made.output)
          ? keepApproval(made.output, call, next.by, Date.now())
          : made.output;
        return { ...made, output, approvedBy: next.by };
      }
    }
  }

  private async outcome(
    skill: SkillDefinition,
    { signal, step }: CallContext,
    work: () => Promise<SkillOutput>,
  ): Promise<Ended> {
    try {
      return this.endedWith(skill, await work());
    } catch (error) {
      // Whoever waits for a run throws the reason why the caller does so no longer.
      const isCancelled = signal.aborted && error === signal.reason;
      return this.failed(skill.name, isCancelled ? new ExecutionStopped('cancelled') : error, step?.withoutSecrets);
    }
  }

  /** Returns what is wrong with arguments, to those who may call the skill at all. */
  private invalid(client: Client, skill: SkillDefinition, problems: string[]): Ended {
    const decision = this.policy.decide({ client, action: 'callTool', tool: skill, arguments: {} });
    if (!decision.allowed && !this.mayShow(client, skill)) return denied(decision, skill.name);
    return ended('invalid', invalidMessage(skill.name, problems));
  }

  private mayShow(client: Client, tool: SkillDefinition): boolean {
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
    // Within a run, a long skill or a workflow takes as long as it takes: the run can be cancelled.
    const isUnlimited = (skill.long && longCalls) || (skill.kind === 'workflow' && context.step !== null);
    const limitMs = isUnlimited ? null : this.limits.timeoutOf(skill.name).value;
    return executeWithin(limitMs, context.signal, skill, input, { ...context, client });
  }

  private endedWith(skill: SkillDefinition, output: SkillOutput): Ended {
    if (isInputRequired(output) || isFollowRun(output)) return { outcome: 'ok', output };
    const result = toSkillResult(skill, output);
    const tooLarge = this.tooLarge(skill.name, result);
    if (tooLarge !== null) return ended('error', tooLarge);
    return { outcome: result.isError ? 'error' : 'ok', output: result };
  }

  /** Returns what is wrong with the size of a result; null when the tool has no limit of its own: then the endpoint looks. */
  private tooLarge(name: string, result: SkillResult): string | null {
    const most = this.limits.ownResultOf(name);
    if (most === null) return null;
    const bytes = Buffer.byteLength(JSON.stringify(result));
    return bytes <= most ? null : tooLargeMessage(bytes, this.limits.resultOf(name));
  }

  /** @param withoutSecrets what is logged goes through it; undefined: the call has none */
  private failed(name: string, error: unknown, withoutSecrets?: RunStep['withoutSecrets']): Ended {
    const kept = withoutSecrets ?? asItIs;
    if (error instanceof ProtocolFault) return { outcome: 'error', output: error };
    if (error instanceof AppError && error.kind !== 'unavailable') {
      // What callers ask in vain is no fault of the service.
      this.logger.debug({ tool: name, code: error.code, reason: kept(error.message) }, 'A skill refused');
      return ended('error', `The tool ${name} failed: ${error.message}`);
    }
    if (!(error instanceof ExecutionStopped)) {
      const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
      const isQuotingSecrets = kept(stack) !== stack;
      this.logger.warn(
        { tool: name, ...(isQuotingSecrets ? { reason: kept(message) } : { err: error }) },
        'A skill threw',
      );
      return ended('error', `The tool ${name} failed: ${message}`);
    }
    if (error.outcome === 'cancelled') return ended('cancelled', `The call of ${name} was cancelled.`);
    const { value: limitMs, source } = this.limits.timeoutOf(name);
    return ended(
      'timeout',
      `The tool ${name} did not finish within ${limitMs} ms and was stopped. Ask for less at once, or have the ` +
        `administrator raise ${source}.`,
    );
  }
}

const asItIs = <T>(value: T): T => value;

function withoutApproval({ [APPROVAL]: _approval, ...others }: Readonly<JsonObject>): JsonObject {
  return others;
}

const unlisted = (name: string): ToolSubject => ({ name, kind: 'workflow', tags: [], inputSchema: {} });

const denied = (decision: PolicyDecision, name: string): Ended => ({
  ...ended('denied', denialOf(decision, `this call of ${name}`)),
  decision,
});

const ended = (outcome: ToolOutcome, message: string): Ended => ({ outcome, output: failure(message) });

const disabledMessage = (name: string) =>
  `The tool ${name} is disabled: an administrator of this service has switched it off, and can switch it on again under ` +
  'Skills in the admin interface. Do not call it again; use another tool, or tell the user.';

const invalidMessage = (name: string, problems: string[]) =>
  `The arguments do not fit the input schema of ${name}:\n${problems.map((problem) => `- ${problem}`).join('\n')}\n` +
  'Correct them and call again.';

/** Returns what a call that went well has made or changed. */
const resourceOf = (output: Ended['output']): string | null =>
  'structuredContent' in output && !output.isError ? resourceNamedIn(output.structuredContent) : null;

function messageOf(output: Ended['output']): string {
  if (!('content' in output)) return 'message' in output ? output.message : 'no message';
  const [first] = output.content;
  return first?.type === 'text' ? first.text : 'no message';
}
