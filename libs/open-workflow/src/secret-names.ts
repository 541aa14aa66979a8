const USE = /\$secrets\b(?:\s*\.\s*([A-Za-z_]\w*)|\s*(?:\.\s*)?\["([^"\\]{1,200})"\])?/g;

/** Returns the name of the secret for each use of `$secrets` in a program; null for a use of all of them. */
export function* secretsNamedIn(program: string): Generator<string | null> {
  for (const [, member, quoted] of program.matchAll(USE)) yield member ?? quoted ?? null;
}

/** Returns the declared secrets that jointly evaluated programs can access. */
export function secretsUsedBy(programs: readonly string[], declared: readonly string[]): readonly string[] {
  const named = new Set(programs.flatMap((program) => [...secretsNamedIn(program)]));
  return named.has(null) ? declared : declared.filter((name) => named.has(name));
}

const KEY = String.raw`(?:\.[A-Za-z_]\w*|\.?\["[^"\\]{1,200}"\]|\[\d+\])`;
const PATH = String.raw`(?:\$[A-Za-z_]\w*${KEY}*|\.[A-Za-z_]\w*${KEY}*|\.)`;
const TEXT = String.raw`"(?:[^"\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}|\\\(\s*${PATH}\s*\))*"`;
const PLAIN = new RegExp(String.raw`^\s*(?:${PATH}|${TEXT})(?:\s*\+\s*(?:${PATH}|${TEXT}))*\s*$`);

/**
 * Returns whether a program leaves the secrets that it uses unchanged: it consists of paths and texts, joined only by `+` or `\(
 * )`. Whether such a program fails, and how, reveals nothing about the characters of a secret.
 */
export function isPlain(program: string): boolean {
  // jq allows other spellings of `$secrets`, such as with a comment in between.
  const mayUseSecrets = program.includes('$') && program.includes('secrets');
  return !mayUseSecrets || PLAIN.test(program);
}
