import {
  fenced,
  indentOf,
  isBlank,
  joined,
  tableOf,
  withoutBlankEnds,
  withoutMargin,
} from './markdown-output.rules.js';

/** Deeper blocks are not converted. */
const DEEPEST = 12;
/** A line of one repeated punctuation mark: the overline or underline of a title. */
const ADORNMENT = /^([!-/:-@[-`{-~])\1+\s*$/;
const DIRECTIVE = /^\.\.\s+([\w:+-]+)::\s*(.*)$/;
const OPTION = /^\s*:([\w-]+):\s*(.*)$/;
const ITEM = /^([-*+•]|(?:\d{1,9}|#|[A-Za-z]|[ivxlc]{1,8})[.)]|\([\w#]{1,8}\))(\s+)(?=\S)/;
const GRID = /^\+(?:[-=]+\+)+\s*$/;
const SIMPLE_TABLE = /^=+(?:\s+=+)+\s*$/;

/** Directives without readable content, or only with content of another page. */
const LEFT_OUT = new Set(
  (
    'toctree contents index include meta module currentmodule py:module raw highlight sectnum section-numbering default-role only ' +
    'role tabularcolumns testsetup testcleanup sectionauthor moduleauthor codeauthor autosummary program automodule autoclass rst-class'
  ).split(' '),
);
const CODE = new Set(
  'code code-block sourcecode prompt parsed-literal literalinclude math productionlist doctest testcode testoutput graphviz'.split(
    ' ',
  ),
);
const ADMONITIONS = new Set(
  (
    'note warning tip hint important caution danger attention error seealso admonition deprecated versionadded versionchanged ' +
    'versionremoved deprecated-removed todo topic impl-detail availability'
  ).split(' '),
);

/** The state of the conversion. */
interface Context {
  /** The adornments of titles, in order of appearance: each is a level. */
  levels: string[];
  substitutions: ReadonlyMap<string, string>;
}

/**
 * Converts reStructuredText to Markdown, line by line: titles, code, lists, tables, notes, links and pictures. Leaves out
 * comments, targets, tables of contents, and the content of other files. Source:
 * https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html
 */
export function restructuredToMarkdown(text: string): string {
  const lines = text.split('\n').map((line) => line.replaceAll('\t', '        ').trimEnd());
  return joined(blocksOf(lines, { levels: [], substitutions: substitutionsIn(lines) }, 0));
}

function substitutionsIn(lines: readonly string[]): Map<string, string> {
  const found = lines.flatMap((line): [string, string][] => {
    const [, name = '', value = ''] = /^\s*\.\. \|([^|]{1,100})\| (?:replace|unicode):: (.{0,500})/.exec(line) ?? [];
    return name === '' ? [] : [[name, value.trim()]];
  });
  return new Map(found);
}

function blocksOf(lines: readonly string[], context: Context, depth: number): string[] {
  if (depth > DEEPEST) return [...lines];
  const out: string[] = [];
  for (let at = 0; at < lines.length;) {
    const next = blockAt(lines, at, context, depth);
    for (const line of next.lines) out.push(line); // possibly too many for one call of push
    at = next.end;
  }
  return out;
}

/** A converted block, and the number of the line after it. */
interface Converted {
  lines: string[];
  end: number;
}

function blockAt(lines: readonly string[], at: number, context: Context, depth: number): Converted {
  const line = lines[at] ?? '';
  if (isBlank(line)) return { lines: [''], end: at + 1 };
  if (indentOf(line) > 0) {
    const end = endOfIndented(lines, at);
    return { lines: ['', ...blocksOf(withoutMargin(lines.slice(at, end)), context, depth + 1), ''], end };
  }
  const directive = DIRECTIVE.exec(line);
  if (directive) return directiveAt(lines, at, directive, context, depth);
  if (/^\.\.(?:\s|$)/.test(line) || /^__(?:\s|$)/.test(line)) {
    return { lines: [''], end: endOfIndented(lines, at + 1) };
  }
  return (
    titleAt(lines, at, context) ??
    tableAt(lines, at, context) ??
    itemAt(lines, at, context, depth) ??
    paragraphAt(lines, at, context)
  );
}

/** Returns the number of the line after the blank or indented ones, without trailing blank lines. */
function endOfIndented(lines: readonly string[], from: number): number {
  let end = from;
  for (let at = from; at < lines.length && (isBlank(lines[at]) || indentOf(lines[at] ?? '') > 0); at += 1) {
    if (!isBlank(lines[at])) end = at + 1;
  }
  return end;
}

function titleAt(lines: readonly string[], at: number, context: Context): Converted | null {
  const [first = '', second = '', third = ''] = lines.slice(at, at + 3);
  if (ADORNMENT.test(first) && first.length > 1) {
    const isTitle = !isBlank(second) && ADORNMENT.test(third) && third.charAt(0) === first.charAt(0);
    if (isTitle && first.trim().length >= second.trim().length) {
      return { lines: headingOf(`${first.charAt(0)}over`, second, context), end: at + 3 };
    }
    return first.trim().length >= 4 && isBlank(second) ? { lines: ['', '---', ''], end: at + 1 } : null;
  }
  const mark = second.trim();
  const isTitle = ADORNMENT.test(second) && /[\p{L}\p{N}]/u.test(first) && mark !== '::' && isBlank(third);
  if (!isTitle || (mark.length < first.trim().length && mark.length < 4)) return null;
  return { lines: headingOf(second.charAt(0), first, context), end: at + 2 };
}

function headingOf(style: string, title: string, context: Context): string[] {
  if (!context.levels.includes(style)) context.levels.push(style);
  const level = Math.min(6, context.levels.indexOf(style) + 1);
  return ['', `${'#'.repeat(level)} ${inline(title.trim(), context)}`, ''];
}

function directiveAt(
  lines: readonly string[],
  at: number,
  [, written = '', argument = '']: readonly string[],
  context: Context,
  depth: number,
): Converted {
  const end = endOfIndented(lines, at + 1);
  const name = written.toLowerCase();
  const inner = withoutMargin(lines.slice(at + 1, end));
  const { options, body } = optionsOf(inner);
  const within = (part: readonly string[]) => blocksOf(part, context, depth + 1);
  if (LEFT_OUT.has(name)) return { lines: [''], end };
  if (CODE.has(name)) return { lines: fenced(body, name === 'math' ? 'math' : argument.trim()), end };
  if (name === 'image' || name === 'figure') {
    return { lines: ['', `![${options.get('alt') ?? ''}](${argument.trim()})`, '', ...within(body)], end };
  }
  if (name === 'list-table') return { lines: ['', inline(argument, context), ...listTable(body, context)], end };
  if (name === 'csv-table') {
    const head = options.get('header');
    const rows = [...(head === undefined ? [] : [head]), ...body].filter((row) => !isBlank(row)).map(csvCells);
    return { lines: ['', inline(argument, context), ...tableOf(rows)], end };
  }
  const title = name.replace(/^.*:/, '').replaceAll('-', ' ');
  if (ADMONITIONS.has(name)) {
    const label = `**${title.charAt(0).toUpperCase()}${title.slice(1)}:** ${inline(argument, context)}`.trimEnd();
    return { lines: ['', label, ...within(body), ''], end };
  }
  // The described object, such as a function: further lines before the first blank one are other signatures of it.
  const blank = inner.findIndex((text) => isBlank(text) || OPTION.test(text));
  const signatures = argument === '' ? [] : [argument, ...(blank > 0 ? inner.slice(0, blank) : [])];
  const rest = argument === '' || blank < 0 ? body : optionsOf(inner.slice(Math.max(0, blank))).body;
  const isDescribed = signatures.length > 0 && depth < DEEPEST;
  return {
    lines: [
      '',
      ...(isDescribed ? signatures.map((form) => `\`${form.trim().replaceAll('`', '')}\``) : []),
      '',
      ...within(rest),
      '',
    ],
    end,
  };
}

