import { bytesToDocuments } from '../../src/features/knowledge/import/file-content.rules.js';
import { pdfDocument } from './pdf-document.js';

type Pages = Parameters<typeof pdfDocument>[0]['pages'];
type Line = Pages[number][number];

const LONG = 'Most letters are of one size, and stand in lines as long as this one.';

async function markdownOf(...pages: Pages): Promise<string> {
  const file = await bytesToDocuments({ path: 'a.pdf', bytes: new Uint8Array(pdfDocument({ title: 'A', pages })) });
  if ('problem' in file) throw new Error(file.problem);
  return file.documents.map(({ content }) => content).join('\n');
}

/** Texts on one line, at the given distances from the left edge. */
const row = (y: number, ...texts: (readonly [x: number, text: string])[]): Line[] =>
  texts.map(([x, text]) => ({ text, x, y }));

describe('the structure of PDF files', () => {
  it('makes headings of larger letters, by their sizes', async () => {
    const text = await markdownOf([
      { text: 'Boats', size: 24 },
      { text: LONG },
      { text: 'Care of', size: 16 },
      { text: 'the engines', size: 16 },
      { text: LONG },
    ]);
    expect(text).toBe(`# Boats\n\n${LONG}\n\n## Care of the engines\n\n${LONG}`);
  });

  it('makes headings of bold lines, and of numbered ones by their numbers', async () => {
    const text = await markdownOf([
      { text: '2 Engines', font: 'bold' },
      { text: LONG },
      { text: '2.1 Oil', font: 'bold' },
      { text: LONG },
      { text: 'Filters', font: 'bold' },
      { text: LONG },
      { text: 'Figure 3 A filter', font: 'bold' },
    ]);
    expect(text).toBe(`# 2 Engines\n\n${LONG}\n\n## 2.1 Oil\n\n${LONG}\n\n# Filters\n\n${LONG}\nFigure 3 A filter`);
  });

  it('takes a paragraph in large letters for no heading', async () => {
    const lines = Array.from({ length: 5 }, () => ({ text: 'These words are large.', size: 16 }));
    expect(await markdownOf([{ text: LONG }, ...lines, { text: LONG }])).not.toContain('#');
  });

  it('gives a font size that only the cover uses no level of its own', async () => {
    const chapter = (name: string) => [
      { text: name, size: 18 },
      { text: LONG },
      { text: `${name} today`, size: 15 },
      { text: LONG },
    ];
    const names = ['Boats', 'Cranes', 'Docks', 'Engines', 'Ferries', 'Gates'];
    const text = await markdownOf([{ text: 'The harbour', size: 40 }], ...names.map(chapter));
    expect(text).toContain('### The harbour\n');
    expect(text).toContain('### Cranes\n');
    expect(text).toContain('#### Cranes today\n');
  });

  it('divides paragraphs at larger gaps and after indented lines', async () => {
    const text = await markdownOf([
      ...row(700, [50, 'One has']),
      ...row(685, [50, 'two lines.']),
      ...row(670, [50, 'It is long.']),
      ...row(655, [65, 'An indented one']),
      ...row(640, [50, 'follows']),
      ...row(610, [50, 'The last']),
    ]);
    expect(text).toBe('One has\ntwo lines.\nIt is long.\n\nAn indented one\nfollows\n\nThe last');
  });

  it('continues a paragraph at the top of the next column', async () => {
    const column = (x: number, ...texts: string[]) => texts.flatMap((text, at) => row(700 - 15 * at, [x, text]));
    const text = await markdownOf([...column(50, 'It ends', 'in the'), ...column(320, 'next column.', 'And on.')]);
    expect(text).toBe('It ends\nin the\nnext column.\nAnd on.');
  });

  it('writes lists with their content, nested as they are indented', async () => {
    const text = await markdownOf([
      ...row(700, [50, 'Bring:']),
      ...row(685, [60, '•'], [78, 'ropes that']),
      ...row(670, [78, 'hold']),
      ...row(655, [80, '◦'], [98, 'long ones']),
      ...row(640, [60, '\uf0b7'], [78, 'oil']),
      ...row(610, [50, 'Then go.']),
      ...row(595, [50, '1.'], [70, 'Start']),
      ...row(580, [50, '2.'], [70, 'Stop']),
    ]);
    expect(text).toBe('Bring:\n\n- ropes that\n  hold\n  - long ones\n- oil\n\nThen go.\n\n1. Start\n2. Stop');
  });

  it('writes text in columns as a table', async () => {
    const text = await markdownOf([
      { text: LONG, y: 740 },
      ...row(700, [50, 'Role'], [200, 'Remote'], [300, 'On site']),
      ...row(685, [50, 'Cook | chef'], [200, '900'], [300, '1000']),
      ...row(670, [50, 'Diver'], [300, '880']),
      { text: LONG, y: 640 },
    ]);
    expect(text).toBe(
      `${LONG}\n\n| Role | Remote | On site |\n| --- | --- | --- |\n| Cook \\| chef | 900 | 1000 |\n| Diver |  | 880 |\n\n${LONG}`,
    );
  });

  it('takes two columns of a text that are written line by line for no table', async () => {
    const lines = Array.from({ length: 4 }, (_, at) => [
      { text: 'w'.repeat(80), size: 5, x: 20, y: 700 - 7 * at },
      { text: 'v'.repeat(80), size: 5, x: 310, y: 700 - 7 * at },
    ]).flat();
    expect(await markdownOf(lines)).not.toContain('|');
  });

  it('takes lines with gaps that are not below each other for no table', async () => {
    const text = await markdownOf([
      ...row(700, [50, 'a'], [320, 'b']),
      ...row(685, [50, 'w'.repeat(32)], [300, 'v'.repeat(12)]),
      ...row(670, [150, 'w'.repeat(24)], [340, 'v'.repeat(5)]),
    ]);
    expect(text).not.toContain('|');
  });

  it('keeps code unchanged, with its indentation', async () => {
    const text = await markdownOf([
      { text: LONG },
      { text: 'if (a) {', font: 'code' },
      { text: 'b();', font: 'code', x: 50 + 2 * 7.2 },
      { text: '}', font: 'code' },
      { text: LONG },
    ]);
    expect(text).toBe(`${LONG}\n\n\`\`\`\nif (a) {\n  b();\n}\n\`\`\`\n\n${LONG}`);
  });

  it('leaves out numbers of pages, and titles of pages after their first time', async () => {
    const page = (number: number) => [
      { text: `Handbook of boats, page ${number}`, y: 780, size: 9 },
      { text: `Step ${number} of all`, y: 700 },
      { text: LONG },
      { text: String(number), y: 20, size: 9 },
    ];
    const text = await markdownOf(page(1), page(2), page(3));
    expect(text).toBe(
      [
        `## Page 1\n\nHandbook of boats, page 1\n\nStep 1 of all\n${LONG}`,
        `## Page 2\n\nStep 2 of all\n${LONG}`,
        `## Page 3\n\nStep 3 of all\n${LONG}`,
      ].join('\n\n'),
    );
  });

  it('keeps text that appears once at the edge of a page', async () => {
    const page = (text: string) => [
      { text, y: 780 },
      { text: LONG, y: 600 },
    ];
    const text = await markdownOf(page('Draft'), page('Final'), page('Signed'));
    for (const word of ['Draft', 'Final', 'Signed']) expect(text).toContain(word);
  });

  it('writes numbers above and below a line as such', async () => {
    const text = await markdownOf([
      { text: 'It grew by 10', y: 700 },
      { text: '6', size: 7, x: 50 + 13 * 7.2, y: 705 },
      { text: 'and H', y: 680 },
      { text: '2', size: 7, x: 50 + 5 * 7.2, y: 677 },
      { text: 'O', x: 50 + 5 * 7.2 + 4.2, y: 680 },
    ]);
    expect(text).toBe('It grew by 10⁶\nand H₂O');
  });

  it('keeps the hyphen of a word that has one elsewhere', async () => {
    const text = await markdownOf([
      { text: 'A dual-fuel engine is large. A dual-' },
      { text: 'fuel engine burns gas, and a die-' },
      { text: 'sel engine does not.' },
    ]);
    expect(text).toBe('A dual-fuel engine is large. A dual-fuel engine burns gas, and a diesel engine does not.');
  });

  it('shortens the dots of a table of contents, whose lines are not headings', async () => {
    const entry = (text: string) => ({ text, font: 'bold' as const });
    const text = await markdownOf([
      entry('1 Boats . . . . . . . . . . . . . 2'),
      entry('2 Engines .............. 3'),
      entry('3 Oil ………… 4'),
      { text: LONG },
    ]);
    expect(text).toBe(`1 Boats … 2\n2 Engines … 3\n3 Oil … 4\n${LONG}`);
  });

  it('does not treat a line as a heading because it begins with a heading marker', async () => {
    expect(await markdownOf([{ text: '# of boats' }])).toBe('\\# of boats');
  });
});
