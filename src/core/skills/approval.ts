import { createHash } from 'node:crypto';
import { elicit, type InputRequired, inputRequired, type JsonObject } from '#skill-kit';

/** The key of the question whether a call may be made. */
export const APPROVAL = 'policy-approval';
const APPROVAL_STEP = new RegExp(`\\?${APPROVAL}(!\\d+)?$`);
/** The "responder" after a timeout: no account or client can have this name. */
export const NOBODY = '(nobody)';
/** Maximum length of the displayed arguments. */
const LONGEST_SHOWN = 4_000;
const MINUTE_MS = 60_000;
/** Characters that hide or reorder others where arguments are displayed, except line breaks of the JSON. */
const DECEPTIVE = /[\p{Cf}\p{Zl}\p{Zp}\x7f-\x9f]/gu;

/** Returns whether a step of a run waits for a person to confirm a call. */
export const isApprovalStep = (step: string): boolean => APPROVAL_STEP.test(step);

/** A call that a person must confirm. */
export interface ApprovedCall {
  client: string;
  tool: string;
  /** In the form that the tool will get. */
  input: object;
  /** The question to the person, from the policies. */
  question: string;
  /** True when the user of the client may confirm it. */
  userMayApprove: boolean;
}

/** The state at the start of a call, or of its next round. */
export interface ApprovalRound {
  call: ApprovedCall;
  /** The answers and the state from the previous round. */
  answers: Readonly<JsonObject>;
  state: unknown;
  nowMs: number;
  limitMinutes: number;
}

/** How a call continues. */
export type ApprovalOutcome =
  | { kind: 'ask'; question: InputRequired }
  | { kind: 'granted'; by: string; /** The skill's own state from the previous round. */ state: unknown }
  | { kind: 'refused'; message: string };

/** The run's state between the rounds of a call that a person must confirm. */
interface ApprovalState {
  approval: {
    /** Identifies the call, its arguments, and the question. */
    call: string;
    askedAtMs: number;
    by: string | null; // null = nobody has answered yet
  };
  inner: unknown;
}

/** Decides how a call that needs confirmation continues. An answer counts only for the call that was shown. */
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

/** Adds the confirmation to a skill's own questions, so that nobody is asked to confirm the call again. */
export function keepApproval(asked: InputRequired, call: ApprovedCall, by: string, nowMs: number): InputRequired {
  const state: ApprovalState = {
    approval: { call: identityOf(call), askedAtMs: nowMs, by },
    inner: asked.state ?? null,
  };
  return inputRequired({ ...asked, state });
}

function questionOf(call: ApprovedCall, nowMs: number): InputRequired {
  const { client, tool, input, question, userMayApprove } = call;
  const args = JSON.stringify(input, null, 2).replaceAll(DECEPTIVE, escaped);
  const shown =
    args.length <= LONGEST_SHOWN ? args : `${args.slice(0, LONGEST_SHOWN).toWellFormed()}… (${args.length} characters)`;
  const message = `${question}\n\n${client} calls ${tool} with ${shown}`;
  const state: ApprovalState = { approval: { call: identityOf(call), askedAtMs: nowMs, by: null }, inner: null };
  const asked = { ...elicit(message, { type: 'object', properties: {} }), notCaller: !userMayApprove };
  return inputRequired({ inputRequests: { [APPROVAL]: asked }, state });
}

/** Writes text with the escapes of JSON. */
const escaped = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

const refused = ({ tool }: ApprovedCall, why: string): ApprovalOutcome => ({
  kind: 'refused',
  message: `Not allowed: a person must confirm this call of ${tool}, and ${why}. Do not repeat it without asking.`,
});

/** Property order matters: a confirmed call has exactly the arguments that were shown. */
const identityOf = ({ client, tool, input, question, userMayApprove }: ApprovedCall): string =>
  createHash('sha256')
    .update(JSON.stringify([client, tool, input, question, userMayApprove]))
    .digest('base64url');

function isApprovalState(state: unknown): state is ApprovalState {
  return typeof state === 'object' && state !== null && 'approval' in state && 'inner' in state;
}
