import { NOW } from '../expressions.js';
import { JqExpressions } from './jq-expressions.js';

const jq = new JqExpressions({ threads: 1, timeLimitMs: 500, maxCharacters: 100_000 });
afterAll(() => jq.close());

describe('an evaluation', () => {
  it('evaluates several programs over one input, and gives one result for each', async () => {
    const programs = ['.a + 1', '.a', '$context.b | length', 'empty', '"}" # a comment', '. as {$a} | $a'];
    const results = await jq.evaluate(programs, { a: 1 }, { context: { b: [1, 2] } });
    expect(results).toEqual([2, 1, 2, null, '}', 1]);
  });

  it.each([
    ['.a + "x"', 'number (1) and string ("x") cannot be added'],
    ['.a | (., .)', 'it has several results; put it in brackets to make an array of them'],
    ['.a |', 'syntax error, unexpected'],
    ['$nothing | length', '$nothing is not defined at line 1, column 1'],
    ['error("no. ")', 'no'],
    ['error', '(not a string): {"a":1}'],
    ['last(range(1e12))', 'it takes longer than 500 ms'],
    ['"x" * 200000', 'its result is larger than 100000 characters of JSON'],
    ['halt', 'halt is not available in workflows'],
    ['"x" | halt_error(3)', 'halt is not available in workflows'],
    ['input', 'input is not available in workflows'],
    ['import "x" as x; 1', 'syntax error, unexpected'],
  ])('says what is wrong with %s, and continues with others', async (program, reason) => {
    // Evaluated with others, the failing one is named, unless all together exceed the limits.
    await expect(jq.evaluate(['.a', program], { a: 1 }, {})).rejects.toMatchObject({
      problem: {
        type: 'https://serverlessworkflow.io/spec/1.0.0/errors/expression',
        status: 400,
        detail: expect.stringContaining(`\${ ${program} } failed: ${reason}`) as string,
      },
    });
    expect(await jq.evaluate(['.a + 1 | floor'], { a: 1 }, {})).toEqual([2]);
  });

  it('survives a program that takes all memory', async () => {
    await expect(jq.evaluate(['def f: f | f; f'], 1, {})).rejects.toThrow(/too much memory|takes longer/);
    expect(await jq.evaluate(['. + 1 | floor'], 1, {})).toEqual([2]);
  });

  it('gives the same whenever and wherever it is evaluated', async () => {
    const programs = [
      'now',
      '0 | localtime | mktime',
      '$ENV | length',
      'env | length',
      '[inputs]',
      'input_filename',
      '[debug, stderr]',
      'debug("x")',
    ];
    const results = await jq.evaluate(programs, 7, { [NOW]: 1_767_225_600.5 });
    expect(results).toEqual([1_767_225_600.5, 0, 0, 0, [], null, [7, 7], 7]);
  });

  it('takes numbers that are too large for JavaScript for null, as JSON does', async () => {
    expect(await jq.evaluate(['[1e1000, -1e1000, nan, 1e300]'], null, {})).toEqual([[null, null, null, 1e300]]);
  });

  it('refuses data that is too large', async () => {
    await expect(jq.evaluate(['length + 1 | floor'], 'x'.repeat(100_000), {})).rejects.toThrow(
      'The expression ${ length + 1 | floor } failed: its data is larger than 100000 characters of JSON.',
    );
  });

  it('has many evaluations wait for their turn', async () => {
    const results = await Promise.all(Array.from({ length: 50 }, (_, n) => jq.evaluate(['. * 2 | floor'], n, {})));
    expect(results).toEqual(Array.from({ length: 50 }, (_, n) => [n * 2]));
  });

  it('keeps the names of variables apart from those of programs', async () => {
    const variables = { __proto__x: 1, item: { n: 2 } };
    expect(await jq.evaluate(['$item.n as $n | $n + $__proto__x'], null, variables)).toEqual([3]);
  });
});

describe('the check of programs', () => {
  it('finds invalid jq programs, and evaluates none', async () => {
    const programs = ['.a', '.a |', 'error("x")', '1) | (2', '$item', '$other', 'nothing(1)', '# only a comment', ''];
    const mistakes = await jq.check(programs, ['item']);
    expect(mistakes.map((mistake) => mistake !== null)).toEqual([
      false,
      true,
      false,
      true,
      false,
      true,
      true,
      true,
      true,
    ]);
    expect(mistakes[5]).toBe('$other is not defined at line 1, column 1');
    expect(await jq.check([], [])).toEqual([]);
  });
});

describe('the validation of data', () => {
  const schema = { type: 'array', items: { type: 'object', required: ['n'] } };

  it.each([10, 5000])('says what is wrong with %i items', async (length) => {
    const items = Array.from({ length }, (_, n) => ({ n }));
    expect(await jq.validate(schema, items)).toEqual([]);
    expect(await jq.validate(schema, [...items, {}])).toEqual([`/${length} must have required property 'n'`]);
  });

  it('gives up on a schema that takes too long', async () => {
    const items = Array.from({ length: 40_000 }, (_, n) => ({ n: String(n) }));
    await expect(jq.validate({ uniqueItems: true }, items)).rejects.toMatchObject({
      problem: { status: 400, detail: expect.stringContaining('it takes longer than 500 ms') as string },
    });
  });

  it('gives up on small data with a pattern that takes exponential time', async () => {
    await expect(jq.validate({ pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`)).rejects.toMatchObject({
      problem: { status: 400, detail: expect.stringContaining('it takes longer than 500 ms') as string },
    });
  });

  it('says that a schema cannot be used', async () => {
    await expect(jq.validate({ type: 'nonsense' }, 1)).rejects.toMatchObject({ problem: { status: 400 } });
    await expect(jq.validate({ type: 'nonsense' }, 'x'.repeat(10_000))).rejects.toMatchObject({
      problem: { status: 400 },
    });
  });
});

describe('closed expressions', () => {
  it('abandon running and later evaluations, and end', async () => {
    const other = new JqExpressions({ threads: 1 });
    await other.evaluate(['. + 1 | floor'], 1, {});
    const settled: string[] = [];
    for (const program of ['last(range(1e12))', '. + 1 | floor'])
      other.evaluate([program], 1, {}).then(
        () => settled.push('done'),
        () => settled.push('failed'),
      );
    await other.close();
    await new Promise(setImmediate);
    expect(settled).toEqual([]);
  });
});
