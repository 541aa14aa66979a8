import type { PolicyJson } from '#cedar';

/** A policy as it is stored. */
export interface StoredPolicy {
  name: string;
  /** One policy in the Cedar language. */
  policy: string;
  compiled: PolicyJson;
  enabled: boolean;
  createdAt: Date;
  updatedAt: Date;
  /** Name of the administrator; empty when nobody has changed it. */
  updatedBy: string;
}

/** What an administrator saves. */
export type NewPolicy = Omit<StoredPolicy, 'createdAt'>;

/** How many policies there may be, and how many characters one may have. */
export const MOST_POLICIES = 1_000;
export const LONGEST_POLICY = 10_000;
