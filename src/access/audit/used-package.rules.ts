import type { AuditEntry } from './audit-entry.js';

const PACKAGE_NAME = /^[a-z0-9-]{1,64}$/;
const PACKAGE_URI = /^skill:\/\/([a-z0-9-]{1,64})(?:\/|$)/i;

/** Returns the name of the skill package that was used: read by a tool, as a resource or as a prompt; null = none. */
export function packageUsedBy({ kind, subject, resource, arguments: args, outcome }: AuditEntry): string | null {
  if (outcome !== 'ok') return null;
  if (kind === 'read') return packageAt(subject);
  if (kind === 'prompt') return packageAt(resource);
  if (kind !== 'call' || subject !== 'skill_read') return null;
  const { name } = Object(args) as { name?: unknown };
  return typeof name === 'string' && PACKAGE_NAME.test(name) ? name : null;
}

const packageAt = (uri: string | null | undefined): string | null =>
  PACKAGE_URI.exec(uri ?? '')?.[1]?.toLowerCase() ?? null;
