const MOST_COLUMNS = 50;

export function fenced(lines: readonly string[], language = ''): string[] {
  const code = withoutMargin(withoutBlankEnds(lines));
  if (code.length === 0) return [];
  const longest = code.reduce((most, line) => Math.max(most, /^\s*(`{3,})/.exec(line)?.[1]?.length ?? 0), 2);
  const fence = '`'.repeat(longest + 1);
  return ['', `${fence}${/^[\w+#.-]*$/.test(language) ? language : ''}`, ...code, fence, ''];
}

/**
 * Returns a Markdown table with the first row as its heading. Short rows are padded; a table of one column becomes a list of
 * texts.
 */
export function tableOf(rows: readonly (readonly string[])[]): string[] {
  const columns = Math.min(
    MOST_COLUMNS,
    rows.reduce((most, row) => Math.max(most, row.length), 0),
  );
  if (columns < 2) return ['', ...rows.flatMap(([text = '']) => [text, ''])];
  const lineOf = (row: readonly string[]) =>
    `| ${Array.from({ length: columns }, (_, index) => cellOf(row[index] ?? '')).join(' | ')} |`;
  const [head = [], ...others] = rows;
  return ['', lineOf(head), `|${' --- |'.repeat(columns)}`, ...others.map(lineOf), ''];
}

const cellOf = (text: string): string => text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');

export function withoutMargin(lines: readonly string[]): string[] {
  const margin = lines.reduce((least, line) => (isBlank(line) ? least : Math.min(least, indentOf(line))), Infinity);
  return lines.map((line) => line.slice(Math.min(margin, line.length)));
}

export function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => !isBlank(line));
  return start < 0 ? [] : lines.slice(start, lines.findLastIndex((line) => !isBlank(line)) + 1);
}

export const isBlank = (line: string | undefined): boolean => line === undefined || !/\S/.test(line);
export const indentOf = (line: string): number => line.search(/\S|$/);

/** Joins lines to a text without consecutive blank lines. */
export function joined(lines: readonly string[]): string {
  const kept: string[] = [];
  let fence = '';
  for (const line of lines) {
    const mark = /^\s*(`{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') fence = mark;
    else if (mark.length >= fence.length && line.trim() === mark) fence = '';
    if (fence !== '' || !isBlank(line) || !isBlank(kept.at(-1) ?? '')) kept.push(line);
  }
  return kept.join('\n').trim();
}
