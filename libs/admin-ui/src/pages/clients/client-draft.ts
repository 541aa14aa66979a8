import { changedFields } from '../../components/changed-fields';
import type { Client, ClientBody } from './use-clients';

type Limits = Client['limits'];

/** What the form for a client holds. */
export interface ClientDraft extends Limits {
  note: string;
  groups: string[];
  /** As `datetime-local` inputs have it, in the time of the browser; '' = never. */
  expires: string;
}

export const EMPTY_DRAFT: ClientDraft = {
  note: '',
  groups: [],
  expires: '',
  requestsPerMinute: null,
  calls: null,
  streams: null,
  sessions: null,
};

export const draftOf = ({ note, groups, expiresAt, limits }: Client): ClientDraft => ({
  note,
  groups,
  ...limits,
  expires: expiresAt === null ? '' : toLocal(new Date(expiresAt)),
});

export const toBody = ({ note, groups, expires, ...limits }: ClientDraft) => ({
  note: note.trim(),
  groups,
  limits,
  expiresAt: expires === '' ? null : new Date(expires).toISOString(),
});

/** Returns what a draft changes in a client, and nothing else of it. */
export function toChange(draft: ClientDraft, saved: ClientDraft): ClientBody {
  const [now, before] = [toBody(draft), toBody(saved)];
  const { limits: _limits, ...changed } = changedFields(now, before);
  const limits = changedFields(now.limits, before.limits);
  return { ...changed, ...(Object.keys(limits).length > 0 && { limits }) };
}

/** Returns all of a draft as one text, to compare it with another. */
export const textOf = ({ note, groups, expires, ...limits }: ClientDraft): string =>
  [
    `Groups: ${groups.join(', ')}`,
    `Expires: ${expires === '' ? 'never' : expires}`,
    `Requests a minute: ${limits.requestsPerMinute ?? ''}`,
    `Calls at once: ${limits.calls ?? ''}`,
    `Open streams: ${limits.streams ?? ''}`,
    `Sessions: ${limits.sessions ?? ''}`,
    '',
    note,
  ].join('\n');

/** Returns a time as `datetime-local` inputs have it: without its offset, to the second. */
function toLocal(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}
