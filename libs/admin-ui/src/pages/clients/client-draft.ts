import { changedFields } from '../../components/changed-fields';
import { areNumbers, readNumber, textOfNumber } from '../../json-schema/number';
import type { Client, ClientBody } from './use-clients';

/** The limits as entered; '' = the global one. */
export type LimitDraft = Record<keyof Client['limits'], string>;

/** The draft of the form for a client. */
export interface ClientDraft extends LimitDraft {
  note: string;
  groups: string[];
  /** In the format of `datetime-local` inputs, in the browser's local time; '' = never. */
  expires: string;
}

export const EMPTY_DRAFT: ClientDraft = {
  note: '',
  groups: [],
  expires: '',
  requestsPerMinute: '',
  calls: '',
  streams: '',
  sessions: '',
};

export const draftOf = ({ note, groups, expiresAt, limits }: Client): ClientDraft => ({
  note,
  groups,
  requestsPerMinute: textOfNumber(limits.requestsPerMinute),
  calls: textOfNumber(limits.calls),
  streams: textOfNumber(limits.streams),
  sessions: textOfNumber(limits.sessions),
  expires: expiresAt === null ? '' : toLocal(new Date(expiresAt)),
});

export const toBody = ({ note, groups, expires, ...limits }: ClientDraft) => ({
  note: note.trim(),
  groups,
  limits: {
    requestsPerMinute: readNumber(limits.requestsPerMinute),
    calls: readNumber(limits.calls),
    streams: readNumber(limits.streams),
    sessions: readNumber(limits.sessions),
  },
  expiresAt: expires === '' ? null : toIso(expires),
});

export const isReadable = ({ requestsPerMinute, calls, streams, sessions }: LimitDraft): boolean =>
  areNumbers(requestsPerMinute, calls, streams, sessions);

/** Returns only the changes of a draft to a client. */
export function toChange(draft: ClientDraft, saved: ClientDraft): ClientBody {
  const [now, before] = [toBody(draft), toBody(saved)];
  const { limits: _limits, ...changed } = changedFields(now, before);
  const limits = changedFields(now.limits, before.limits);
  return { ...changed, ...(Object.keys(limits).length > 0 && { limits }) };
}

/** Returns a draft as one text, for comparing it with another. */
export const textOf = ({ note, groups, expires, ...limits }: ClientDraft): string =>
  [
    `Groups: ${groups.join(', ')}`,
    `Expires: ${expires === '' ? 'never' : expires}`,
    `Requests a minute: ${limits.requestsPerMinute}`,
    `Calls at once: ${limits.calls}`,
    `Open streams: ${limits.streams}`,
    `Sessions: ${limits.sessions}`,
    '',
    note,
  ].join('\n');

/** Returns the entered time; an invalid one, such as a year 20270, unchanged, so that the service refuses it. */
function toIso(entered: string): string {
  const at = new Date(entered);
  return Number.isNaN(at.getTime()) ? entered : at.toISOString();
}

/** Returns a time in the format of `datetime-local` inputs: without offset, to the second. */
function toLocal(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}
