/**
 * The state of a response:
 * - pending: nothing has been sent yet.
 * - streaming: it is an open stream of Server-Sent Events.
 * - padding: it is slow JSON, kept alive by white space.
 * - detached: its stream has no connection, but the client may resume it.
 * - ended: nothing more will be sent.
 */
export type ExchangeState = 'pending' | 'streaming' | 'padding' | 'detached' | 'ended';

/** The states that may follow each state. */
export const NEXT = {
  pending: ['streaming', 'padding', 'ended'],
  streaming: ['detached', 'ended'],
  padding: ['ended'],
  detached: ['streaming', 'ended'],
  ended: [],
} as const satisfies Record<ExchangeState, readonly ExchangeState[]>;

/** Returns the next state. @throws Error when the transition is not allowed */
export function follow(state: ExchangeState, next: ExchangeState): ExchangeState {
  const allowed: readonly ExchangeState[] = NEXT[state];
  if (!allowed.includes(next)) throw new Error(`an exchange that is ${state} cannot become ${next}`);
  return next;
}
