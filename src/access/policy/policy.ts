import { createHash } from 'node:crypto';
import type { PolicyJson } from '#cedar';

export interface StoredPolicy {
  name: string;
  /** One policy in the Cedar language. */
  policy: string;
  compiled: PolicyJson;
  enabled: boolean;
  createdAt: Date;
  updatedAt: Date;
  /** Name of the administrator; empty = never changed. */
  updatedBy: string;
}

export type NewPolicy = Omit<StoredPolicy, 'createdAt'>;

/** Returns a hash of what a policy decides by: its text, and whether it is enabled. */
export const versionOf = ({ policy, enabled }: Pick<StoredPolicy, 'policy' | 'enabled'>): string =>
  createHash('sha256')
    .update(JSON.stringify([policy, enabled]))
    .digest('base64url');

/** Maximum number of policies, and of characters in one policy. */
export const MOST_POLICIES = 1_000;
export const LONGEST_POLICY = 10_000;
