import { Injectable, Logger } from '@nestjs/common';
import {
  type Client,
  isFollowRun,
  isInputRequired,
  type JsonObject,
  type Parsed,
  ProtocolFault,
  type SkillDefinition,
  type SkillOutput,
  type SkillResult,
} from '#skill-kit';
import { DatabaseUnavailable } from '../../platform/database/database.errors.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { PolicyDecision } from '../../platform/events/app-events.js';
import { cancelledMessage, contradictsMessage, failedMessage, timeoutMessage } from './call-messages.js';
import { APPROVAL, keepApproval, nextOf } from './approval.js';
import { type Patience, SchemaChecks } from './schema-checks.service.js';
import { type CallContext, type Ended, ended } from './skill-call.js';
import { tooLargeMessage, ToolLimitsService } from './skill-catalogue.service.js';
import { ExecutionStopped, executeWithin, toSkillResult } from './skill-execution.js';

const NONE: readonly string[] = [];

/** Executes skills within their limits, and reports how each call has ended. */
@Injectable()
export class SkillExecutor {
  private readonly logger = new Logger(SkillExecutor.name);

  constructor(
    private readonly limits: ToolLimitsService,
    private readonly checks: SchemaChecks,
  ) {}

  /** Returns the arguments in the handler's form, or their problems; or the end of the call if it was stopped meanwhile. */
  async parseElsewhere(skill: SkillDefinition, args: JsonObject, context: CallContext): Promise<Parsed | Ended> {
    try {
      return await this.checks.parseElsewhere(skill.inputSchema, args, this.patienceOf(skill, context));
    } catch (error) {
      return this.stopped(skill, context, error);
    }
  }

  /** @param isUnlimited true to ignore the time limit @throws ExecutionStopped, and the errors of the skill */
  execute(
    client: Client,
    skill: SkillDefinition,
    input: object,
    context: CallContext,
    { isUnlimited }: { isUnlimited: boolean },
  ): Promise<SkillOutput> {
    const limitMs = isUnlimited ? null : this.limits.timeoutOf(skill.name).value;
    return executeWithin(limitMs, context.signal, skill, input, { ...context, client });
  }

  /** Continues a call that needs confirmation, in a step of the run that makes it: asks, refuses, or makes the call. */
  async confirmed(
    client: Client,
    skill: SkillDefinition,
    { input, decision }: { input: object; decision: PolicyDecision },
    context: CallContext,
    proceed: (context: CallContext) => Promise<SkillOutput>,
  ): Promise<Ended> {
    const { answers, state } = context;
    const { approval, userMayApprove } = decision;
    const call = { client: client.name, tool: skill.name, input, question: approval ?? '', userMayApprove };
    const next = nextOf({ call, answers, state, nowMs: Date.now(), limitMinutes: this.limits.approvalMinutes() });
    switch (next.kind) {
      case 'refused':
        return ended('denied', next.message);
      case 'ask':
        return { outcome: 'ok', output: next.question, isReportedByRun: true };
      case 'granted': {
        const resumed = { ...context, answers: withoutApproval(answers), state: next.state };
        const made = await this.outcome(skill, context, () => proceed(resumed));
        const output = isInputRequired(made.output)
          ? keepApproval(made.output, call, next.by, Date.now())
          : made.output;
        return { ...made, output, approvedBy: next.by };
      }
    }
  }

  /** Runs the work of a call, and converts its result or error to the end of the call. */
  async outcome(skill: SkillDefinition, context: CallContext, work: () => Promise<SkillOutput>): Promise<Ended> {
    try {
      return await this.endedWith(skill, await work(), context);
    } catch (error) {
      return this.stopped(skill, context, error);
    }
  }

  private stopped({ name }: SkillDefinition, { signal, step, withoutSecrets }: CallContext, error: unknown): Ended {
    // Work that waits for a run or a check rejects with the reason of the caller's signal.
    const isCancelled = signal.aborted && error === signal.reason;
    const failed = this.failed(name, isCancelled ? new ExecutionStopped('cancelled') : error, withoutSecrets);
    // The run waits until the database can be used, and executes the step again.
    return step !== null && error instanceof DatabaseUnavailable ? { ...failed, output: error } : failed;
  }

  private patienceOf({ name }: SkillDefinition, { signal }: CallContext): Patience {
    return { signal, limitMs: this.limits.timeoutOf(name).value };
  }

  private async endedWith(skill: SkillDefinition, output: SkillOutput, context: CallContext): Promise<Ended> {
    if (isInputRequired(output) || isFollowRun(output)) return { outcome: 'ok', output };
    const result = toSkillResult(output);
    const problems = result.isError
      ? NONE
      : await this.checks.outputProblems(skill, result.structuredContent, this.patienceOf(skill, context));
    if (problems.length > 0) return ended('error', contradictsMessage(skill.name, result.structuredContent, problems));
    const tooLarge = this.tooLarge(skill.name, result);
    if (tooLarge !== null) return ended('error', tooLarge);
    return { outcome: result.isError ? 'error' : 'ok', output: result };
  }

  /** Returns an error for a result above the tool's own limit; else null. Without such a limit, the endpoint checks the size. */
  private tooLarge(name: string, result: SkillResult): string | null {
    const most = this.limits.ownResultOf(name);
    if (most === null) return null;
    const bytes = Buffer.byteLength(JSON.stringify(result));
    return bytes <= most ? null : tooLargeMessage(bytes, this.limits.resultOf(name));
  }

  /** @param withoutSecrets redacts logged data; undefined = the call has no secrets */
  private failed(name: string, error: unknown, withoutSecrets?: CallContext['withoutSecrets']): Ended {
    const kept = withoutSecrets ?? asItIs;
    if (error instanceof ProtocolFault) return { outcome: 'error', output: error };
    if (error instanceof AppError && error.kind !== 'unavailable') {
      // A request that cannot succeed is not a fault of the service.
      this.logger.debug({ tool: name, code: error.code, reason: kept(error.message) }, 'A skill refused');
      return ended('error', failedMessage(name, error.message));
    }
    if (!(error instanceof ExecutionStopped)) {
      const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
      const isQuotingSecrets = kept(stack) !== stack;
      this.logger.warn(
        { tool: name, ...(isQuotingSecrets ? { reason: kept(message) } : { err: error }) },
        'A skill threw',
      );
      return ended('error', failedMessage(name, message));
    }
    if (error.outcome === 'cancelled') return ended('cancelled', cancelledMessage(name));
    const { value: limitMs, source } = this.limits.timeoutOf(name);
    return ended('timeout', timeoutMessage(name, limitMs, source));
  }
}

const asItIs = <T>(value: T): T => value;

function withoutApproval({ [APPROVAL]: _approval, ...others }: Readonly<JsonObject>): JsonObject {
  return others;
}
