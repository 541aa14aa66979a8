/** Kinds that the text expresses in other words. */
const IN_WORDS = new Set(['match']);

/** What the text says for each flag that is set, and for one that is not. */
const FLAGS: Readonly<Record<string, { set: RegExp; unset?: RegExp }>> = {
  hasMore: { set: /There are older ones/g },
  truncated: { set: /only a part(?: of it is shown|: \d+ of)/gi },
  isNew: { set: /^Subscribed to/g, unset: /^This was subscribed to already/g },
};

/**
 * Returns the paths of the values that the structured result of a call has and its text lacks: some clients show the model
 * only one of the two. For a time, the date is enough.
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
  return [...missing(structuredContent ?? {}, ''), ...unsaidFlags(structuredContent, text)];
}

function unsaidFlags(structured: unknown, text: string): string[] {
  const flags = flagsIn(structured);
  return [...new Set(flags.map(({ name }) => name))].filter((name) => {
    const says = FLAGS[name];
    const set = flags.filter((flag) => flag.name === name && flag.value).length;
    const unset = flags.filter((flag) => flag.name === name && !flag.value).length;
    return !says || count(text, says.set) !== set || (says.unset && count(text, says.unset) !== unset);
  });
}

function flagsIn(value: unknown): { name: string; value: boolean }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]: [string, unknown]) =>
    typeof child === 'boolean' ? [{ name, value: child }] : flagsIn(child),
  );
}

const count = (text: string, words: RegExp): number => [...text.matchAll(words)].length;
