/** Returns the URI, id or name of the created or changed object from a result; null when it names none. */
export function resourceNamedIn(result: unknown): string | null {
  if (typeof result !== 'object' || result === null) return null;
  for (const member of ['uri', 'id', 'name']) {
    const value: unknown = Object.hasOwn(result, member) ? Reflect.get(result, member) : null;
    if (typeof value === 'string') return value;
  }
  return null;
}
