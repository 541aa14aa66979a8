import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { JsonObject } from '#skill-kit';

export interface LineProblem {
  severity: 'error' | 'warning';
  line: number;
  message: string;
}

export interface ReadFields {
  /** null when there are errors. */
  fields: JsonObject | null;
  /** The lines of the top-level fields, by name. */
  lines: ReadonlyMap<string, number>;
  problems: LineProblem[];
}

const MOST_VALUES = 1_000;
const MOST_LEVELS = 10;

/**
 * Parses YAML as JSON, all or nothing.
 * @param text a few KB at most, because the library is slow
 * @param firstLine the line of the file in which it begins
 */
export function readFields(text: string, firstLine: number): ReadFields {
  const counter = new LineCounter();
  const lineAt = (offset: number): number => firstLine - 1 + Math.max(1, counter.linePos(offset).line);
  const refused = (line: number, message: string): ReadFields => ({
    fields: null,
    lines: new Map(),
    problems: [{ severity: 'error', line, message }],
  });
  // Duplicates are detected below, because the library's check takes quadratic time. Pretty errors would contain parts of the
  // text.
  const options = { lineCounter: counter, uniqueKeys: false, prettyErrors: false, logLevel: 'error' } as const;
  const document = parsed(() => parseDocument(text, options));
  if (document === null) return refused(firstLine, 'not valid YAML: fields are nested too deep');
  const [error] = document.errors;
  if (error) return refused(lineAt(error.pos[0]), `not valid YAML: ${meaningOf(error.message)}`);
  if (!isMap(document.contents)) return refused(firstLine, 'the frontmatter must be fields, such as "name: release"');
  const reader = new ValueReader(lineAt);
  const fields = reader.read(document.contents, 0);
  const lines = new Map(
    document.contents.items.map(({ key }) => [nameOf(key), lineAt((key as Node | null)?.range?.[0] ?? 0)]),
  );
  return { fields: reader.problems.length === 0 ? (fields as JsonObject) : null, lines, problems: reader.problems };
}

/** Returns null when the nesting overflows the library's stack. */
function parsed<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch (error) {
    if ((Object(error) as Error).name === 'RangeError') return null;
    throw error;
  }
}

/** Our messages for errors of the library in a frontmatter, by a part of its messages. */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [
    /Implicit (?:map )?keys need/,
    'this line is no field: indent a text that goes on, or end the frontmatter with "---"',
  ],
  [/Nested mappings|implicit key/, 'put a text that has ": " in it in quotes, or on a separate line after ">-"'],
  [/Unexpected (?:scalar|alias) at node end/, 'the value goes on after its end: put all of the text in quotes'],
  [/Missing closing/, 'a text that begins with a quotation mark must end with one'],
];

const meaningOf = (message: string): string =>
  MEANINGS.find(([part]) => part.test(message))?.[1] ?? message.slice(0, 200);

const nameOf = (key: unknown): string => (isScalar(key) ? String(key.value) : '');

/** Converts YAML nodes to JSON; stops at the first mistake. */
class ValueReader {
  readonly problems: LineProblem[] = [];
  private values = 0;

  constructor(private readonly lineAt: (offset: number) => number) {}

  read(node: unknown, level: number): unknown {
    if (this.problems.length > 0) return null;
    this.values += 1;
    if (this.values > MOST_VALUES)
      return this.refuse(node, `there are more than ${MOST_VALUES} values: leave some out`);
    if (level > MOST_LEVELS) return this.refuse(node, `fields are nested more than ${MOST_LEVELS} levels deep`);
    if (isAlias(node))
      return this.refuse(
        node,
        'a value that begins with * is an alias, which is not allowed here: put a text in quotes',
      );
    if (isMap(node)) {
      const entries = new Map<string, unknown>();
      for (const { key, value } of node.items) {
        if (!isScalar(key)) return this.refuse(key ?? node, 'the name of a field must be a text');
        const name = String(key.value);
        if (entries.has(name)) return this.refuse(key, `the field "${name.slice(0, 100)}" is there twice`);
        entries.set(name, this.read(value, level + 1));
      }
      return Object.fromEntries(entries);
    }
    if (isSeq(node)) return node.items.map((item) => this.read(item, level + 1));
    const value: unknown = isScalar(node) ? node.value : null;
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value))
      return value;
    return this.refuse(node, 'is not a value that JSON knows: put it in quotes');
  }

  private refuse(node: unknown, message: string): null {
    const line = this.lineAt((node as Node | null)?.range?.[0] ?? 0);
    if (this.problems.length === 0) this.problems.push({ severity: 'error', line, message });
    return null;
  }
}
