import { isStorable } from '#bounded-json';
import { AppError } from '../errors/app-error.js';

/** A page of a list. `nextCursor` requests the next page; null = this is the last one. */
export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}

export interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

/** Thrown when a cursor is not the `nextCursor` of a page of the same list. */
export class InvalidCursor extends AppError {
  constructor() {
    const message = 'must be the nextCursor of the previous page';
    super('invalid', 'page.invalid_cursor', `the cursor ${message}`, { fields: [{ path: 'cursor', message }] });
  }
}

/** Encodes the sort key of the last entry of a page as an opaque text. */
export const toCursor = (...sortKey: string[]): string => Buffer.from(JSON.stringify(sortKey)).toString('base64url');

/** Decodes a cursor to the parts of its sort key. @param length number of parts @throws InvalidCursor */
export function parseCursor(cursor: string, length: number): string[] {
  const sortKey = parseJson(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(sortKey) || sortKey.length !== length) throw new InvalidCursor();
  return sortKey.map((part: unknown) => {
    if (typeof part !== 'string' || !isStorable(part)) throw new InvalidCursor();
    return part;
  });
}

/** Parses a numeric part of a sort key. @throws InvalidCursor */
export function numberInCursor(part: string): number {
  if (!/^\d{1,15}$/.test(part)) throw new InvalidCursor();
  return Number(part);
}

/** Creates a page of `limit` items from a query that requested one more. */
export function toPage<Item>(found: Item[], limit: number, sortKeyOf: (item: Item) => string[]): Page<Item> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: found.length > limit && last ? toCursor(...sortKeyOf(last)) : null };
}

export const onePage = <Item>(items: Item[]): Page<Item> => ({ items, nextCursor: null });

export const mapPage = <From, To>(page: Page<From>, convert: (item: From) => To): Page<To> => ({
  ...page,
  items: page.items.map(convert),
});

/** Returns a page of an in-memory list that is sorted by the key. @throws InvalidCursor */
export function pageOfSorted<Item>(
  sorted: readonly Item[],
  { limit, cursor }: PageRequest,
  keyOf: (item: Item) => string,
): Page<Item> {
  const [after] = cursor === undefined ? [] : parseCursor(cursor, 1);
  const rest = after === undefined ? sorted : sorted.filter((item) => keyOf(item) > after);
  return toPage(rest.slice(0, limit + 1), limit, (item) => [keyOf(item)]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidCursor();
  }
}

/** The error for a search with `before`, which only a list supports. */
export const BEFORE_WITH_QUERY =
  'before continues a list without a query, and a query finds the best matches at once: leave out one of them, or raise limit.';
