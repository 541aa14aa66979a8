/** The line of `document.version`: Semantic Versioning 2.0.0, with or without quotes. */
const VERSION = /^(\s*version:\s*["']?\d{1,9}\.\d{1,9}\.)(\d{1,9})(.*)$/m;

/** Returns a definition with its next patch version, and that version; null when its version cannot be incremented. */
export function withNextVersion(definition: string): { definition: string; version: string } | null {
  const found = VERSION.exec(definition);
  if (!found) return null;
  const [line, before = '', patch = ''] = found;
  const next = `${before}${Number(patch) + 1}`;
  // A pre-release or build suffix belongs to the previous version.
  const quote = /["']/.exec(before)?.[0] ?? '';
  return {
    definition: definition.replace(line, () => `${next}${quote}`),
    version: next.replace(/^\s*version:\s*["']?/, ''),
  };
}