/** Separates the options at the beginning of a directive from its content. */
function optionsOf(lines: readonly string[]): { options: Map<string, string>; body: readonly string[] } {
  const options = new Map<string, string>();
  let at = 0;
  for (; at < lines.length; at += 1) {
    const [, name, value = ''] = OPTION.exec(lines[at] ?? '') ?? [];
    if (name === undefined) break;
    options.set(name, value.trim());
  }
  return { options, body: withoutBlankEnds(lines.slice(at)) };
}

function listTable(body: readonly string[], context: Context): string[] {
  const rows: string[][] = [];
  for (const line of body) {
    const [, row, , text = ''] = /^(\* +)?(- ?)?(.*)$/.exec(line.trimStart()) ?? [];
    const isCell = /^(?:\* +)?-(?: |$)/.test(line.trimStart());
    if (row !== undefined && isCell) rows.push([text]);
    else if (isCell) rows.at(-1)?.push(text);
    else {
      const cells = rows.at(-1);
      if (cells) cells[cells.length - 1] = `${cells.at(-1) ?? ''} ${line.trim()}`;
    }
  }
  return tableOf(rows.map((row) => row.map((cell) => inline(cell, context))));
}

const csvCells = (line: string): string[] =>
  [...line.matchAll(/\s*(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)]
    .map(([, quoted, plain]) => (quoted ?? plain ?? '').replaceAll('""', '"'))
    .slice(0, -1);

function tableAt(lines: readonly string[], at: number, context: Context): Converted | null {
  const line = lines[at] ?? '';
  if (GRID.test(line)) return gridTable(lines, at, context);
  return SIMPLE_TABLE.test(line) ? simpleTable(lines, at, context) : null;
}

/** A row of a grid table ends at the next border line. */
function gridTable(lines: readonly string[], at: number, context: Context): Converted {
  let end = at;
  while (/^[+|]/.test(lines[end] ?? '')) end += 1;
  const bounds = [...(lines[at] ?? '').matchAll(/\+/g)].map(({ index }) => index);
  const rows: string[][] = [];
  let row: string[] = [];
  for (const line of lines.slice(at + 1, end)) {
    if (line.startsWith('+')) {
      rows.push(row);
      row = [];
    } else {
      // A cell that spans several columns has no borders inside.
      line
        .slice(1)
        .split(/\|/)
        .forEach((_cell, index) => {
          const text = line
            .slice((bounds[index] ?? line.length) + 1, bounds[index + 1] ?? line.length)
            .replace(/\|/g, ' ');
          if (bounds[index + 1] !== undefined) row[index] = `${row[index] ?? ''} ${text.trim()}`;
        });
    }
  }
  return { lines: tableOf(rows.map((cells) => Array.from(cells, (cell = '') => inline(cell.trim(), context)))), end };
}

function simpleTable(lines: readonly string[], at: number, context: Context): Converted {
  const columns = [...(lines[at] ?? '').matchAll(/=+/g)].map(({ index }) => index);
  let end = at + 1;
  // It ends with a border line that is followed by a blank line.
  while (end < lines.length && !(SIMPLE_TABLE.test(lines[end] ?? '') && isBlank(lines[end + 1]))) end += 1;
  const rows: string[][] = [];
  for (const line of lines.slice(at + 1, end)) {
    if (SIMPLE_TABLE.test(line) || isBlank(line) || /^-+(?:\s+-+)*$/.test(line)) continue;
    const cells = columns.map((start, index) => line.slice(start, columns[index + 1]).trim());
    const open = rows.at(-1);
    if (open && cells[0] === '') cells.forEach((cell, index) => (open[index] = `${open[index] ?? ''} ${cell}`));
    else rows.push(cells);
  }
  return {
    lines: tableOf(rows.map((cells) => cells.map((cell) => inline(cell, context)))),
    end: Math.min(end + 1, lines.length),
  };
}

function itemAt(lines: readonly string[], at: number, context: Context, depth: number): Converted | null {
  const line = lines[at] ?? '';
  const match = ITEM.exec(line);
  if (!match) return null;
  const [all, mark = ''] = match;
  // Text that continues without indentation is a paragraph that only starts like an item.
  const next = lines[at + 1] ?? '';
  if (!isBlank(next) && indentOf(next) === 0 && !ITEM.test(next)) return null;
  const end = endOfIndented(lines, at + 1);
  const inner = [line.slice(all.length), ...withoutMargin(lines.slice(at + 1, end))];
  const marker = /^[-*+•]$/.test(mark) ? '- ' : `${/\d+/.exec(mark)?.[0] ?? '1'}. `;
  const [first = '', ...others] = withoutBlankEnds(blocksOf(inner, context, depth + 1));
  const margin = ' '.repeat(marker.length);
  return { lines: [marker + first, ...others.map((text) => (isBlank(text) ? '' : margin + text))], end };
}

function paragraphAt(lines: readonly string[], at: number, context: Context): Converted {
  if (/^>>> /.test(lines[at] ?? '')) {
    let end = at;
    while (!isBlank(lines[end])) end += 1;
    return { lines: fenced(lines.slice(at, end), 'python'), end };
  }
  let end = at + 1;
  while (end < lines.length && !isBlank(lines[end]) && indentOf(lines[end] ?? '') === 0) end += 1;
  const text = lines.slice(at, end).map((line) => line.replace(/^\| ?/, ''));
  const last = text.at(-1) ?? '';
  if (last.endsWith('::') && (isBlank(lines[end]) || indentOf(lines[end] ?? '') > 0)) {
    const codeEnd = endOfIndented(lines, end);
    const introduced = last === '::' ? text.slice(0, -1) : [...text.slice(0, -1), last.replace(/(\s?)::$/, ':')];
    return { lines: [...inlineLines(introduced, context), ...fenced(lines.slice(end, codeEnd))], end: codeEnd };
  }
  // A term of a definition list.
  const isTerm = !isBlank(lines[end]) && end < lines.length;
  return { lines: isTerm ? ['', `**${inlineLines(text, context).join(' ')}**`] : inlineLines(text, context), end };
}

/** Converts a paragraph as a whole, because links may span lines. */
const inlineLines = (lines: readonly string[], context: Context): string[] =>
  lines.length === 0 ? [] : inline(lines.join('\n'), context).split('\n');

const ROLE = /:(?:[\w+.-]+:){0,2}([\w+.-]+):`([^`]{1,2000})`/g;
/** Roles whose text is prose; the text of all others is code. */
const WORDS = new Set(
  'ref doc term abbr dfn numref any emphasis strong guilabel menuselection pep rfc source issue cite sup sub title'.split(
    ' ',
  ),
);

function inline(text: string, { substitutions }: Context): string {
  return text
    .replace(ROLE, (_all, role: string, label: string) => {
      const shown = (/^([^<]*\S)\s*<[^<>]*>$/.exec(label)?.[1] ?? label).replace(/^[!~]/, '');
      if (role === 'pep' || role === 'rfc') return `${role.toUpperCase()} ${shown}`;
      return WORDS.has(role) ? shown : `\`${shown}\``;
    })
    .replace(/``([^`]{1,2000})``/g, '`$1`')
    .replace(
      /`([^`<>]{1,500})<([^<>`\s]{1,2000})>`__?/g,
      (_all, label: string, url: string) => `[${label.trim()}](${url})`,
    )
    .replace(/`([^`]{1,500})`__?/g, '$1')
    .replace(/\|([^|\s][^|\n]{0,99})\|/g, (all, name: string) => substitutions.get(name) ?? all);
}
