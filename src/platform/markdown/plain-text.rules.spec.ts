import { plainText } from './plain-text.rules.js';

describe('the plain text', () => {
  it.each([
    ['[Hooks](./Hooks.md#onready "All of them") and ![a picture](p.png)', 'Hooks and a picture'],
    ['[`[a]` or b](https://x.example/a_(b)) end', '`[a]` or b end'],
    ['[one][1], [two][]\n\n[1]: https://x.example/ "One"', 'one, two'],
    ['see https://x.example/a?b=c for more', 'see for more'],
    ['<a id="x"></a>Text <!-- hidden --> goes on', 'Text goes on'],
    ['```js\nconst a = b[0]\n```', 'const a = b[0]'],
    ['| Code | Use |\n| :--- | --- |\n| A1   | B2 |', '| Code | Use | \n | \n | A1 | B2 |'],
    ['a < b, c > d, `x[1]` (y)', 'a < b, c > d, `x[1]` (y)'],
    ['one\n\n\n\n  two', 'one\n\n two'],
    ['', ''],
  ])('of %j is %j', (markdown, text) => {
    expect(plainText(markdown)).toBe(text);
  });
});
