import type { AuditKind } from './audit-entry.js';
import { bodiesIn, type JoinedBodies } from './audit-bodies.js';
import { textOf } from './audit-body.rules.js';
import { compared, factsOf, parsedRecord, searchTextOf } from './audit-record.rules.js';

/** Which entries are listed; what is left out does not matter. */
export interface AuditFilter {
  kind?: AuditKind | undefined;
  client?: string | undefined;
  admin?: string | undefined;
  /** Name of a tool, a URI, or what else the subject is. */
  subject?: string | undefined;
  outcome?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** A text that subject, names, message, arguments or states contain, in upper or lower case. */
  q?: string | undefined;
}

/** A place in the order of lists, which is that of time, and of the chain for entries of the same time. */
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

/** Asks for the newest entries of some batches that fit a filter. */
export interface SearchJob {
  bodies: JoinedBodies;
  /** The number of the first entry of each batch. */
  firstSeqs: readonly number[];
  filter: AuditFilter;
  /** Only entries that are listed after this place; null = all. */
  before: EntryPlace | null;
  limit: number;
}

export interface SearchResult {
  /** The newest first. */
  found: FoundEntry[];
  /** Indexes of the batches whose text cannot be read. */
  unreadable: number[];
}

/** Returns the newest entries of batches that fit. */
export function searchBatches({ bodies, firstSeqs, filter, before, limit }: SearchJob): SearchResult {
  const { mayFit, fits } = testsOf(filter);
  const [from, to] = [filter.from?.toISOString() ?? '', filter.to?.toISOString() ?? LATEST];
  let found: FoundEntry[] = [];
  let last: EntryPlace | null = null; // of those that are kept, once there are enough
  const unreadable: number[] = [];
  for (const [batch, body] of bodiesIn(bodies).entries()) {
    const text = textOf(body);
    if (text === null) unreadable.push(batch);
    if (text === null || !mayFit(text)) continue;
    const lines = text.split('\n');
    // From the newest on, so that most others are known to be too old.
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

/** Returns the first entries of lists, the newest first. */
export const newest = <Entry extends EntryPlace>(entries: readonly Entry[], limit: number): Entry[] =>
  entries.toSorted((left, right) => (isListedBefore(left, right) ? -1 : 1)).slice(0, limit);

/** Whether lists have one place before another: the newer first. */
export const isListedBefore = (one: EntryPlace, other: EntryPlace): boolean =>
  one.at === other.at ? one.seq > other.seq : one.at > other.at;

const LATEST = '~'; // after all digits

const BEFORE_TIME = '{"v":1,"at":"';
const TIME_LENGTH = 24;

/** Returns the time of a record; empty for what the log has not written. Records begin with it. */
const timeOf = (json: string): string =>
  json.startsWith(BEFORE_TIME)
    ? json.slice(BEFORE_TIME.length, BEFORE_TIME.length + TIME_LENGTH)
    : (parsedRecord(json)?.at ?? '');

interface Tests {
  /** Whether a record of the text may fit: whatever holds a record that fits passes. */
  mayFit: (text: string) => boolean;
  /** Whether a record fits. */
  fits: (json: string) => boolean;
}

/** Returns the tests of a filter, but for its times: a quick one for whole texts and records, and one that parses a record. */
function testsOf(filter: AuditFilter): Tests {
  const { kind, client, admin, outcome, q } = filter;
  const subject = filter.subject === undefined ? undefined : compared(filter.subject);
  const wanted = Object.entries({ kind, client, admin, subject, outcome }).filter(([, value]) => value !== undefined);
  const query = q?.toLowerCase() ?? '';
  if (wanted.length === 0 && query === '') return { mayFit: () => true, fits: () => true };
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
        wanted.every(([name, value]) => Reflect.get(facts, name) === value) && searchTextOf(record).includes(query)
      );
    },
  };
}

const SURE_CHARACTERS = 100;

/** What stands in each record with such a member: less than the whole value, because a subject may be cut. */
const beginningOf = (name: string, value: string): string =>
  value.length > SURE_CHARACTERS
    ? `"${name}":${JSON.stringify(value.slice(0, SURE_CHARACTERS).toWellFormed())
        .slice(0, -1)
        .replace(/\ufffd$/, '')}`
    : `"${name}":${JSON.stringify(value)}`;

/** Returns the longest part of a text that JSON writes as it is. */
const longestPlain = (text: string): string =>
  text.split(/["\\\p{Cc}\p{Cs}]/u).reduce((longest, part) => (part.length > longest.length ? part : longest), '');
