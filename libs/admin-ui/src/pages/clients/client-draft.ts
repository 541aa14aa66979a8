import type { Client, ClientBody } from './use-clients';

/** What the form for a client holds. */
export interface ClientDraft {
  note: string;
  groups: string[];
  /** As `datetime-local` inputs have it, in the time of the browser; '' = never. */
  expires: string;
}

export const EMPTY_DRAFT: ClientDraft = { note: '', groups: [], expires: '' };

export const draftOf = ({ note, groups, expiresAt }: Client): ClientDraft => ({
  note,
  groups,
  expires: expiresAt === null ? '' : toLocal(new Date(expiresAt)),
});

export const toBody = ({ note, groups, expires }: ClientDraft): ClientBody => ({
  note: note.trim(),
  groups,
  expiresAt: expires === '' ? null : new Date(expires).toISOString(),
});

/** Returns a time as `datetime-local` inputs have it: without its offset, to the second. */
function toLocal(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}
