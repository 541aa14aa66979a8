/** The place of a position in a YAML document, found by indentation, because the document is incomplete during editing. */
export interface YamlPlace {
  /** Keys and indices of the mapping or value at the position. */
  path: (string | number)[];
  kind: 'key' | 'value';
  /** The part of the key or value that is already typed. */
  typed: string;
  /** Keys that the same mapping has on other lines. Empty for values. */
  siblings: string[];
}

interface Line {
  /** Columns of the dashes that begin the line. */
  dashes: number[];
  /** Column of the text after the dashes. */
  column: number;
  /** null = the line is not `key: value`. */
  key: string | null;
  isBlockText: boolean;
}

const LINE = /^(\s*(?:-\s+|-$)*)(?:(?:"([^"]*)"|'([^']*)'|([^\s"'#:{}[\],&*!|>%@`][^:#]*?))\s*:(?:\s+(.*)|$))?/;
const AT_KEY = /^(\s*(?:-\s+)*)([\w$.-]*)$/;
const AT_VALUE = /^\s*(?:-\s+)*[^:#]+:\s+(\S*)$/;

/** Returns the place; null inside comments and multi-line strings. @param line and column start at 0 */
export function placeAt(lines: readonly string[], line: number, column: number): YamlPlace | null {
  const before = (lines[line] ?? '').slice(0, column);
  const asKey = AT_KEY.exec(before);
  if (asKey) {
    const [, prefix = '', typed = ''] = asKey;
    if (isInBlockText(lines, line, prefix.length)) return null;
    const { path, siblings } = surroundings(lines, line, dashesOf(prefix), prefix.length);
    return { path, kind: 'key', typed, siblings };
  }
  const own = parse(lines[line] ?? '');
  const asValue = AT_VALUE.exec(before);
  if (!asValue || own.key === null || isInBlockText(lines, line, own.column)) return null;
  const { path } = surroundings(lines, line, own.dashes, own.column);
  return { path: [...path, own.key], kind: 'value', typed: asValue[1] ?? '', siblings: [] };
}

/** Returns the plain value of `beside` if the position is somewhere below `key` of the same mapping; null = none. */
export function valueBeside(
  lines: readonly string[],
  { line, column, key, beside }: { line: number; column: number; key: string; beside: string },
): string | null {
  let inner = /^\s*(?:-\s+)*/.exec((lines[line] ?? '').slice(0, column))?.[0].length ?? 0;
  for (let above = line - 1; above >= 0; above -= 1) {
    const text = lines[above] ?? '';
    if (isBlank(text)) continue;
    const found = parse(text);
    if (found.column >= inner) continue;
    inner = found.column;
    if (found.key !== key) continue;
    const mapping = [...linesBeside(lines, above, -1), ...linesBeside(lines, above, 1)];
    const value = mapping.map((one) => VALUE.exec(one)).find((match) => match?.[1] === beside)?.[2];
    return value ?? null;
  }
  return null;
}

const VALUE = /^\s*(?:-\s+)*([\w$.-]+)\s*:\s+["']?([\w.-]+)/;

/** Returns the other lines of a mapping at the same column, upwards or downwards. */
function linesBeside(lines: readonly string[], line: number, step: 1 | -1): string[] {
  const own = parse(lines[line] ?? '');
  const found: string[] = [];
  if (step === -1 && own.dashes.length > 0) return found;
  for (let at = line + step; at >= 0 && at < lines.length; at += step) {
    const text = lines[at] ?? '';
    if (isBlank(text)) continue;
    const { column, dashes } = parse(text);
    if (column < own.column || (step === 1 && column === own.column && dashes.length > 0)) break;
    if (column === own.column) found.push(text);
    if (step === -1 && column === own.column && dashes.length > 0) break;
  }
  return found;
}

/** Walks up from a mapping at `column`, and collects the enclosing keys and indices. */
function surroundings(lines: readonly string[], line: number, dashes: readonly number[], column: number) {
  const path: (string | number)[] = [];
  const siblings = siblingsBelow(lines, line, column);
  let mapping = column;
  let isInnermost = true;
  let index = 0;
  // Column of the dashes of the sequence that is being counted; null = in a mapping.
  let dash = enterSequences(path, dashes);
  for (let above = line - 1; above >= 0; above -= 1) {
    const text = lines[above] ?? '';
    if (isBlank(text)) continue;
    const { dashes: found, column: at, key } = parse(text);
    if (dash !== null && found.includes(dash)) {
      index += 1;
      if (found[0] === dash) continue;
      path.unshift(index); // the sequence itself is the first entry of another one
      [index, dash] = [0, enterSequences(path, found.slice(0, found.indexOf(dash)))];
    } else if (dash !== null && key !== null && at <= dash) {
      path.unshift(key, index);
      [index, mapping, isInnermost] = [0, at, false];
      dash = enterSequences(path, found);
    } else if (dash === null && key !== null && at <= mapping) {
      if (at < mapping) path.unshift(key);
      else if (isInnermost) siblings.unshift(key);
      if (at < mapping) [mapping, isInnermost] = [at, false];
      dash = enterSequences(path, found);
    } else if (dash === null && (found.at(-1) ?? mapping) < mapping) {
      dash = enterSequences(path, found);
    }
  }
  if (dash !== null) path.unshift(index);
  return { path, siblings };
}

/** Enters the sequences that begin on one line; each except the outermost is the first entry of the previous one. */
function enterSequences(path: (string | number)[], dashes: readonly number[]): number | null {
  for (let inner = 1; inner < dashes.length; inner += 1) path.unshift(0);
  return dashes[0] ?? null;
}

function siblingsBelow(lines: readonly string[], line: number, column: number): string[] {
  const keys: string[] = [];
  for (const text of lines.slice(line + 1)) {
    if (isBlank(text)) continue;
    const { dashes, column: at, key } = parse(text);
    if (at < column || (dashes[0] ?? column) < column) break;
    if (at === column && key !== null && dashes.length === 0) keys.push(key);
  }
  return keys;
}

function isInBlockText(lines: readonly string[], line: number, column: number): boolean {
  let least = column;
  for (let above = line - 1; above >= 0 && least > 0; above -= 1) {
    const text = lines[above] ?? '';
    if (isBlank(text)) continue;
    const indentation = text.length - text.trimStart().length;
    if (indentation >= least) continue;
    if (parse(text).isBlockText) return true;
    least = indentation;
  }
  return false;
}

function parse(text: string): Line {
  const [, prefix = '', double, single, plain, rest = ''] = LINE.exec(text) ?? [];
  return {
    dashes: dashesOf(prefix),
    column: prefix.length,
    key: double ?? single ?? plain ?? null,
    isBlockText: /^[|>][+-]?\d?\s*(?:#.*)?$/.test(rest),
  };
}

const dashesOf = (prefix: string): number[] =>
  [...prefix].flatMap((character, column) => (character === '-' ? [column] : []));

const isBlank = (text: string): boolean => /^\s*(?:#.*)?$/.test(text);
