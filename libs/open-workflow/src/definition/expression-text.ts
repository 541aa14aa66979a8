/**
 * Returns the program of a text that is a runtime expression as a whole, `${ ... }`; undefined for any other text, which
 * stands for itself.
 */
export function enclosedProgram(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed.startsWith('${') && trimmed.endsWith('}') ? trimmed.slice(2, -1) : undefined;
}

/** Returns the program of a text where the DSL wants an expression, with or without `${ }` around it. */
export const programOf = (text: string): string => enclosedProgram(text) ?? text;
