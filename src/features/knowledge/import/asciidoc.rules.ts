import { fenced, isBlank, joined, tableOf } from './markdown-output.rules.js';

/** Deeper blocks are not converted. */
const DEEPEST = 12;
const TITLE = /^(={1,6}|#{1,6})\s+(\S.*)$/;
/** The underline of a two-line title; its character determines the level. */
const UNDERLINE = /^([=\-~^+])\1+$/;
const UNDERLINES = '=-~^+';
/** How much longer or shorter than the title the underline may be. */
const UNDERLINE_SLACK = 3;
const DELIMITER = /^(-{4,}|\.{4,}|\+{4,}|={4,}|\*{4,}|_{4,}|\/{4,}|--|```[\w+#-]*|[|,:!]={3,})$/;
const ATTRIBUTE = /^:([\w-]{1,100}):(?:\s+(.{0,1000}))?$/;
const ATTRIBUTES = /^\[(\[[^\]]*\]|[^\]]*)\]$/;
const LIST_ITEM = /^\s*(\*{1,6}|-|\.{1,6}|\d{1,9}\.|[a-z]\.|<\d{1,3}>|<\.>)\s+(?=\S)/;
const TERM = /^\s*(\S.{0,300}?)(:{2,4}|;;)(?:\s+(\S.*))?$/;
const LABEL = /^(NOTE|TIP|IMPORTANT|WARNING|CAUTION):\s+/;

/** The state of the conversion: of the whole text, and of the next block. */
interface Context {
  attributes: Map<string, string>;
  /** The style of the next block, such as `source,java`. */
  style: string;
  depth: number;
}

/** A converted block, and the number of the line after it. */
interface Converted {
  lines: string[];
  end: number;
}

/**
 * Converts AsciiDoc to Markdown, line by line: titles, code, lists, tables, notes, links and pictures. Leaves out comments,
 * conditions, and the content of other files. Source: https://docs.asciidoctor.org/asciidoc/latest/
 */
export function asciidocToMarkdown(text: string): string {
  const lines = text.split('\n').map((line) => line.replaceAll('\t', '    ').trimEnd());
  return joined(blocksOf(lines, { attributes: new Map(), style: '', depth: 0 }));
}

function blocksOf(lines: readonly string[], context: Context): string[] {
  if (context.depth > DEEPEST) return [...lines];
  const out: string[] = [];
  for (let at = 0; at < lines.length;) {
    const next = blockAt(lines, at, context);
    for (const line of next.lines) out.push(line); // possibly too many for one call of push
    at = next.end;
  }
  return out;
}

function blockAt(lines: readonly string[], at: number, context: Context): Converted {
  const line = lines[at] ?? '';
  const one = (...converted: string[]): Converted => ({ lines: converted, end: at + 1 });
  if (isBlank(line) || line === '+') return one('');
  if (/^\/\/(?!\/)/.test(line) || /^(?:ifdef|ifndef|ifeval|endif|include|toc)::/.test(line)) return one();
  const [, name = '', value = ''] = ATTRIBUTE.exec(line) ?? [];
  if (name !== '') {
    context.attributes.set(name, value);
    return one();
  }
  const delimiter = DELIMITER.exec(line)?.[1];
  if (delimiter !== undefined) return delimitedAt(lines, at, delimiter, context);
  const [, attributes] = ATTRIBUTES.exec(line) ?? [];
  if (attributes !== undefined) {
    if (!/^\[|^#/.test(attributes)) context.style = attributes;
    return one();
  }
  const style = context.style;
  context.style = '';
  if (/^\.[^\s.]/.test(line)) {
    context.style = style; // the title of a block is between its style and the block
    return one('', `**${inline(line.slice(1), context)}**`);
  }
  if (/^(?:'{3,}|<{3,})$/.test(line)) return one('', line.startsWith("'") ? '---' : '', '');
  const title = titleAt(lines, at, context);
  if (title) return title;
  if (/^image::/.test(line)) return one('', inline(line.replace('image::', 'image:'), context), '');
  if (/^\s/.test(line) && !LIST_ITEM.test(line) && !TERM.test(line)) return literalAt(lines, at, style);
  return listAt(lines, at, context) ?? paragraphAt(lines, at, style, context);
}

function titleAt(lines: readonly string[], at: number, context: Context): Converted | null {
  const [line = '', below = ''] = lines.slice(at, at + 2);
  const [, marks = '', title = ''] = TITLE.exec(line) ?? [];
  if (marks !== '') return headingOf(marks.length, title.replace(/(?<!\s)\s+[=#]+$/, ''), at + 1, lines, context);
  const isUnderlined =
    UNDERLINE.test(below) && /[\p{L}\p{N}]/u.test(line) && Math.abs(below.length - line.length) < UNDERLINE_SLACK;
  const isAlone = isBlank(lines[at - 1]) || /^\[|^\/\/|^:/.test(lines[at - 1] ?? '');
  if (!isUnderlined || !isAlone || /^\s/.test(line)) return null;
  return headingOf(UNDERLINES.indexOf(below.charAt(0)) + 1, line, at + 2, lines, context);
}

function headingOf(level: number, title: string, end: number, lines: readonly string[], context: Context): Converted {
  let after = end;
  // The author and the revision follow directly after the title of the document.
  if (level === 1 && end <= 3) while (!isBlank(lines[after]) && !/^[:=/[]/.test(lines[after] ?? '')) after += 1;
  return { lines: ['', `${'#'.repeat(level)} ${inline(title.trim(), context)}`, ''], end: after };
}

function delimitedAt(lines: readonly string[], at: number, delimiter: string, context: Context): Converted {
  const close = delimiter.startsWith('```') ? '```' : delimiter;
  let end = at + 1;
  while (end < lines.length && lines[end] !== close) end += 1;
  // Without an end delimiter, it is not a block.
  if (end === lines.length && delimiter.length < 4) return { lines: [''], end: at + 1 };
  const body = lines.slice(at + 1, end);
  const [kind = '', language = ''] = context.style.split(',').map((part) => part.trim());
  const style = context.style;
  context.style = '';
  const converted = (): string[] => {
    if (close.startsWith('/')) return [];
    if (close === '```') return fenced(body, delimiter.slice(3));
    if (/^[|,:!]/.test(close)) return table(body, style, context);
    if (/^(?:source|listing|literal|stem|latexmath)/.test(kind) || /^(?:-{4}|\.{4}|\+{4})/.test(close)) {
      return fenced(body.map(withoutCallout), kind.startsWith('source') ? language : '');
    }
    const label = /^(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)$/.test(kind) ? [`**${labelOf(kind)}:**`] : [];
    return ['', ...label, ...blocksOf(body, { ...context, depth: context.depth + 1 }), ''];
  };
  return { lines: converted(), end: Math.min(end + 1, lines.length) };
}

