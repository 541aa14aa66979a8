import { asksForHelp, readArguments } from './command-line.rules.js';

const LINE = {
  usage: 'npm run import -- <file> [--replace] [--name <name>]',
  operands: ['file'],
  options: { replace: { type: 'boolean' }, name: { type: 'string' } },
} as const;

describe('asksForHelp', () => {
  it.each([
    [['--help'], true],
    [['a.jsonl', '-h'], true],
    [['--', '--help'], false],
    [['help'], false],
  ])('of %j says %j', (args, asks) => {
    expect(asksForHelp(args)).toBe(asks);
  });
});

describe('readArguments', () => {
  it('reads operands, flags and options in any order', () => {
    const given = readArguments(['--replace', 'a.jsonl', '--name', 'x y'], LINE);
    expect([given.operands, given.has('replace'), given.valueOf('name')]).toEqual([['a.jsonl'], true, 'x y']);
    const few = readArguments(['a'], LINE);
    expect([few.has('replace'), few.valueOf('name')]).toEqual([false, undefined]);
  });

  it.each([
    [[], 'The file is missing'],
    [['--replace'], 'The file is missing'],
    [['a', 'b'], 'no place for "b"'],
    [['a', '--repalce'], '--repalce'],
    [['a', '--name'], '--name'],
    [['a', '--replace=no'], '--replace'],
    [[''], 'empty'],
  ])('refuses %j, and says how the command is called', (args, problem) => {
    expect(() => readArguments(args, LINE)).toThrow(problem);
    expect(() => readArguments(args, LINE)).toThrow('Usage: npm run import -- <file>');
  });
});
