import type { AuditKind } from './audit-entry.js';
import { bodiesIn, type JoinedBodies } from './audit-bodies.js';
import { textOf } from './audit-body.rules.js';
import { compared, factsOf, parsedRecord, searchTextOf } from './audit-record.rules.js';

/** A filter of entries; omitted members match anything. */
export interface AuditFilter {
  kind?: AuditKind | undefined;
  client?: string | undefined;
  /** A client whose entries do not match. */
  exceptClient?: string | undefined;
  admin?: string | undefined;
  /** The subject: a tool name, a URI, and so on. */
  subject?: string | undefined;
  outcome?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** A text that the subject, names, message, arguments or states contain, case-insensitively. */
  q?: string | undefined;
}

/** A place in the order of lists: by time, then by place in the chain. */
export interface EntryPlace {
  /** ISO 8601. */
  at: string;
  seq: number;
}

interface FoundEntry extends EntryPlace {
  /** Index of its batch in the job. */
  batch: number;
  /** The record as it is stored. */
  json: string;
}

/** A job that finds the newest entries of some batches that match a filter. */
export interface SearchJob {
  bodies: JoinedBodies;
  /** The number of the first entry of each batch. */
  firstSeqs: readonly number[];
  filter: AuditFilter;
  /** Only entries after this place in the list; null = all. */
  before: EntryPlace | null;
  limit: number;
}

export interface SearchResult {
  /** Newest first. */
  found: FoundEntry[];
  /** Indexes of the batches whose text cannot be read. */
  unreadable: number[];
}

/** Returns the newest matching entries of batches. */
export function searchBatches({ bodies, firstSeqs, filter, before, limit }: SearchJob): SearchResult {
  const { mayFit, fits } = testsOf(filter);
  const [from, to] = [filter.from?.toISOString() ?? '', filter.to?.toISOString() ?? LATEST];
  let found: FoundEntry[] = [];
  let last: EntryPlace | null = null; // of the kept entries, once there are enough
  const unreadable: number[] = [];
  for (const [batch, body] of bodiesIn(bodies).entries()) {
    const text = textOf(body);
    if (text === null) unreadable.push(batch);
    if (text === null || !mayFit(text)) continue;
    const lines = text.split('\n');
    // Newest first, so that most others are known to be too old.
    for (const [index, json] of lines.reverse().entries()) {
      const place = { at: timeOf(json), seq: (firstSeqs[batch] ?? 0) + lines.length - 1 - index };
      if (place.at < from || place.at >= to || (last && isListedBefore(last, place))) continue;
      if (before && !isListedBefore(before, place)) continue;
      if (!mayFit(json) || !fits(json)) continue;
      found.push({ ...place, batch, json });
      if (found.length < 2 * limit) continue;
      found = newest(found, limit);
      last = found.at(-1) ?? null;
    }
  }
  return { found: newest(found, limit), unreadable };
}

export const newest = <Entry extends EntryPlace>(entries: readonly Entry[], limit: number): Entry[] =>
  entries.toSorted((left, right) => (isListedBefore(left, right) ? -1 : 1)).slice(0, limit);

/** Returns whether one place comes before another in lists, which are newest first. */
export const isListedBefore = (one: EntryPlace, other: EntryPlace): boolean =>
  one.at === other.at ? one.seq > other.seq : one.at > other.at;

const LATEST = '~'; // after all digits

const BEFORE_TIME = '{"v":1,"at":"';
const TIME_LENGTH = 24;

/** Returns the time of a record, with which records begin; empty for text that the log has not written. */
const timeOf = (json: string): string =>
  json.startsWith(BEFORE_TIME)
    ? json.slice(BEFORE_TIME.length, BEFORE_TIME.length + TIME_LENGTH)
    : (parsedRecord(json)?.at ?? '');

interface Tests {
  /** Returns whether a record of the text might match. It never rejects a text that has a match. */
  mayFit: (text: string) => boolean;
  /** Returns whether a record matches. */
  fits: (json: string) => boolean;
}

/** Returns the tests of a filter, without its times: a quick one for whole texts and records, and one that parses a record. */
function testsOf(filter: AuditFilter): Tests {
  const { kind, client, exceptClient, admin, outcome, q } = filter;
  const subject = filter.subject === undefined ? undefined : compared(filter.subject);
  const wanted = Object.entries({ kind, client, admin, subject, outcome }).filter(([, value]) => value !== undefined);
  const query = q?.toLowerCase() ?? '';
  if (wanted.length === 0 && exceptClient === undefined && query === '')
    return { mayFit: () => true, fits: () => true };
  const members = wanted.map(([name, value]) => beginningOf(name, value ?? ''));
  const words = longestPlain(query);
  return {
    mayFit: (text) =>
      members.every((member) => text.includes(member)) && (words === '' || text.toLowerCase().includes(words)),
    fits: (json) => {
      const record = parsedRecord(json);
      if (!record) return false;
      const facts = factsOf(record);
      return (
        wanted.every(([name, value]) => Reflect.get(facts, name) === value) &&
        (exceptClient === undefined || facts.client !== exceptClient) &&
        searchTextOf(record).includes(query)
      );
    },
  };
}

const SURE_CHARACTERS = 100;

/** A text that each record with this member contains: not the whole value, because a subject may be cut. */
const beginningOf = (name: string, value: string): string =>
  value.length > SURE_CHARACTERS
    ? `"${name}":${JSON.stringify(value.slice(0, SURE_CHARACTERS).toWellFormed())
        .slice(0, -1)
        .replace(/\ufffd$/, '')}`
    : `"${name}":${JSON.stringify(value)}`;

/** Returns the longest part of a text that JSON does not escape. */
const longestPlain = (text: string): string =>
  text.split(/["\\\p{Cc}\p{Cs}]/u).reduce((longest, part) => (part.length > longest.length ? part : longest), '');
