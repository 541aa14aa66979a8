import { inspectWorkflow } from './inspection.js';
import { HEAD } from './testing.js';

const MOST_CHARACTERS = 256 * 1024;

/** Repeats a part until the document has about the maximum length. */
function filled(begin: string, part: (index: number) => string): string {
  let text = HEAD + begin;
  for (let index = 0; text.length < MOST_CHARACTERS - 500; index++) text += part(index);
  return text;
}

const firstError = (text: string) =>
  inspectWorkflow(text).problems.find(({ severity }) => severity === 'error')?.message;

/** Aliases of aliases: nine times as many values per line. */
function exploding(): string {
  const lines = ['a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9]'];
  for (let index = 1; index < 12; index++) {
    lines.push(
      `a${index}: &a${index} [${Array(9)
        .fill(`*a${index - 1}`)
        .join(', ')}]`,
    );
  }
  return `${lines.join('\n')}\n${HEAD}`;
}

describe('a document beyond a limit', () => {
  it.each<[string, string, string]>([
    [
      'too long',
      HEAD + '#'.repeat(MOST_CHARACTERS),
      'the document is longer than 256 KB: split it into several workflows',
    ],
    [
      'too long in bytes',
      HEAD + '# ä'.repeat(70_000),
      'the document is longer than 256 KB: split it into several workflows',
    ],
    [
      'too deep',
      `${HEAD}do: ${'['.repeat(100)}${']'.repeat(100)}`,
      'the document is nested more than 60 levels deep: move parts of it to use.functions',
    ],
    [
      'so deep that it cannot be parsed',
      filled('do: ', () => '['),
      'the document is nested more than 60 levels deep: move parts of it to use.functions',
    ],
    [
      'an alias of itself',
      `a: &a [*a]\n${HEAD}`,
      'the document is nested more than 60 levels deep: move parts of it to use.functions',
    ],
    [
      'aliases that explode',
      exploding(),
      'with its aliases replaced, the document has more than 50000 values or 1024 KB of text: use fewer aliases',
    ],
    [
      'an alias of a long text',
      filled(`x: &x ${'x'.repeat(100_000)}\ny:\n`, () => '  - *x\n'),
      'with its aliases replaced, the document has more than 50000 values or 1024 KB of text: use fewer aliases',
    ],
    [
      'too many tasks',
      filled('do:\n', (index) => `  - t${index}:\n      set: { a: 1 }\n`),
      'the workflow has more than 1000 tasks: move some of them to another workflow, and run that',
    ],
    [
      'too many expressions',
      filled('do:\n  - a:\n      set:\n', (index) => `        k${index}: \${ .a }\n`),
      'the document has more than 5000 expressions: split it into several workflows',
    ],
  ])('is refused: %s', (_title, text, message) => {
    expect(firstError(text)).toBe(message);
  });

  it.each<[string, string]>([
    ['unknown names', filled('do:\n  - a:\n      wait:\n', (index) => `        k${index}: 1\n`)],
    ['names that are repeated', filled('', () => 'a: 1\n')],
    [
      'targets that do not exist',
      filled('do:\n', (index) => `  - t${index}:\n      wait: PT1S\n      then: u${index}\n`),
    ],
  ])('has at most a hundred errors: %s', (_title, text) => {
    const { problems } = inspectWorkflow(text);
    expect(problems.filter(({ severity }) => severity === 'error')).toHaveLength(100);
  });
});
