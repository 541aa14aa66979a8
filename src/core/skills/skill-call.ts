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
  /** True when a language model that the service uses has decided to make the call. Absent = no. */
  isDecidedByModel?: boolean;
};

/** Turns calls of long skills into durable runs. */
export interface LongCalls {
  /**
   * Starts a run that calls the skill. Returns its result if it completes soon, its questions to the caller, or `followRun(...)`.
   * @param args the caller's arguments, which fit the input schema
   */
  run(client: Client, skill: SkillDefinition, args: JsonObject, context: CallContext): Promise<SkillOutput>;
}

/** A caller's state between two rounds of a call that has become a run. */
export interface RunState {
  runId: string;
  /** How often the call has asked its caller; absent = never. */
  rounds?: number;
}

export function isRunState(state: unknown): state is RunState {
  return typeof state === 'object' && state !== null && 'runId' in state && typeof state.runId === 'string';
}

/** The end of a call: its result, questions to the caller, or the run as which its work continues. */
export type CallOutput = SkillResult | InputRequired | FollowRun;

export interface Ended {
  outcome: ToolOutcome;
  output: CallOutput | ProtocolFault | AppError;
  /** Absent = policy was not consulted. */
  decision?: PolicyDecision;
  /** The person who confirmed the call; absent = nobody. */
  approvedBy?: string;
  /** True when the run reports the end of the call, for which it asks confirmation: it is one call, reported once. */
  isReportedByRun?: boolean;
}

/** Ends a call with a message to the model. */
export const ended = (outcome: ToolOutcome, message: string): Ended => ({ outcome, output: failure(message) });
