import type { Passage, Placed } from '../documents/document.js';

interface PassageRow {
  id: number;
  position: number;
  headings: string; // JSON
  content: string;
  start: number;
  lead: string;
}

type Place = Pick<PassageRow, 'id' | 'position' | 'start'>;

interface Difference<One extends Passage> {
  added: Placed<One>[];
  /** Kept passages with a new position. */
  moved: Place[];
  /** Ids of the passages to delete. */
  removed: number[];
}

export const placed = <One extends Passage>(passage: One, position: number): Placed<One> => ({ ...passage, position });

export const toColumns = ({ headings, content, start, lead }: Passage): Omit<PassageRow, 'id' | 'position'> => ({
  headings: JSON.stringify(headings),
  content,
  start,
  lead,
});

/** Returns the changes that turn the stored passages `before` into the passages `after`. */
export function differenceOf<One extends Passage>(
  before: readonly PassageRow[],
  after: readonly One[],
): Difference<One> {
  const left = new Map<string, PassageRow[]>();
  // In reverse, so that the first of equal passages is at the end, where removing it is cheap.
  for (const row of before.toReversed()) {
    const rows = left.get(keyOf(row));
    if (rows) rows.push(row);
    else left.set(keyOf(row), [row]);
  }
  const [added, moved]: [Placed<One>[], Difference<One>['moved']] = [[], []];
  for (const passage of after.map((one, position) => placed(one, position))) {
    const { position, start } = passage;
    const same = left.get(keyOf(toColumns(passage)))?.pop();
    if (!same) added.push(passage);
    else if (same.position !== position || same.start !== start) moved.push({ id: same.id, position, start });
  }
  return { added, moved, removed: [...left.values()].flat().map(({ id }) => id) };
}

const keyOf = ({ headings, content, lead }: Pick<PassageRow, 'headings' | 'content' | 'lead'>): string =>
  JSON.stringify([headings, lead, content]);
