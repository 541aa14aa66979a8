import { Script } from 'node:vm';

/** What a module has and a script has not. The lengths are limited because a text may begin many that do not end. */
const WITHOUT_CODE = [
  /^[ \t]*import\b[^;'"()]{0,2000}(['"])[^'"\n]*\1/gm,
  /^[ \t]*export\s*(?:\{[^}]{0,2000}\}|\*[^;\n]*)/gm,
  /^[ \t]*export\s+(?=(?:const|let|var|class|function|async)\b)/gm,
];
const DEFAULT = /^([ \t]*)export\s+default\b/gm;

/**
 * Returns the line of a syntax error that only V8 finds, such as a name that is declared twice: for modules, V8 does not say it.
 * Null = unknown.
 */
export function lineOf(message: string, text: string): number | null {
  const linesOf = (found: string) => found.replace(/[^\n]+/g, ' ');
  const script = WITHOUT_CODE.reduce((code, pattern) => code.replace(pattern, linesOf), text).replace(
    DEFAULT,
    '$1void ',
  );
  try {
    new Script(`'use strict'; async () => {${script}\n}`, { filename: 'm' }); // compiled, and never executed
    return null;
  } catch (error) {
    const { message: found, stack = '' } = error as Error;
    const [, line] = /^m:(\d+)\n/.exec(stack) ?? [];
    return found === message && line !== undefined ? Number(line) : null;
  }
}
