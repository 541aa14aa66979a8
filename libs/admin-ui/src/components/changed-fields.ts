/**
 * Returns the fields that differ from those before, which are plain data. They are all that is sent: somebody else may have
 * changed the others.
 */
export function changedFields<Fields extends object>(now: Fields, before: Fields): Partial<Fields> {
  const changed: Partial<Fields> = {};
  for (const field in now) {
    if (JSON.stringify(now[field]) !== JSON.stringify(before[field])) changed[field] = now[field];
  }
  return changed;
}
