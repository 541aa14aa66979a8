/** Kinds that the text says in words of its own. */
const IN_WORDS = new Set(['match']);

/**
 * Returns what the structured result of a call says and its text does not, as paths: some clients show a model only one of
 * the two. Of a time, the day is enough.
 */
export function unsaid(result: object): string[] {
  const { structuredContent, content } = result as { structuredContent?: unknown; content: unknown };
  const text = (content as { text?: string }[]).map((block) => block.text ?? '').join('\n');
  const missing = (value: unknown, path: string): string[] => {
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).flatMap(([name, child]) =>
        IN_WORDS.has(name) ? [] : missing(child, `${path}.${name}`),
      );
    if (typeof value === 'number') return new RegExp(`(?<!\\d)${value}(?!\\d)`).test(text) ? [] : [path];
    if (typeof value !== 'string') return [];
    const said = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? value.slice(0, 10) : value;
    return text.includes(said) ? [] : [`${path}: ${value}`];
  };
  return missing(structuredContent ?? {}, '');
}
