import { inspectWorkflow } from '#open-workflow';
import { leastCpuMs } from './support/cpu.js';

const HEAD = "document: { dsl: '1.0.3', namespace: default, name: long, version: '1.0.0' }\n";
const MOST_CHARACTERS = 256 * 1024;
/** Of a document as long as it may be; if its cost grew with the square of its length, it would be many seconds. */
const MOST_MS = 2_000;

/** Repeats a part until the document is about as long as a document may be. */
function filled(begin: string, part: (index: number) => string): string {
  let text = HEAD + begin;
  for (let index = 0; text.length < MOST_CHARACTERS - 500; index++) text += part(index);
  return text;
}

describe('to inspect a workflow', () => {
  it.each<[string, string]>([
    ['half expressions', filled('do:\n  - a:\n      set:\n        a: ', () => '${')],
    [
      'uses of secrets',
      filled('do:\n  - a:\n      call: http\n      with: { method: get, endpoint: "${ ', () => '$secrets   '),
    ],
    ['anchors', filled('b:\n', (index) => `  - &a${index} x\n`)],
    ['aliases', filled('a: &a 1\nb:\n', () => '  - *a\n')],
    ['spaces', filled('do:\n  - a:\n      wait: "', () => '        ')],
  ])('costs time that grows with its length: %s', async (_title, text) => {
    expect(await leastCpuMs(() => inspectWorkflow(text), MOST_MS)).toBeLessThan(MOST_MS);
  });
});
