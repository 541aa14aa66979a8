import type { Schemas } from '../../api/client';

export type AuditEntry = Schemas['AuditItemView'];
type Kind = AuditEntry['kind'];

/** Labels of the kinds of entries. */
export const KINDS: Record<Kind, string> = {
  call: 'Call',
  read: 'Read of a resource',
  prompt: 'Prompt',
  wrong_key: 'Refused key',
  login: 'Login',
  logout: 'Logout',
  login_failed: 'Failed login',
  webhook_refused: 'Refused webhook message',
  change: 'Change',
  gap: 'Missing entries',
  retention: 'Deletion of old entries',
};

/** Returns the label of an operation, such as "Create policy" for `createPolicy`. */
export function changeInWords(operationId: string): string {
  const words = operationId.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A filter of entries; omitted members match anything. */
export interface AuditFilter {
  kind?: Kind;
  client?: string;
  actor?: string;
  tool?: string;
  outcome?: string;
  from?: string;
  to?: string;
  q?: string;
}

const TEXTS = ['client', 'actor', 'tool', 'outcome', 'q'] as const;
const TIMES = ['from', 'to'] as const;

/** Reads the filter from the URL; times are in the browser's local time (`2026-01-31T08:30`). */
export function filterOf(params: URLSearchParams): AuditFilter {
  const filter: AuditFilter = {};
  const kind = params.get('kind');
  if (kind !== null && isKind(kind)) filter.kind = kind;
  for (const name of TEXTS) {
    const text = params.get(name);
    if (text) filter[name] = text;
  }
  for (const name of TIMES) {
    const time = new Date(params.get(name) ?? '');
    if (!Number.isNaN(time.getTime())) filter[name] = time.toISOString();
  }
  return filter;
}

/** Returns the path for downloading the entries that match a filter. */
export function exportPath(filter: AuditFilter): string {
  const query = new URLSearchParams(Object.entries(filter)).toString();
  return `/admin/api/audit/export${query && `?${query}`}`;
}

const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text);
