import type { Json, JsonObject } from '../json.js';
import { evaluateFast } from './fast-path.js';
import { JqExpressions } from './jq-expressions.js';
import { numbersBelow } from '../../../../test/fuzz/random.js';

const random = numbersBelow(20_261_122);
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
  ]);

function program(): string {
  const space = oneOf(['', ' ', '  ', '\n']);
  switch (random(5)) {
    case 0:
      return literal();
    case 1:
    case 2:
      return `${space}${path()}${space}`;
    default:
      return `${path()}${space}${oneOf(['==', '!=', '<', '<=', '>', '>='])}${space}${literal()}`;
  }
}

describe('evaluateFast', () => {
  const jq = new JqExpressions({ threads: 1, timeLimitMs: 5000 });
  afterAll(() => jq.close());

  it('gives exactly what jq gives, for generated programs and data', async () => {
    let compared = 0;
    for (let round = 0; round < 150; round++) {
      const input = value(3);
      const variables: JsonObject = { context: value(2), item: value(2), _x: value(1) };
      const fast = Array.from({ length: 20 }, program)
        .map((text) => ({ text, result: evaluateFast(text, input, variables) }))
        .filter(({ result }) => result !== undefined);
      // Not simple any more, so that jq has to evaluate them.
      const slow = await jq.evaluate(
        fast.map(({ text }) => `(${text}) | .`),
        input,
        variables,
      );
      expect(fast.map(({ result }) => JSON.stringify(result))).toEqual(slow.map((result) => JSON.stringify(result)));
      compared += fast.length;
    }
    expect(compared).toBeGreaterThan(1000);
  });

  it.each([
    '.a + 1',
    '.a, .b',
    '.a?',
    '.[]',
    '..',
    '$ENV',
    '$__loc__',
    '$unknown',
    '.a == .b',
    'not',
    '.a[-1]',
    '.a.[0',
    '"\\(1)"',
  ])('leaves %s to jq', (text) => {
    expect(evaluateFast(text, { a: [1] }, {})).toBeUndefined();
  });

  it('leaves to jq what jq refuses', () => {
    expect(evaluateFast('.a.b', { a: 1 }, {})).toBeUndefined();
    expect(evaluateFast('.[0]', { a: 1 }, {})).toBeUndefined();
    expect(evaluateFast('.a', [], {})).toBeUndefined();
  });
});
