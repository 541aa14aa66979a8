/** A program in the subset of jq that is evaluated without jq. */
export type Simple =
  | { kind: 'literal'; value: null | boolean | number | string }
  | { kind: 'input' }
  | { kind: 'variable'; name: string }
  | { kind: 'text'; parts: (string | Simple)[] }
  | { kind: 'index'; of: Simple; key: Simple }
  | { kind: 'each'; of: Simple }
  | { kind: 'array'; items: Simple | null }
  | { kind: 'object'; entries: [key: Simple, value: Simple][] }
  | { kind: 'binary'; operator: string; left: Simple; right: Simple }
  | { kind: 'if'; condition: Simple; then: Simple; otherwise: Simple }
  | { kind: 'call'; name: string; args: Simple[] };

/** The supported jq functions, with their numbers of arguments. */
const FUNCTIONS: Record<string, readonly number[]> = {
  add: [0],
  all: [0, 1],
  any: [0, 1],
  ascii_downcase: [0],
  ascii_upcase: [0],
  empty: [0],
  endswith: [1],
  first: [0],
  has: [1],
  join: [1],
  keys: [0],
  last: [0],
  length: [0],
  map: [1],
  not: [0],
  select: [1],
  split: [1],
  startswith: [1],
  to_entries: [0],
  tostring: [0],
  type: [0],
};
const LITERALS: Record<string, null | boolean> = { null: null, true: true, false: false };
/** Variables with a special meaning in jq. */
const SPECIAL = new Set(['$ENV', '$__loc__', '$__prog_args', '$ARGS']);
/** Not allowed as shorthand keys in all versions of jq. */
const KEYWORDS = new Set(
  'def if then elif else end as reduce foreach try catch label import include and or __loc__'.split(' '),
);
/** From lowest to highest precedence. */
const OPERATORS: readonly (readonly string[])[] = [
  ['|'],
  [','],
  ['//'],
  ['or'],
  ['and'],
  ['==', '!=', '<=', '>=', '<', '>'],
  ['+', '-'],
  ['*', '/', '%'],
];
const [PIPE, ALTERNATIVE, COMPARISON] = [0, 2, 5];

// Numbers with this few digits are the same in JavaScript and in jq, which supports decimals of any length.
const NUMBER = String.raw`(?<number>(?:0|[1-9]\d{0,11})(?:\.\d{1,3})?(?![\w.]))`;
const SIGN = String.raw`(?<sign>//(?!=)|[=!<>]=|[-+*/%|](?!=)|[<>[\](){}:,;"]|\.(?![.\d]))`;
const TOKEN = new RegExp(
  String.raw`\s*(?:${NUMBER}|(?<field>\.[A-Za-z_]\w*)|(?<name>\$?[A-Za-z_]\w*)|${SIGN}|(?<end>$))`,
  'y',
);
/** Plain part of a string literal, with the escapes that JSON also has. */
const PLAIN = /^(?:[^"\\\p{Cc}]|\\["\\/bfnrt]|\\u(?!d[89a-f])[0-9a-f]{4})*/iu;

interface Token {
  kind: 'number' | 'field' | 'name' | 'sign' | 'end';
  text: string;
  /** Position of the next token. */
  end: number;
}

const LONGEST_PROGRAM = 2_000;
const DEEPEST = 40;

/** Thrown when a program is outside of the supported subset, or may have errors. */
export class NotSimple extends Error {}

/** Parses a program; null when only jq can handle it. */
export function simpleProgram(text: string): Simple | null {
  if (text.length > LONGEST_PROGRAM) return null;
  try {
    return new Parser(text).program();
  } catch (error) {
    if (error instanceof NotSimple) return null;
    throw error;
  }
}

class Parser {
  private at = 0;
  private token: Token;
  private depth = 0;

  constructor(private readonly text: string) {
    this.token = this.read();
  }

  program(): Simple {
    const program = this.expression();
    if (this.token.kind !== 'end') throw new NotSimple();
    return program;
  }

  /** Reads operators with at least the given precedence. */
  private expression(level: number = PIPE): Simple {
    this.depth += 1;
    if (this.depth > DEEPEST * OPERATORS.length) throw new NotSimple();
    const operators = OPERATORS[level];
    let left = operators ? this.expression(level + 1) : this.term();
    while (operators?.includes(this.token.text) && this.token.kind !== 'number') {
      const operator = this.next().text;
      const groupsRight = level === PIPE || level === ALTERNATIVE;
      const right = this.expression(groupsRight ? level : level + 1);
      left = { kind: 'binary', operator, left, right };
      // jq does not allow chained comparisons.
      if (level === COMPARISON && operators.includes(this.token.text)) throw new NotSimple();
    }
    this.depth -= 1;
    return left;
  }

  private term(): Simple {
    let term = this.atom();
    for (;;) {
      if (this.token.kind === 'field') term = indexed(term, this.next().text.slice(1));
      else if (this.isSign('[')) term = this.bracket(term);
      else if (this.isSign('.')) throw new NotSimple();
      else return term;
    }
  }

  private bracket(of: Simple): Simple {
    this.take('[');
    if (this.isSign(']')) {
      this.next();
      return { kind: 'each', of };
    }
    const key = this.negative() ?? this.expression();
    this.take(']');
    return { kind: 'index', of, key };
  }

  /** Reads a negative number; undefined when there is none. */
  private negative(): Simple | undefined {
    if (!this.isSign('-')) return undefined;
    this.next();
    if (this.token.kind !== 'number') throw new NotSimple();
    const value = -Number(this.next().text);
    // In jq, the sign applies to the whole product.
    if (value === 0 || ['*', '/', '%'].some((sign) => this.isSign(sign))) throw new NotSimple();
    return literal(value);
  }

