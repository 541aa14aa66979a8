const MOST_CHARACTERS = 60;

/** Quotes a name of the document for a message, shortened: messages never repeat long texts. */
export function quoted(name: string): string {
  const shown = name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS)}...` : name;
  return JSON.stringify(shown.toWellFormed());
}

/** Lists names for a message, ten at most. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => (name.length > MOST_CHARACTERS ? `${name.slice(0, 20)}...` : name));
  return shown.join(', ') + (names.length > shown.length ? ', ...' : '');
}
