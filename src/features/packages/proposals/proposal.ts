import type { WrittenFile, WrittenSkill } from '../files/package-draft.rules.js';

/** `open`: an administrator has to decide. `replaced`: by another proposal of the author. */
export type ProposalState = 'open' | 'accepted' | 'refused' | 'replaced';

/** A package, or a new version of one, proposed by a client. It is served to nobody. */
export interface Proposal extends WrittenSkill {
  id: number;
  /** The proposing client, as an owner. */
  author: string;
  proposedAt: Date;
  /** Added or changed text files; others are kept. */
  files: readonly WrittenFile[];
}

export const MOST_PROPOSED_FILES = 50;
/** Maximum characters of one text. */
export const LONGEST_PROPOSED = 200_000;
/** Maximum characters of all texts of a proposal. */
export const MOST_PROPOSED = 1_000_000;
/** Maximum proposals of one client per day. */
export const MOST_IN_A_DAY = 200;
export const MOST_OPEN = 500;
export const KEPT_DAYS = 30;
