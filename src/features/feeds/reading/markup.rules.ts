/** Elements that format a line of text. Others, such as `<details>` or `<T>`, are the subject of the text. */
const FORMATTING = new Set(
  (
    'a abbr acronym b bdi bdo big blockquote center cite code del dfn div em font h1 h2 h3 h4 h5 h6 i iframe img ins ' +
    'kbd li mark nobr ol p pre q rp rt ruby s samp script small span strike strong style sub sup svg table tbody td ' +
    'th tr tt u ul var'
  ).split(' '),
);
const BREAKS: readonly string[] = ['br', 'wbr'];
/** Characters of a text that are searched for formatting, and the maximum length of a line. */
const MAX_CHARACTERS = 5_000;
const TAG = /^<(\/?)([a-z][a-z\d]*)(\s[^<>]*)?\/?>/i;

/** Returns whether a text is HTML: whether its first 5,000 characters have formatting or entities. */
export function hasMarkup(whole: string): boolean {
  const text = whole.slice(0, MAX_CHARACTERS);
  const pairs = pairsOf(text);
  return (
    partsOf(text).some((part, index) => isMarkup(part, index, pairs)) || /&(?:[a-z]\w{1,30}|#\w{1,10});/i.test(text)
  );
}

/**
 * Returns the first 5,000 characters of the HTML of a line. Escapes each `<` that does not begin formatting, so that it stays
 * visible: in titles, `Vec<T>`, `<details>` and a lone `<b>` are text.
 */
export function withTextEscaped(line: string): string {
  const html = line.slice(0, MAX_CHARACTERS);
  const pairs = pairsOf(html);
  const lastCommentEnd = html.lastIndexOf('-->');
  let position = 0;
  const parts = partsOf(html).map((part, index) => {
    const isComment = part.startsWith('<!--') && position < lastCommentEnd;
    position += part.length;
    const isKept = !part.startsWith('<') || isComment || part.startsWith('<![') || isMarkup(part, index, pairs);
    return isKept ? part : `&lt;${part.slice(1)}`;
  });
  return parts.join('');
}

/** Splits a text before each `<`. */
const partsOf = (text: string): string[] => text.split(/(?=<)/);

/** Returns the names of the elements that the text both opens and closes. */
function pairsOf(text: string): ReadonlySet<string> {
  const opened = new Set<string>();
  const pairs = new Set<string>();
  for (const part of partsOf(text)) {
    const [, slash, name = ''] = TAG.exec(part) ?? [];
    if (slash === '') opened.add(name.toLowerCase());
    if (slash === '/' && opened.has(name.toLowerCase())) pairs.add(name.toLowerCase());
  }
  return pairs;
}

// A paragraph need not be closed, and `<img>` without an attribute shows nothing.
function isMarkup(part: string, index: number, pairs: ReadonlySet<string>): boolean {
  const [, , given, attributes = ''] = TAG.exec(part) ?? [];
  const name = given?.toLowerCase() ?? '';
  if (BREAKS.includes(name)) return true;
  if (!FORMATTING.has(name)) return false;
  return pairs.has(name) || attributes.includes('=') || (name === 'p' && index === 0);
}
