/** A place in a text: line and column, both from 1. */
export interface TextPlace {
  line: number;
  column: number;
}

/** Returns how deep brackets are nested in a policy, outside of its strings and comments. */
export function nestingOf(policy: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < policy.length; index += 1) {
    const character = policy.charAt(index);
    if (character === '"') index = endOfText(policy, index);
    else if (character === '/' && policy.charAt(index + 1) === '/') index = endOfLine(policy, index);
    else if (character === '(' || character === '[' || character === '{') depth += 1;
    else if (character === ')' || character === ']' || character === '}') depth -= 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

/** Returns the end of the string that starts at an index; the end of the policy when it is not closed. */
function endOfText(policy: string, opened: number): number {
  let index = opened + 1;
  while (index < policy.length && policy.charAt(index) !== '"') index += policy.charAt(index) === '\\' ? 2 : 1;
  return index;
}

function endOfLine(policy: string, index: number): number {
  const end = policy.indexOf('\n', index);
  return end < 0 ? policy.length : end;
}

/** Converts a position in the UTF-8 bytes of a text to a place in the text. */
export function placeOfByte(text: string, byte: number): TextPlace {
  return placeAt(text, Buffer.from(text).subarray(0, byte).toString().length);
}

/** Returns the first place in a policy that names an entity; its beginning when there is none. */
export function placeOfEntity(policy: string, type: string, id: string): TextPlace {
  const literal = JSON.stringify(id);
  for (let at = policy.indexOf(literal); at >= 0; at = policy.indexOf(literal, at + 1)) {
    const before = policy.slice(0, at).trimEnd();
    if (before.endsWith('::') && before.slice(0, -2).trimEnd().endsWith(type)) return placeAt(policy, at);
  }
  return { line: 1, column: 1 };
}

/** Returns the first place in a policy with this text in quotes; its beginning when there is none. */
export function placeOfText(policy: string, text: string): TextPlace {
  return placeAt(policy, Math.max(policy.indexOf(JSON.stringify(text)), 0));
}

function placeAt(text: string, index: number): TextPlace {
  const lines = text.slice(0, index).split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}
