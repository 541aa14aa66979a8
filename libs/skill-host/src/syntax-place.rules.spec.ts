import { lineOf } from './syntax-place.rules.js';

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
});
