/** A place in a text: line and column, both from 1. */
export interface TextPlace {
  line: number;
  column: number;
}

// A text in quotes, a comment, or one bracket.
const TOKEN = /"(?:[^"\\]|\\.)*"?|\/\/[^\n]*|[([{]|[)\]}]/gs;

/** Returns how deep brackets are nested in a policy, outside of its texts and comments. */
export function nestingOf(policy: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of policy.matchAll(TOKEN)) {
    if (token === '(' || token === '[' || token === '{') deepest = Math.max(deepest, (depth += 1));
    else if (token === ')' || token === ']' || token === '}') depth -= 1;
  }
  return deepest;
}

/** Returns the place in a text of a position in its UTF-8 bytes. */
export function placeOfByte(text: string, byte: number): TextPlace {
  return placeAt(text, Buffer.from(text).subarray(0, byte).toString().length);
}

/** Returns the first place in a policy that names an entity; its beginning when it is not written there. */
export function placeOfEntity(policy: string, type: string, id: string): TextPlace {
  const literal = JSON.stringify(id);
  for (let at = policy.indexOf(literal); at >= 0; at = policy.indexOf(literal, at + 1)) {
    const before = policy.slice(0, at).trimEnd();
    if (before.endsWith('::') && before.slice(0, -2).trimEnd().endsWith(type)) return placeAt(policy, at);
  }
  return { line: 1, column: 1 };
}

function placeAt(text: string, index: number): TextPlace {
  const lines = text.slice(0, index).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
