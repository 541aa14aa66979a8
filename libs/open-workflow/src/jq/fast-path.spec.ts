import type { Json, JsonObject } from '../json.js';
import { evaluateFast } from './fast-path.js';
import { JqExpressions } from './jq-expressions.js';
import { numbersBelow } from '../../../../test/fuzz/random.js';

const random = numbersBelow(20_261_126);
const oneOf = <T>(values: readonly T[]): T => values[random(values.length)] as T;

const NAMES = ['a', 'b', '_c1', '__proto__', 'constructor', 'length', 'and', 'null', 'toString'];
const NUMBERS = [0, -1, 1, 2, 1.5, 0.1 + 0.2, 1e21, 1e-7, 123456789012, 9007199254740991, -0.5];
const TEXTS = ['', 'a', 'A b', '1', 'true', 'é', '😀', 'line\nbreak', '"quoted"'];

function value(depth: number): Json {
  switch (random(depth > 0 ? 7 : 4)) {
    case 0:
      return null;
    case 1:
      return random(2) === 0;
    case 2:
      return oneOf(NUMBERS);
    case 3:
      return oneOf(TEXTS);
    case 4:
      return Array.from({ length: random(4) }, () => value(depth - 1));
    default:
      return Object.fromEntries(Array.from({ length: random(5) }, () => [oneOf(NAMES), value(depth - 1)]));
  }
}

function path(): string {
  const steps = Array.from({ length: random(4) }, () => (random(4) === 0 ? `[${random(3)}]` : `.${oneOf(NAMES)}`)).join(
    '',
  );
  if (random(3) === 0) return `$${oneOf(['context', 'item', '_x'])}${steps}`;
  return steps.startsWith('.') ? steps : `.${steps}`;
}

const literal = () =>
  oneOf([
    'null',
    'true',
    'false',
    '0',
    '-1',
    '1.5',
    '123456789012',
    '0.3',
    '"a"',
    '"A b"',
    '""',
    '"é"',
    '"a\\nb"',
    '007',
    '1e3',
    '"\\u00e9\\/"',
  ]);

const space = () => oneOf(['', '', ' ', '  ', '\n']);

const amount = () => oneOf(['0', '1', '7', '12', '-3', '0.25', '(. | length)', '(.a | length)']);

/** A value for functions to work on. */
const data = () =>
  oneOf([path(), path(), '.', '$item', '{a: .a, b: "x"}', '["a", .b, 1]', '[true, 2]', '"A, b"', '""']);

/** Generates a program, which may be invalid. */
function program(depth: number): string {
  const inner = () => program(depth - 1);
  const gap = space();
  switch (depth <= 0 ? random(3) : random(17)) {
    case 0:
      return literal();
    case 1:
    case 2:
      return `${gap}${path()}${gap}`;
    case 3:
      if (random(2) === 0)
        return `${amount()} ${oneOf(['+', '-', '*', '/', '%', '<', '<=', '>', '>=', '=='])} ${amount()}`;
      return `${path()}${gap}${oneOf(['==', '!=', '<', '<=', '>', '>='])}${gap}${literal()}`;
    case 4:
    case 5:
      return `${inner()}${gap}${oneOf(['+', '-', '*', '/', '%', '//', 'and', 'or', '|', ',', '==', '<', '>='])} ${inner()}`;
    case 6:
      return `(${inner()})${oneOf(['', '', '.a', '[0]', '[-1]', '[]'])}`;
    case 7:
      return `[${gap}${oneOf([inner(), `${path()}[]`, `${path()}[] | ${inner()}`, ''])}]`;
    case 8:
      return `{${gap}${Array.from({ length: random(3) }, entry).join(`,${gap}`)}}`;
    case 9:
      return `"${oneOf(['', 'a ', 'é', '\\"'])}\\(${inner()})${oneOf(['', ' b', `\\(${path()})`])}"`;
    case 10:
      return `if ${inner()} then ${inner()} ${oneOf(['', `elif ${inner()} then ${inner()} `])}${oneOf(['', `else ${inner()} `])}end`;
    case 11:
      return `${data()} | ${oneOf(['length', 'keys', 'add', 'any', 'all', 'first', 'last', 'not', 'tostring', 'type', 'to_entries', 'ascii_downcase', 'ascii_upcase'])}`;
    case 12:
      return `${data()} | ${oneOf(['map', 'any', 'all'])}(${inner()})`;
    case 13:
      return `${data()} | map(select(${inner()}))`;
    case 14:
      return `${data()} | ${oneOf(['has', 'join', 'split', 'startswith', 'endswith'])}(${oneOf([inner(), '"a"', '", "', '""', '0'])})`;
    case 15:
      return `.${oneOf(NAMES)}${oneOf(['[]', '."a"', '["b"]', '[0]', '?', '.[0]', '[1:]'])}`;
    default:
      return `[${path()}[] | select(${inner()}) | ${inner()}]`;
  }
}

function entry(): string {
  const key = oneOf([oneOf(NAMES), '"a b"', '"\\(.a)"', '($item.a)', '1', '"1"']);
  return oneOf([`${key}: ${program(0)}`, `${key}: (${program(1)})`, oneOf(['a', 'b', '$item']), `${key}: -1`]);
}

