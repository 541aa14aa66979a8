import { JqExpressions } from './jq-expressions.js';

describe('JqExpressions', () => {
  const jq = new JqExpressions({ threads: 1, timeLimitMs: 500 });
  afterAll(() => jq.close());

  it('evaluates several programs over one input, and gives one result for each', async () => {
    const results = await jq.evaluate(
      ['.a + 1', '.a', '$context.b | length', 'empty'],
      { a: 1 },
      { context: { b: [1, 2] } },
    );
    expect(results).toEqual([2, 1, 2, null]);
  });

  it.each([
    ['.a + "x"', 'number (1) and string ("x") cannot be added'],
    ['.a, .a', 'it has several results; put it in brackets to make an array of them'],
    ['.a |', 'syntax error'],
    ['$nothing', '$nothing is not defined'],
    ['def f: f | f; f', 'it needs too much memory'],
    ['[range(1e9)]', /it needs too much memory|it takes longer than 500 ms/],
    ['last(range(1e12))', 'it takes longer than 500 ms'],
    ['"x" * 900000', ''],
    ['halt', 'halt is not available'],
    ['input', 'input is not available'],
  ])('says what is wrong with %s', async (program, reason) => {
    const evaluation = jq.evaluate(['.a', program, '1'], { a: 1 }, {});
    if (reason === '') await expect(evaluation).resolves.toHaveLength(3);
    else
      await expect(evaluation).rejects.toMatchObject({
        problem: {
          status: 400,
          detail: expect.stringMatching(reason instanceof RegExp ? reason : new RegExp(escape(reason))) as string,
        },
      });
    expect(await jq.evaluate(['.a + 1'], { a: 1 }, {})).toEqual([2]);
  });
});

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