  private atom(): Simple {
    const { kind, text } = this.token;
    if (kind === 'number') return literal(Number(this.next().text));
    if (kind === 'field') {
      this.next();
      return indexed({ kind: 'input' }, text.slice(1));
    }
    if (kind === 'name') return this.named();
    switch (text) {
      case '-':
        return this.negative() ?? refuse();
      case '"':
        return this.quoted();
      case '.':
        return this.dot();
      case '(':
        return this.parenthesis();
      case '[':
        return this.array();
      case '{':
        return this.object();
      default:
        throw new NotSimple();
    }
  }

  private dot(): Simple {
    this.take('.');
    if (!this.isSign('"')) return { kind: 'input' };
    return { kind: 'index', of: { kind: 'input' }, key: this.quoted() };
  }

  private parenthesis(): Simple {
    this.take('(');
    const inner = this.expression();
    this.take(')');
    return inner;
  }

  private array(): Simple {
    this.take('[');
    const items = this.isSign(']') ? null : this.expression();
    this.take(']');
    return { kind: 'array', items };
  }

  private object(): Simple {
    this.take('{');
    const entries: [Simple, Simple][] = [];
    while (!this.isSign('}')) {
      if (entries.length > 0) this.take(',');
      entries.push(this.entry());
    }
    this.take('}');
    return { kind: 'object', entries };
  }

  private entry(): [Simple, Simple] {
    const { kind, text } = this.token;
    if (kind === 'name') {
      this.next();
      if (text.startsWith('$')) return [literal(text.slice(1)), variable(text)];
      if (KEYWORDS.has(text)) throw new NotSimple();
      return [literal(text), this.isSign(':') ? this.value() : indexed({ kind: 'input' }, text)];
    }
    if (text !== '"' && text !== '(') throw new NotSimple();
    const key = text === '"' ? this.quoted() : this.parenthesis();
    return [key, this.value()];
  }

  /** Reads the value of an entry: anything beyond one term needs parentheses. */
  private value(): Simple {
    this.take(':');
    const value = this.term();
    if (!this.isSign(',') && !this.isSign('}')) throw new NotSimple();
    return value;
  }

  private named(): Simple {
    const { text } = this.next();
    if (text.startsWith('$')) return variable(text);
    if (Object.hasOwn(LITERALS, text)) return literal(LITERALS[text] ?? null);
    if (text === 'if') return this.choice();
    const args: Simple[] = [];
    if (this.isSign('(')) {
      this.next();
      do args.push(this.expression());
      while (this.isSign(';') && this.next());
      this.take(')');
    }
    if (!Object.hasOwn(FUNCTIONS, text) || !FUNCTIONS[text]?.includes(args.length)) throw new NotSimple();
    return { kind: 'call', name: text, args };
  }

  private choice(): Simple {
    const condition = this.expression();
    this.word('then');
    const then = this.expression();
    const { text } = this.next();
    if (text === 'elif') return { kind: 'if', condition, then, otherwise: this.choice() };
    if (text === 'end') return { kind: 'if', condition, then, otherwise: { kind: 'input' } };
    if (text !== 'else') throw new NotSimple();
    const otherwise = this.expression();
    this.word('end');
    return { kind: 'if', condition, then, otherwise };
  }

  /** Reads a string with interpolations; supports only escapes that JSON also has. */
  private quoted(): Simple {
    const parts: (string | Simple)[] = [];
    let at = this.token.end;
    for (;;) {
      const plain = PLAIN.exec(this.text.slice(at, at + LONGEST_PROGRAM))?.[0] ?? '';
      parts.push(JSON.parse(`"${plain}"`) as string);
      at += plain.length;
      const stop = this.text.slice(at, at + 2);
      if (stop.startsWith('"')) {
        this.at = at + 1;
        this.token = this.read();
        return parts.length === 1 ? literal(parts[0] as string) : { kind: 'text', parts };
      }
      if (stop !== '\\(') throw new NotSimple();
      this.at = at + 2;
      this.token = this.read();
      parts.push(this.expression());
      if (!this.isSign(')')) throw new NotSimple();
      at = this.token.end;
    }
  }

  private isSign(sign: string): boolean {
    return this.token.kind === 'sign' && this.token.text === sign;
  }

  private take(sign: string): void {
    if (!this.isSign(sign)) refuse();
    this.next();
  }

  private word(word: string): void {
    if (this.next().text !== word) throw new NotSimple();
  }

  /** Returns the current token, and advances to the next one. */
  private next(): Token {
    const { token } = this;
    // The text after a quotation mark is not a token.
    if (token.text !== '"' || token.kind !== 'sign') this.token = this.read();
    return token;
  }

  private read(): Token {
    TOKEN.lastIndex = this.at;
    const groups = TOKEN.exec(this.text)?.groups;
    if (!groups) throw new NotSimple();
    const [kind, text] = Object.entries(groups).find(([, found]) => found !== undefined) as [Token['kind'], string];
    this.at = TOKEN.lastIndex;
    return { kind, text, end: this.at };
  }
}

const literal = (value: null | boolean | number | string): Simple => ({ kind: 'literal', value });
const indexed = (of: Simple, name: string): Simple => ({ kind: 'index', of, key: literal(name) });

function variable(text: string): Simple {
  return SPECIAL.has(text) ? refuse() : { kind: 'variable', name: text.slice(1) };
}

export function refuse(): never {
  throw new NotSimple();
}
