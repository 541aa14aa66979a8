import { bytesToDocuments } from '../../src/features/knowledge/import/file-content.rules.js';
import { paragraph, run, wordDocument } from './word-document.js';

async function markdownOf(body: readonly string[], styles: Readonly<Record<string, string>> = {}): Promise<string> {
  const bytes = new Uint8Array(wordDocument({ body, styles }));
  const file = await bytesToDocuments({ path: 'a.docx', bytes });
  if ('problem' in file) throw new Error(file.problem);
  return file.documents.map(({ content }) => content).join('\n');
}

const formula = (inner: string): string => paragraph(`${run('It is ')}<m:oMath>${inner}</m:oMath>${run('.')}`);
const term = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
const part = (name: string, ...inner: string[]): string => `<m:${name}>${inner.join('')}</m:${name}>`;
const sign = (about: string, name: string, value: string): string =>
  `<m:${about}><m:${name} m:val="${value}"/></m:${about}>`;

describe('the structure of Word files', () => {
  it.each([
    ['a power', part('sSup', part('e', term('r')), part('sup', term('2'))), 'r^{2}'],
    [
      'an index and a power',
      part('sSubSup', part('e', term('N')), part('sub', term('s')), part('sup', term('H'))),
      'N_{s}^{H}',
    ],
    ['an index', part('sSub', part('e', term('x')), part('sub', term('i'))), 'x_{i}'],
    ['a fraction', part('f', part('num', term('a')), part('den', term('b'))), '\\frac{a}{b}'],
    ['a root', part('rad', part('deg'), part('e', term('x'))), '\\sqrt{x}'],
    ['a third root', part('rad', part('deg', term('3')), part('e', term('x'))), '\\sqrt[3]{x}'],
    [
      'a sum',
      part('nary', sign('naryPr', 'chr', '∑'), part('sub', term('i=1')), part('sup', term('n')), part('e', term('i'))),
      '\\sum_{i=1}^{n} i',
    ],
    ['an integral', part('nary', part('sub'), part('sup'), part('e', term('x'))), '\\int x'],
    ['a function', part('func', part('fName', term('sin')), part('e', term('x'))), '\\sin x'],
    [
      'a limit',
      part(
        'func',
        part('fName', part('limLow', part('e', term('lim')), part('lim', term('n→∞')))),
        part('e', term('x')),
      ),
      '\\lim_{n→∞} x',
    ],
    ['brackets', part('d', part('e', term('a')), part('e', term('b'))), '(a, b)'],
    [
      'bars',
      part('d', `<m:dPr><m:begChr m:val="|"/><m:endChr m:val="|"/></m:dPr>`, part('e', term('a'))),
      '\\vert a\\vert',
    ],
    ['an accent', part('acc', sign('accPr', 'chr', '\u20d7'), part('e', term('v'))), '\\vec{v}'],
    [
      'a matrix',
      part(
        'm',
        part('mr', part('e', term('1')), part('e', term('0'))),
        part('mr', part('e', term('0')), part('e', term('1'))),
      ),
      '\\begin{matrix} 1 & 0 \\\\ 0 & 1 \\end{matrix}',
    ],
    ['a comparison', term('a &lt; b_c * d'), 'a < b_c * d'],
  ])('writes %s as TeX', async (_what, inner, expected) => {
    expect(await markdownOf([formula(inner)])).toBe(`It is $${expected}$.`);
  });

  it('writes a formula on its own line', async () => {
    const own = `<w:p><m:oMathPara><m:oMathParaPr><m:jc m:val="left"/></m:oMathParaPr><m:oMath>${term('E=m')}</m:oMath></m:oMathPara></w:p>`;
    expect(await markdownOf([paragraph('So:'), own])).toBe('So:\n\n$E=m$');
  });

  it('reads a formula that is nested too deeply, or has no end, without its end', async () => {
    const deep = `${'<m:e>'.repeat(60)}${term('x')}${'</m:e>'.repeat(60)}`;
    expect(await markdownOf([formula(deep)])).toBe('It is .');
  });

  it('escapes characters in a text that would mark formulas in Markdown', async () => {
    const text = await markdownOf([paragraph('\ue0000\ue001 a'), formula(term('x'))]);
    expect(text).toBe('0 a\n\nIt is $x$.');
  });

  it('makes headings of custom styles that are based on heading styles, or have a level', async () => {
    const styles = {
      Heading2: '<w:name w:val="heading 2"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr>',
      House: '<w:name w:val="House chapter"/><w:basedOn w:val="Heading2"/>',
      Part: '<w:name w:val="Part"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr>',
      Body: '<w:name w:val="House text"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>',
      Loop: '<w:name w:val="Loop"/><w:basedOn w:val="Loop"/>',
    };
    const body = [
      paragraph('Boats', { style: 'Part' }),
      paragraph('Oil', { style: 'House' }),
      paragraph('Black.', { style: 'Body' }),
      paragraph('Round.', { style: 'Loop' }),
    ];
    expect(await markdownOf(body, styles)).toBe('# Boats\n\n## Oil\n\nBlack.\n\nRound.');
  });

  it('leaves out the table of contents', async () => {
    const styles = { Heading1: 'heading 1', TOC1: 'toc 1', TOCHeading: 'TOC Heading' };
    const body = [
      paragraph('Contents', { style: 'TOCHeading' }),
      `<w:sdt><w:sdtContent>${paragraph('Boats 2', { style: 'TOC1' })}</w:sdtContent></w:sdt>`,
      paragraph('Boats', { style: 'Heading1' }),
      paragraph('Contents of a boat.'),
    ];
    expect(await markdownOf(body, styles)).toBe('# Boats\n\nContents of a boat.');
  });

  it('writes styles of code as code, and those of quotations as quotations', async () => {
    const styles = { Code: 'Source Code', Quote: 'Quote' };
    const body = [
      paragraph('if (a) {', { style: 'Code' }),
      paragraph('  b_c();', { style: 'Code' }),
      paragraph('Float', { style: 'Quote' }),
      paragraph('or sink', { style: 'Quote' }),
    ];
    expect(await markdownOf(body, styles)).toBe('```\nif (a) {\n  b_c();\n```\n\n> Float\n> \n> or sink');
  });

  it('says which boxes are ticked', async () => {
    const box = (value: string) =>
      `<w:sdt><w:sdtPr><w14:checkbox xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"><w14:checked w14:val="${value}"/></w14:checkbox></w:sdtPr><w:sdtContent>${run('☐')}</w:sdtContent></w:sdt>`;
    expect(await markdownOf([paragraph(box('1') + run(' Oil')), paragraph(box('0') + run('Gas'))])).toBe(
      '[x] Oil\n\n[ ] Gas',
    );
  });

  it('writes merged cells where they reach', async () => {
    const cell = (text: string, look = '') => `<w:tc><w:tcPr>${look}</w:tcPr>${paragraph(text)}</w:tc>`;
    const rows = [
      cell('Role') + cell('Euros', '<w:gridSpan w:val="2"/>'),
      cell('Cook', '<w:vMerge w:val="restart"/>') + cell('1') + cell('2'),
      cell('', '<w:vMerge/>') + cell('3') + cell('4'),
    ];
    expect(await markdownOf([`<w:tbl>${rows.map((row) => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`])).toBe(
      '| Role | Euros | Euros |\n| --- | --- | --- |\n| Cook | 1 | 2 |\n| Cook | 3 | 4 |',
    );
  });
});
