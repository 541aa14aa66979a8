import type { Diagnostic } from '@codemirror/lint';
import type { Text } from '@codemirror/state';

/** A message about a place in a text. */
export interface Mark {
  severity: 'error' | 'warning';
  /** Starting at 1. */
  line: number;
  column: number;
  message: string;
}

/** Underlines each mark from its column to the end of the text on its line. Marks beyond the text are placed at its end. */
export function toDiagnostics(doc: Text, marks: readonly Mark[]): Diagnostic[] {
  return marks.map(({ severity, line, column, message }) => {
    const { from, text } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    const end = text.trimEnd().length;
    const begin = Math.min(Math.max(column - 1, 0), end);
    return { from: from + begin, to: from + Math.max(begin, end), severity, message };
  });
}
