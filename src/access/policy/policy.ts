import { createHash } from 'node:crypto';
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

/** Returns what tells whether a policy decides as it did: its text, and whether it is in force. */
export const versionOf = ({ policy, enabled }: Pick<StoredPolicy, 'policy' | 'enabled'>): string =>
  createHash('sha256')
    .update(JSON.stringify([policy, enabled]))
    .digest('base64url');

/** How many policies there may be, and how many characters one may have. */
export const MOST_POLICIES = 1_000;
export const LONGEST_POLICY = 10_000;
