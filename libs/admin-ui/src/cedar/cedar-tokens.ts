/** The part of the stream of an editor's language from which tokens are read. */
interface TokenStream {
  match(pattern: RegExp): unknown;
  /** Returns the next character. */
  next(): unknown;
}

/** The state at the beginning of a line. */
export interface CedarState {
  /** True when a string continues from the previous line. */
  isInText: boolean;
  /** Number of open brackets. */
  depth: number;
}

/** Styles of tokens, by CodeMirror's names of token kinds; null = plain text. */
const TOKENS: readonly (readonly [RegExp, string | null])[] = [
  [/^\s+/, null],
  [/^\/\/.*/, 'comment'],
  [/^@[a-z_]\w*/i, 'annotation'],
  [/^\d+/, 'number'],
  [/^\.\s*[a-z_]\w*/i, 'propertyName'],
  [/^(?:permit|forbid|when|unless|if|then|else|in|is|has|like|true|false)\b/, 'keyword'],
  [/^[a-z_]\w*(?=\s*::)/i, 'typeName'],
  [/^[a-z_]\w*/i, null],
];
const DEPTH_CHANGES: ReadonlyMap<unknown, number> = new Map(
  ['(', '[', '{', ')', ']', '}'].map((bracket, index) => [bracket, index < 3 ? 1 : -1]),
);
const REST_OF_TEXT = /^(?:[^"\\]|\\.)*/;

/** Reads the next token of a policy in the Cedar language, and returns its style. */
export function cedarToken(stream: TokenStream, state: CedarState): string | null {
  if (state.isInText || stream.match(/^"/)) {
    stream.match(REST_OF_TEXT);
    state.isInText = !stream.match(/^"/);
    // A backslash at the end of the line escapes nothing.
    if (state.isInText) stream.match(/^\\/);
    return 'string';
  }
  for (const [pattern, style] of TOKENS) if (stream.match(pattern)) return style;
  state.depth += DEPTH_CHANGES.get(stream.next()) ?? 0;
  return null;
}
