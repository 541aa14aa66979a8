import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type YAMLMap,
  type YAMLParseError,
} from 'yaml';
import type { JsonObject } from '../json.js';
import { changedNumber } from './changed-number.js';
import type { DocumentNode, Member } from './document-node.js';
import { pointerTo } from '../json-pointer.js';
import { quoted } from './quoting.js';

export const MOST_BYTES = 256 * 1024;
const MOST_LEVELS = 60;
const LONGEST_NAME = 200;
/** Limits for the document with its aliases expanded: a few anchors can expand to gigabytes. */
const MOST_VALUES = 50_000;
const MOST_CHARACTERS = 1024 * 1024;

/** A syntax problem, found before the document's structure is checked. */
interface TextProblem {
  at: number;
  path: string;
  message: string;
  /** Absent = an error. */
  severity?: 'warning';
}

export interface DocumentText {
  /** Null when a problem leaves no usable document. */
  root: DocumentNode | null;
  problems: TextProblem[];
  positionOf(offset: number): { line: number; column: number };
}

/** Reads a YAML (or JSON) text, within limits that hold for any text. */
export function readDocument(text: string): DocumentText {
  const nowhere = () => ({ line: 1, column: 1 });
  const refused = (message: string): DocumentText => ({
    root: null,
    problems: [{ at: 0, path: '', message }],
    positionOf: nowhere,
  });
  if (text.length > MOST_BYTES || Buffer.byteLength(text) > MOST_BYTES) {
    return refused(`the document is longer than ${MOST_BYTES / 1024} KB: split it into several workflows`);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    // Duplicates are detected below: this check takes quadratic time.
    uniqueKeys: false,
    // Pretty errors quote parts of the text.
    prettyErrors: false,
    // With 'silent', a second document would not be reported as an error.
    logLevel: 'error',
  });
  const positionOf = (offset: number) => {
    const { line, col } = lines.linePos(Math.max(0, Math.min(offset, text.length)));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const [error] = document.errors;
  if (error) {
    const message = /^\s*```/.test(text) ? FENCED : meaningOf(error);
    return { root: null, problems: [{ at: error.pos[0], path: '', message }], positionOf };
  }
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) {
    return refused('the document is empty: a workflow has at least document and do');
  }
  const reader = new NodeReader();
  const root = reader.read(document.contents, '', 0);
  return { root: reader.isOverLimit ? null : root, problems: reader.problems, positionOf };
}

function meaningOf({ code, message }: YAMLParseError): string {
  if (code === 'RESOURCE_EXHAUSTION') return TOO_DEEP;
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here: a text holds one workflow';
  if (code === 'BLOCK_AS_IMPLICIT_KEY') {
    return 'not valid YAML: put a text that has ": " in it in quotes, or on a separate line after >-';
  }
  return `not valid YAML: ${message.slice(0, 200)}`;
}

const FENCED = 'not valid YAML: leave out the ``` of Markdown before and after the workflow';

const TOO_DEEP = `the document is nested more than ${MOST_LEVELS} levels deep: move parts of it to use.functions`;

const NO_MERGE = '"<<" is not supported: write the properties themselves, or a whole value as an alias (*name)';

/** Converts YAML nodes to ours, with aliases expanded. */
class NodeReader {
  readonly problems: TextProblem[] = [];
  isOverLimit = false;
  /** The anchors defined so far, by name. */
  private readonly anchors = new Map<string, Node>();
  private values = 0;
  private characters = 0;

  read(node: unknown, path: string, level: number, aliasAt?: number): DocumentNode {
    const at = aliasAt ?? (node as Node | null)?.range?.[0] ?? 0;
    if (this.isOverLimit || !this.fits(node, path, level, at))
      return { type: 'scalar', value: null, isBroken: true, at };
    if (isAlias(node)) return this.readAlias(node.source, path, level, at);
    if (aliasAt === undefined) this.noteAnchor(node);
    if (isMap(node)) return this.readObject(node, path, level, at, aliasAt);
    if (isSeq(node)) {
      const items = node.items.map((item, index) => this.read(item, pointerTo(path, index), level + 1, aliasAt));
      return { type: 'list', items, value: items.map(({ value }) => value), at };
    }
    const value = isScalar(node) ? node.value : (node ?? null);
    // A time, bytes, or a pair of an ordered map: YAML has tags for them.
    if (!isPlain(value)) return this.broken(at, path, 'is a value that JSON does not have: write it as text');
    if (typeof value === 'number' && !Number.isFinite(value))
      return this.broken(at, path, 'is not a number that JSON knows');
    const change = typeof value === 'number' && isScalar(node) ? changedNumber(node.source ?? '') : null;
    if (change !== null) this.problems.push({ at, path, message: change, severity: 'warning' });
    return { type: 'scalar', value, at };
  }

  private broken(at: number, path: string, message: string): DocumentNode {
    this.problems.push({ at, path, message });
    return { type: 'scalar', value: null, isBroken: true, at };
  }

  private readAlias(name: string, path: string, level: number, at: number): DocumentNode {
    const target = this.anchors.get(name);
    if (target) return this.read(target, path, level + 1, at);
    return this.broken(at, path, `there is no anchor ${quoted(name)} before this alias`);
  }

  private noteAnchor(node: unknown): void {
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined)
      this.anchors.set(node.anchor, node);
  }

  private readObject(map: YAMLMap, path: string, level: number, at: number, aliasAt?: number): DocumentNode {
    const members = new Map<string, Member>();
    const value: JsonObject = {};
    for (const { key, value: content } of map.items) {
      const nameAt = aliasAt ?? (key as Node | null)?.range?.[0] ?? at;
      if (isScalar(key) && key.type === 'PLAIN' && key.value === '<<') return this.broken(nameAt, path, NO_MERGE);
      const name = this.nameOf(key, path, nameAt);
      if (name === null) continue;
      const memberPath = pointerTo(path, name);
      if (members.has(name)) {
        this.problems.push({ at: nameAt, path: memberPath, message: `${quoted(name)} is here twice: remove one` });
        continue;
      }
      const node = this.read(content, memberPath, level + 1, aliasAt);
      // An empty value has no position of its own.
      if (node.type === 'scalar' && node.value === null) node.at = nameAt;
      this.characters += name.length;
      members.set(name, { nameAt, node });
      value[name] = node.value;
    }
    return { type: 'object', members, value, at };
  }

  /** Returns the name of a member; reports a problem and returns null when it cannot be a name. */
  private nameOf(key: unknown, path: string, at: number): string | null {
    const target = isAlias(key) ? this.anchors.get(key.source) : key;
    this.noteAnchor(key);
    const value = isScalar(target) ? target.value : undefined;
    if (value === null || !isPlain(value)) {
      this.problems.push({ at, path, message: 'a name must be text' });
      return null;
    }
    const name = String(value);
    if (name.length === 0 || name.length > LONGEST_NAME || name === '__proto__' || /\p{Cc}/u.test(name)) {
      const message = `a name must have 1 to ${LONGEST_NAME} characters, all of them printable, and not be __proto__`;
      this.problems.push({ at, path, message });
      return null;
    }
    return name;
  }

  private fits(node: unknown, path: string, level: number, at: number): boolean {
    this.values += 1;
    if (isScalar(node) && typeof node.value === 'string') this.characters += node.value.length;
    if (level > MOST_LEVELS) return this.exceed(TOO_DEEP, path, at);
    if (this.values > MOST_VALUES || this.characters > MOST_CHARACTERS) {
      const limits = `${MOST_VALUES} values or ${MOST_CHARACTERS / 1024} KB of text`;
      return this.exceed(
        `with its aliases replaced, the document has more than ${limits}: use fewer aliases`,
        path,
        at,
      );
    }
    return true;
  }

  private exceed(message: string, path: string, at: number): false {
    this.isOverLimit = true;
    this.problems.push({ at, path, message });
    return false;
  }
}

const isPlain = (value: unknown): value is null | boolean | number | string =>
  value === null || ['boolean', 'number', 'string'].includes(typeof value);
