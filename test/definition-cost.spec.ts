import { inspectWorkflow } from '#open-workflow';
import { growthOf, LINEAR, TIMES } from './support/growth.js';

const HEAD = "document: { dsl: '1.0.3', namespace: default, name: long, version: '1.0.0' }\n";
const MOST_CHARACTERS = 256 * 1024;

/** Repeats a part until the document has `share` / `TIMES` of the maximum length. */
function filled(begin: string, part: (index: number) => string, share: number): string {
  let text = HEAD + begin;
  for (let index = 0; text.length < (MOST_CHARACTERS * share) / TIMES - 500; index++) text += part(index);
  return text;
}

describe('to inspect a workflow', () => {
  it.each<[string, string, (index: number) => string]>([
    ['half expressions', 'do:\n  - a:\n      set:\n        a: ', () => '${'],
    [
      'uses of secrets',
      'do:\n  - a:\n      call: http\n      with: { method: get, endpoint: "${ ',
      () => '$secrets   ',
    ],
    ['anchors', 'b:\n', (index) => `  - &a${index} x\n`],
    ['aliases', 'a: &a 1\nb:\n', () => '  - *a\n'],
    ['spaces', 'do:\n  - a:\n      wait: "', () => '        '],
  ])('costs no more than in proportion to its length: %s', async (_title, begin, part) => {
    const texts = new Map([1, TIMES].map((share) => [share, filled(begin, part, share)]));
    expect(await growthOf((share) => inspectWorkflow(texts.get(share) ?? ''))).toBeLessThan(LINEAR);
  });
});
