/**
 * Returns the fields that differ from the previous ones; fields are plain data. Only these are sent, because somebody else may
 * have changed the others.
 */
export function changedFields<Fields extends object>(now: Fields, before: Fields): Partial<Fields> {
  const changed: Partial<Fields> = {};
  for (const field in now) {
    if (JSON.stringify(now[field]) !== JSON.stringify(before[field])) changed[field] = now[field];
  }
  return changed;
}
