import { createHash } from 'node:crypto';
import { elicit, type InputRequired, inputRequired, type JsonObject } from '#skill-kit';

/** Under which key a person is asked whether a call may be made. */
export const APPROVAL = 'policy-approval';
const APPROVAL_STEP = new RegExp(`\\?${APPROVAL}(!\\d+)?$`);
/** Who "answers" when nobody has in time: no account and no client can be called that. */
export const NOBODY = '(nobody)';
/** How many characters of the arguments are shown. */
const LONGEST_SHOWN = 4_000;
const MINUTE_MS = 60_000;

/** Returns whether a step of a run waits until a person has confirmed a call. */
export const isApprovalStep = (step: string): boolean => APPROVAL_STEP.test(step);

/** A call that a person must confirm. */
export interface ApprovedCall {
  client: string;
  tool: string;
  /** As the tool will get them. */
  input: object;
  /** What the policies say that the person is asked. */
  question: string;
  /** Whether the user of the client may confirm it. */
  userMayApprove: boolean;
}

/** What is known when a call, or its next round, begins. */
export interface ApprovalRound {
  call: ApprovedCall;
  /** The answers and the state of the round before. */
  answers: Readonly<JsonObject>;
  state: unknown;
  nowMs: number;
  limitMinutes: number;
}

/** How a call continues. */
export type ApprovalOutcome =
  | { kind: 'ask'; question: InputRequired }
  | { kind: 'granted'; by: string; /** The state that the skill itself left in the round before. */ state: unknown }
  | { kind: 'refused'; message: string };

/** What the run keeps between the rounds of a call that a person must confirm. */
interface ApprovalState {
  approval: {
    /** Identifies the call, with its arguments, and the question. */
    call: string;
    askedAtMs: number;
    by: string | null; // null = nobody has answered yet
  };
  inner: unknown;
}

/** Decides how a call continues that a person must confirm. An answer counts only for the call that was shown. */
export function nextOf(round: ApprovalRound): ApprovalOutcome {
  const { call, answers, state, nowMs } = round;
  const known = isApprovalState(state) && state.approval.call === identityOf(call) ? state : null;
  if (!known) return { kind: 'ask', question: questionOf(call, nowMs) };
  if (known.approval.by !== null) return { kind: 'granted', by: known.approval.by, state: known.inner ?? undefined };
  const answer = Object.hasOwn(answers, APPROVAL) ? (answers[APPROVAL] as { action?: unknown; by?: unknown }) : null;
  if (!answer) return { kind: 'ask', question: questionOf(call, nowMs) };
  const by = typeof answer.by === 'string' ? answer.by : 'somebody';
  if (by === NOBODY || nowMs - known.approval.askedAtMs > round.limitMinutes * MINUTE_MS)
    return refused(call, 'nobody confirmed it in time');
  if (answer.action !== 'accept') return refused(call, `${by} has not confirmed it`);
  return { kind: 'granted', by, state: undefined };
}

/** Returns what a skill asks after its call was confirmed, so that nobody is asked to confirm it again. */
export function keepApproval(asked: InputRequired, call: ApprovedCall, by: string, nowMs: number): InputRequired {
  const state: ApprovalState = {
    approval: { call: identityOf(call), askedAtMs: nowMs, by },
    inner: asked.state ?? null,
  };
  return inputRequired({ ...asked, state });
}

function questionOf(call: ApprovedCall, nowMs: number): InputRequired {
  const { client, tool, input, question, userMayApprove } = call;
  const args = JSON.stringify(input, null, 2);
  const shown =
    args.length <= LONGEST_SHOWN ? args : `${args.slice(0, LONGEST_SHOWN).toWellFormed()}… (${args.length} characters)`;
  const message = `${question}\n\n${client} calls ${tool} with ${shown}`;
  const state: ApprovalState = { approval: { call: identityOf(call), askedAtMs: nowMs, by: null }, inner: null };
  const asked = { ...elicit(message, { type: 'object', properties: {} }), notCaller: !userMayApprove };
  return inputRequired({ inputRequests: { [APPROVAL]: asked }, state });
}

const refused = ({ tool }: ApprovedCall, why: string): ApprovalOutcome => ({
  kind: 'refused',
  message: `Not allowed: a person must confirm this call of ${tool}, and ${why}. Do not repeat it without asking.`,
});

/** The order of properties is part of it: a confirmed call has the very arguments that were shown. */
const identityOf = ({ client, tool, input, question, userMayApprove }: ApprovedCall): string =>
  createHash('sha256')
    .update(JSON.stringify([client, tool, input, question, userMayApprove]))
    .digest('base64url');

function isApprovalState(state: unknown): state is ApprovalState {
  return typeof state === 'object' && state !== null && 'approval' in state && 'inner' in state;
}
