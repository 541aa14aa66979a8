import { growthOf, LINEAR } from '../../../test/support/growth.js';
import { lineOf } from './syntax-place.js';

const TWICE = "Identifier 'a' has already been declared";

describe('lineOf', () => {
  it.each([
    [`const a = 1;\n\nconst a = 2;`, TWICE, 3],
    [`import b, {\n  c,\n} from './b.js';\nexport const a = await c;\nexport class a {}\nexport { c };`, TWICE, 5],
    [`export default { execute() {} };\nlet a;\nvar a;`, TWICE, 3],
    [`const a = 1;\n/(/;`, 'Invalid regular expression: /(/: Unterminated group', 2],
    [`import './b.js'; import('./c.js');\nconst a = 1;\nexport * from './d.js';\nconst a = 2;`, TWICE, 4],
    [`import { a } from './b.js';\nconst a = 2;`, TWICE, null],
    [`const a = 1;\nconst b c;`, TWICE, null],
  ])('of %j', (text, message, line) => expect(lineOf(message, text)).toBe(line));

  it.each(['import\n', 'export {\n'])('costs no more per line when a module repeats %j', async (begun) => {
    const growth = await growthOf((size) => lineOf(TWICE, begun.repeat(4_000 * size)));
    expect(growth).toBeLessThan(LINEAR);
  });
});