/** Features that the compared programs must cover. */
const PARTS = [
  ...[
    'length',
    'keys',
    'add',
    'any',
    'all',
    'first',
    'last',
    'not',
    'tostring',
    'type',
    'to_entries',
    'ascii_downcase',
  ],
  ...['ascii_upcase', 'map(', 'select(', 'has(', 'join(', 'split(', 'startswith(', 'endswith(', 'if ', 'elif ', '\\('],
  ...[
    '+',
    '-',
    '*',
    '/',
    '%',
    '//',
    ' or',
    ' and',
    '|',
    ',',
    '==',
    '!=',
    '<',
    '<=',
    '>',
    '>=',
    '[-1]',
    '[]',
    '{',
    '$item',
  ],
];

describe('evaluateFast', () => {
  const jq = new JqExpressions({ threads: 1, timeLimitMs: 5000 });
  afterAll(() => jq.close());

  it('gives exactly what jq gives, for generated programs and data', async () => {
    const compared: string[] = [];
    for (let round = 0; round < 150; round++) {
      const input = value(3);
      const variables: JsonObject = { context: value(2), item: value(2), _x: value(1) };
      const fast = Array.from({ length: 150 }, () => program(3))
        .map((text) => ({ text, result: evaluateFast(text, input, variables) }))
        .filter(({ result }) => result !== undefined);
      // Wrapped so that they miss the fast path and jq has to evaluate them.
      const slow = await jq.evaluate(
        fast.map(({ text }) => `(${text}\n) | getpath([])`),
        input,
        variables,
      );
      const [ours, theirs] = [fast.map(({ result }) => result), slow].map((results) =>
        results.map((result, index) => [fast[index]?.text, JSON.stringify(result)]),
      );
      expect(ours).toEqual(theirs);
      compared.push(...fast.map(({ text }) => text));
    }
    expect(compared.length).toBeGreaterThan(4000);
    for (const part of PARTS)
      expect([part, compared.filter((text) => text.includes(part)).length > 5]).toEqual([part, true]);
  });

  it.each([
    ['"about \\(.topic): \\(.n)"', 'about fish: 3'],
    ['{ title: .topic, n, "a b": (.n + 1), $context }', { title: 'fish', n: 3, 'a b': 4, context: { c: 1 } }],
    ['[.items[] | select(.ok) | .id]', ['x']],
    ['.items | map(.id) | join(", ")', 'x, y'],
    ['.items | length > 1 and (.[0].ok | not | not)', true],
    ['.none // "nothing"', 'nothing'],
    ['if .n > 2 then "many" elif .n == 2 then "two" else "few" end', 'many'],
    ['.items + [{ id: "z" }] | map(.id) | last', 'z'],
  ])('knows %s', (text, result) => {
    const input = {
      topic: 'fish',
      n: 3,
      items: [
        { id: 'x', ok: true },
        { id: 'y', ok: false },
      ],
    };
    expect(evaluateFast(text, input, { context: { c: 1 } })).toEqual(result);
  });

  it.each([
    '.a, .b',
    '.a?',
    '.[]',
    '..',
    '$ENV',
    '$__loc__',
    '$unknown',
    '[1] == .a',
    '.a[1:]',
    '.a.[0',
    '"\\(.a)"',
    '@base64 "a"',
    'now',
    'input',
    'def f: 1; f',
    '.a as $x | $x',
    'reduce .a[] as $x (0; . + $x)',
    '.a |= 1',
    '1 // 2 == 3 == 4',
    'map(.a; .b)',
    '{ a: 1 + 1 }',
    '.5',
    '-2 * 3',
    '# nothing',
    `${'('.repeat(900)}1${')'.repeat(900)}`,
  ])('leaves %s to jq', (text) => {
    expect(evaluateFast(text, { a: [1], b: 1 }, {})).toBeUndefined();
  });

  it('leaves to jq what jq refuses', () => {
    expect(evaluateFast('.a.b', { a: 1 }, {})).toBeUndefined();
    expect(evaluateFast('.[0]', { a: 1 }, {})).toBeUndefined();
    expect(evaluateFast('.a', [], {})).toBeUndefined();
    expect(evaluateFast('.a + 1', { a: 'b' }, {})).toBeUndefined();
    expect(evaluateFast('1 / .a', { a: 0 }, {})).toBeUndefined();
  });

  it('leaves slow programs to jq, whose threads have a time limit', () => {
    const many = Array.from({ length: 100 }, (_, index) => index);
    expect(evaluateFast('map(. + 1) | length', many, {})).toBe(100);
    expect(evaluateFast('map([1, 2, 3, 4] | map(. + 1)) | add | length', many.slice(0, 20), {})).toBe(80);
    expect(evaluateFast('map(map(. + 1)) | length', Array(100).fill(many), {})).toBeUndefined();
    expect(evaluateFast('. + . | length', 'x'.repeat(60_000), {})).toBeUndefined();
    expect(evaluateFast('[.[]] | length', Array(6_000).fill(1), {})).toBeUndefined();
    const keys = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`k${index}`, 1]));
    expect(evaluateFast('length', keys, {})).toBeUndefined();
    expect(evaluateFast('. < "b"', 'a'.repeat(200_000), {})).toBeUndefined();
  });

  it('leaves to jq a program that names a long text hundreds of times, which no text could hold', () => {
    const long = { a: 'x'.repeat(1_000_000) };
    expect(evaluateFast(`[${Array(600).fill('.a').join()}] | join("")`, long, {})).toBeUndefined();
    expect(evaluateFast(`"${'\\(.)'.repeat(400)}"`, 'x'.repeat(2_000_000), {})).toBeUndefined();
  });
});
