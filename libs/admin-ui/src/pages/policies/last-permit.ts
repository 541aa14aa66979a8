import type { Policy } from './use-policies';

/** Returns whether a policy is the last one that permits anything: without it, everything is denied. */
export const isLastPermit = (policies: readonly Policy[], name: string): boolean => {
  const permits = policies.filter(({ effect, enabled }) => enabled && effect === 'permit');
  return permits.length === 1 && permits[0]?.name === name;
};

export const NOTHING_LEFT =
  'No other policy permits anything, and what no policy permits is refused: every client loses access at once.';