const withoutCallout = (line: string): string =>
  line.replace(/(?<!\s)\s*(?:(?:\/\/|#|;;|--)\s?)?<(?:\d{1,3}|\.)>$/, '');
const labelOf = (label: string): string => label.charAt(0) + label.slice(1).toLowerCase();

/** Indented lines are code, up to the next blank line. */
function literalAt(lines: readonly string[], at: number, style: string): Converted {
  let end = at + 1;
  while (end < lines.length && !isBlank(lines[end]) && lines[end] !== '+') end += 1;
  const text = lines.slice(at, end);
  return { lines: /^normal/.test(style) ? text.map((line) => line.trim()) : fenced(text), end };
}

function listAt(lines: readonly string[], at: number, context: Context): Converted | null {
  const line = lines[at] ?? '';
  const item = LIST_ITEM.exec(line);
  const term = item ? null : TERM.exec(line);
  if (!item && !term) return null;
  const end = endOfItem(lines, at + 1);
  const more = lines.slice(at + 1, end).map((text) => inline(text.trim(), context));
  if (term) {
    const [, name = '', , text = ''] = term;
    return {
      lines: ['', `**${inline(name.trim(), context)}**`, '', ...inline(text, context).split('\n'), ...more],
      end,
    };
  }
  const [all = '', mark = ''] = item ?? [];
  const depth = /^[*.]+$/.test(mark) ? mark.length - 1 : 0;
  const [, number = '1'] = /^<?(\d+)/.exec(mark) ?? [];
  const marker = `${'   '.repeat(depth)}${/^[*-]/.test(mark) ? '-' : `${number}.`} `;
  const margin = ' '.repeat(marker.length);
  return { lines: [marker + inline(line.slice(all.length), context), ...more.map((text) => margin + text)], end };
}

/** Returns the number of the line after the continuation of an item. */
function endOfItem(lines: readonly string[], from: number): number {
  let end = from;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? '';
    if (isBlank(line) || line === '+' || LIST_ITEM.test(line) || TERM.test(line)) break;
    if (DELIMITER.test(line) || ATTRIBUTES.test(line) || /^\/\/|^(?:ifdef|ifndef|endif|include)::/.test(line)) break;
  }
  return end;
}

function paragraphAt(lines: readonly string[], at: number, style: string, context: Context): Converted {
  let end = at + 1;
  while (end < lines.length && !isBlank(lines[end]) && lines[end] !== '+' && !isInterrupting(lines[end] ?? ''))
    end += 1;
  const text = lines.slice(at, end);
  if (/^(?:source|listing|literal|verse)/.test(style))
    return { lines: fenced(text, style.split(',')[1]?.trim() ?? ''), end };
  const [, label] = LABEL.exec(text[0] ?? '') ?? (/^(NOTE|TIP|IMPORTANT|WARNING|CAUTION)$/.exec(style) || []);
  const body = text.join('\n').replace(LABEL, '').replace(/ \+$/gm, '  ');
  return {
    lines: [
      ...(label === undefined ? [] : ['']),
      ...`${label === undefined ? '' : `**${labelOf(label)}:** `}${inline(body, context)}`.split('\n'),
    ],
    end,
  };
}

const isInterrupting = (line: string): boolean =>
  DELIMITER.test(line) || /^\/\/|^(?:ifdef|ifndef|endif|include)::/.test(line) || /^\[[\w,.%#"'= -]+\]$/.test(line);

function table(body: readonly string[], style: string, context: Context): string[] {
  const cells: { text: string }[] = [];
  let firstLine = 0;
  body.forEach((line) => {
    const parts = line.split(/(?<!\\)\|/);
    const [before = '', ...others] = parts;
    if (others.length === 0 || !/^\s*[\w.+*<>^]*\s*$/.test(before)) {
      const open = cells.at(-1);
      if (open && !isBlank(line)) open.text += ` ${others.length === 0 ? line : before}`;
    }
    if (firstLine === 0 && others.length > 0) firstLine = others.length;
    // The text before a cell mark may be the format of the cell.
    for (const text of others) cells.push({ text: text.replace(/(?<!\s)\s+[\d.+*]{0,9}[<>^]{0,4}[aehlmsd]?$/, '') });
  });
  const columns = columnsOf(style) ?? Math.max(1, firstLine);
  const rows: string[][] = [];
  cells.forEach(({ text }, index) => {
    if (index % columns === 0) rows.push([]);
    rows.at(-1)?.push(inline(text.trim(), context));
  });
  return tableOf(rows);
}

/** Returns the number of columns in the attributes of a table, such as `cols="1,2*"`; null = not specified. */
function columnsOf(style: string): number | null {
  const [, quoted, plain] = /cols\s*=\s*(?:"([^"]{1,300})"|([\w*]{1,20}))/.exec(style) ?? [];
  const written = quoted ?? plain;
  if (written === undefined) return null;
  const count = written
    .split(/[,;]/)
    .reduce((sum, part) => sum + Math.min(50, Number(/^\s*(\d{1,2})\*/.exec(part)?.[1] ?? 1)), 0);
  return Math.min(50, Math.max(1, count));
}

function inline(text: string, { attributes }: Context): string {
  return text
    .replace(/\{([\w-]{1,100})\}/g, (all, name: string) => attributes.get(name) ?? CHARACTERS[name] ?? all)
    .replace(
      /<<([^,<>\n]{1,300})(?:,\s*([^<>]{1,300}))?>>/g,
      (_all, id: string, label?: string) => label ?? id.replace(/^[#_]+/, ''),
    )
    .replace(/\bxref:([^\s[\]]{1,500})\[([^\]]{0,500})\]/g, (_all, id: string, label: string) => label || id)
    .replace(
      /\bimage:([^\s[\]:][^\s[\]]{0,1000})\[([^\],]{0,500})[^\]]{0,500}\]/g,
      (_all, url: string, label: string) => `![${label.replaceAll('"', '')}](${url})`,
    )
    .replace(
      /\blink:([^\s[\]]{1,2000})\[([^\]]{0,500})\]/g,
      (_all, url: string, label: string) => `[${labelIn(label) || url}](${url})`,
    )
    .replace(
      /\b((?:https?|ftp|mailto|irc):[^\s[\]<>]{1,2000})\[([^\]]{0,500})\]/g,
      (_all, url: string, label: string) => `[${labelIn(label) || url}](${url})`,
    )
    .replace(/\blinkgit:([\w.-]{1,100})\[(\d?)\]/g, (_all, name: string, section: string) =>
      section === '' ? `\`${name}\`` : `\`${name}(${section})\``,
    )
    .replace(/\b(?:kbd|btn|menu|footnote|pass|stem):(?:[\w,]{0,50})\[([^\]]{0,1000})\]/g, '$1')
    .replace(/\[\[[\w.,:-]{1,200}\]\]|\[#[\w.-]{1,200}\](?=#)/g, '')
    .replace(/(?<![\w*\\])\*(?![\s*])([^*\n]{1,500}?)(?<!\s)\*(?![\w*])/g, '**$1**')
    .replace(/(?<![\w`+\\])\+(?![\s+])([^+\n]{1,500}?)(?<!\s)\+(?![\w+])/g, '`$1`');
}

const labelIn = (label: string): string => label.replace(/\^$/, '').replace(/^"|"$/g, '').trim();

/** Predefined attributes of every document. */
const CHARACTERS: Record<string, string> = {
  ...{
    nbsp: ' ',
    sp: ' ',
    empty: '',
    blank: '',
    plus: '+',
    asterisk: '*',
    caret: '^',
    tilde: '~',
    backtick: '`',
    lt: '<',
    gt: '>',
  },
  ...{
    amp: '&',
    startsb: '[',
    endsb: ']',
    vbar: '|',
    apos: "'",
    quot: '"',
    backslash: '\\',
    'two-colons': '::',
    zwsp: '',
    wj: '',
  },
};
