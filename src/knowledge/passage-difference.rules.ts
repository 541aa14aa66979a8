import type { Passage } from './document.js';

/** A passage, and where it stands in its document: 0 = first. */
export interface PlacedPassage extends Passage {
  position: number;
}

interface PassageRow {
  id: number;
  position: number;
  headings: string; // JSON
  content: string;
}

interface Difference {
  added: PlacedPassage[];
  /** Those that stay and stand elsewhere. */
  moved: { id: number; position: number }[];
  /** Ids. */
  removed: number[];
}

export const placed = (passage: Passage, position: number): PlacedPassage => ({ ...passage, position });

export const toColumns = ({ headings, content }: Passage): Pick<PassageRow, 'headings' | 'content'> => ({
  headings: JSON.stringify(headings),
  content,
});

/** What is to be done so that a document has these passages. */
export function differenceOf(before: readonly PassageRow[], after: readonly Passage[]): Difference {
  const left = new Map<string, PassageRow[]>();
  for (const row of before) left.set(keyOf(row), [...(left.get(keyOf(row)) ?? []), row]);
  const [added, moved]: [PlacedPassage[], Difference['moved']] = [[], []];
  for (const passage of after.map(placed)) {
    const same = left.get(keyOf(toColumns(passage)))?.shift();
    if (!same) added.push(passage);
    else if (same.position !== passage.position) moved.push({ id: same.id, position: passage.position });
  }
  return { added, moved, removed: [...left.values()].flat().map(({ id }) => id) };
}

const keyOf = ({ headings, content }: Pick<PassageRow, 'headings' | 'content'>): string => `${headings}\n${content}`;
