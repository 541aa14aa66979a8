import type { MemoryEntry, SavedMemory } from './memory-entry.js';
import { memoryUri, type TwinAdvice, twinAdvice } from './memory.rules.js';
import type { MemorySaveResult } from './save.schema.js';

/** Returns the result of a call that saved an entry. @param twin another entry with the same content; null = none to report */
export function toSavedResult(
  outcome: SavedMemory['outcome'],
  entry: MemoryEntry,
  twin: MemoryEntry | null,
): MemorySaveResult {
  const [uri, { version }] = [memoryUri(entry), entry];
  const expires = entry.expiresAt?.toISOString();
  const done = {
    created: `Remembered as ${uri} (created, version ${version}).`,
    updated: `Replaced the content of ${uri} (updated); this is version ${version}.`,
    unchanged: `Nothing changed: ${uri} already has this content (unchanged, version ${version}).`,
  }[outcome];
  const hint = [
    done,
    ...(expires === undefined ? [] : [`It expires on ${expires.slice(0, 10)}; expires_in_days 0 keeps it for ever.`]),
    ...(twin ? [`${memoryUri(twin)} says the same. ${describeAdvice(twinAdvice(entry, twin))}`] : []),
  ].join(' ');
  return {
    ...{ uri, outcome, version },
    ...(expires !== undefined && { expires }),
    ...(twin && { same_as: memoryUri(twin) }),
    hint,
  };
}

/** Describes which of two entries to remove, and what to save with the other so that nothing is lost. */
function describeAdvice({ keep, remove, importance, tags }: TwinAdvice): string {
  const ends = remove.expiresAt ? `, which expires on ${remove.expiresAt.toISOString().slice(0, 10)}` : '';
  const changes = [
    ...(importance > keep.importance ? [`importance ${importance}`] : []),
    ...(tags.length > keep.tags.length ? [`the tags ${tags.join(', ')}`] : []),
  ];
  const first = changes.length > 0 ? `save ${memoryUri(keep)} with ${changes.join(' and ')}, and ` : '';
  return `If they mean one thing, ${first}remove ${memoryUri(remove)}${ends}.`;
}
