/** The line of `document.version`: Semantic Versioning 2.0.0, with or without quotes. */
const VERSION = /^(\s*version:\s*["']?\d{1,9}\.\d{1,9}\.)(\d{1,9})(.*)$/m;

/** The text of a definition with its next patch version, and that version; null when it has no version that counts up. */
export function withNextVersion(definition: string): { definition: string; version: string } | null {
  const found = VERSION.exec(definition);
  if (!found) return null;
  const [line, before = '', patch = ''] = found;
  const next = `${before}${Number(patch) + 1}`;
  // A pre-release or build that follows belongs to the version before.
  const quote = /["']/.exec(before)?.[0] ?? '';
  return {
    definition: definition.replace(line, () => `${next}${quote}`),
    version: next.replace(/^\s*version:\s*["']?/, ''),
  };
}
