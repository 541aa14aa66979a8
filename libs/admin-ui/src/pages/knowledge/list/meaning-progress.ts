import { countOf, formatNumber } from '../../../text/format';
import type { Embeddings } from '../use-knowledge';

type Counts = Pick<Embeddings, 'passages' | 'embedded' | 'entries' | 'embeddedEntries' | 'memoryEnabled'>;

/** Returns the embedded share, from 0 to 1. */
export function doneOf({ passages, embedded, entries, embeddedEntries }: Counts): number {
  const all = passages + entries;
  return all === 0 ? 1 : Math.min(1, (embedded + embeddedEntries) / all);
}

/** Describes what searches match, and the progress while embedding is incomplete. */
export function progressOf(counts: Counts): string {
  const { passages, embedded, entries, embeddedEntries, memoryEnabled } = counts;
  const where = memoryEnabled ? 'Searches here and in the memory' : 'Searches';
  if (doneOf(counts) === 1) return `${where} match words and meaning.`;
  const parts = [`${formatNumber(embedded)} of ${countOf(passages, 'passage')}`];
  if (memoryEnabled) parts.push(`${formatNumber(embeddedEntries)} of ${formatNumber(entries)} entries of the memory`);
  return `${where} match words, and meaning as far as texts are embedded: ${parts.join(' and ')}.`;
}
