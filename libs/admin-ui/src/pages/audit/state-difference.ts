import { isJson } from '../../mcp/json-rpc';

/** A member that differs between two states; undefined = absent. */
export interface Difference {
  path: string;
  before: unknown;
  after: unknown;
}

const MOST_DIFFERENCES = 200;

/** Returns the differences of two JSON values, by the paths of their members. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = [];
  compare('', before, after, found);
  return found;
}

function compare(path: string, before: unknown, after: unknown, found: Difference[]): void {
  if (found.length >= MOST_DIFFERENCES || JSON.stringify(before) === JSON.stringify(after)) return;
  if (!isJson(before) || !isJson(after)) {
    found.push({ path, before, after });
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    compare(path === '' ? name : `${path}.${name}`, before[name], after[name], found);
  }
}
