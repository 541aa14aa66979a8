import type { WrittenFile, WrittenSkill } from '../files/package-draft.rules.js';

/** `open`: an administrator has to decide. `replaced`: its author has proposed something else instead. */
export type ProposalState = 'open' | 'accepted' | 'refused' | 'replaced';

/** A package, or a new version of one, that a client has proposed. Nobody is served it. */
export interface Proposal extends WrittenSkill {
  id: number;
  /** The client that has proposed it, as an owner. */
  author: string;
  proposedAt: Date;
  /** Text files that are added or changed; the others stay. */
  files: readonly WrittenFile[];
}

export const MOST_PROPOSED_FILES = 50;
/** Characters of a text. */
export const LONGEST_PROPOSED = 200_000;
/** Characters of all texts of a proposal. */
export const MOST_PROPOSED = 1_000_000;
/** Proposals of one client in a day. */
export const MOST_IN_A_DAY = 200;
/** Proposals that wait for a decision. */
export const MOST_OPEN = 500;
export const KEPT_DAYS = 30;
