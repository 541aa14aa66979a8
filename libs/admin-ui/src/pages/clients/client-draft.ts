import type { Client, ClientBody } from './use-clients';

/** What the form for a client holds. */
export interface ClientDraft {
  note: string;
  groups: string[];
  /** As `datetime-local` inputs have it, in the time of the browser; '' = never. */
  expires: string;
  limits: Client['limits'];
}

export const EMPTY_DRAFT: ClientDraft = {
  note: '',
  groups: [],
  expires: '',
  limits: { requestsPerMinute: null, calls: null, streams: null, sessions: null },
};

export const draftOf = ({ note, groups, expiresAt, limits }: Client): ClientDraft => ({
  note,
  groups,
  limits,
  expires: expiresAt === null ? '' : toLocal(new Date(expiresAt)),
});

export const toBody = ({ note, groups, expires, limits }: ClientDraft): ClientBody => ({
  note: note.trim(),
  groups,
  limits,
  expiresAt: expires === '' ? null : new Date(expires).toISOString(),
});

/** Returns a time as `datetime-local` inputs have it: without its offset, to the second. */
function toLocal(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}
