import type {
  FollowRun,
  InputRequired,
  JsonObject,
  ProtocolFault,
  SkillContext,
  SkillDefinition,
  SkillOutput,
  SkillResult,
} from '#skill-kit';
import { type Client, failure } from '#skill-kit';
import type { AppError } from '../../platform/errors/app-error.js';
import type { PolicyDecision, ToolOutcome } from '../../platform/events/app-events.js';

/** The part of a skill's context that the caller provides. */
export type CallContext = Omit<SkillContext, 'client'> & {
  /** Whether a language model that the service asks has decided on the call. Absent: no. */
  isDecidedByModel?: boolean;
};

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

export interface Ended {
  outcome: ToolOutcome;
  output: CallOutput | ProtocolFault | AppError;
  /** Absent: policy was not asked. */
  decision?: PolicyDecision;
  /** Who confirmed the call; absent: nobody. */
  approvedBy?: string;
  /** Whether a run tells how the call ended, which asks for it to be confirmed: then it is one call, and told once. */
  isToldByRun?: boolean;
}

/** Returns how a call ends that its model is told about. */
export const ended = (outcome: ToolOutcome, message: string): Ended => ({ outcome, output: failure(message) });
