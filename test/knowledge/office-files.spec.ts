import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { bytesToDocuments } from '../../src/features/knowledge/import/file-content.rules.js';
import { passagesOf } from '../../src/features/knowledge/passages/passages.rules.js';
import { pdfDocument } from './pdf-document.js';
import { paragraph, run, table, wordDocument } from './word-document.js';

/** Returns the title of a file, its text, and its first passage. */
async function read(path: string, bytes: Uint8Array) {
  const file = await bytesToDocuments({ path: basename(path), bytes: new Uint8Array(bytes) });
  if ('problem' in file) return file;
  const [document] = file.documents;
  // A heading may have no text of its own.
  const first = passagesOf(document?.content ?? '').find(({ content }) => content.trim() !== '');
  return { title: document?.title, begins: first?.content.trim(), content: document?.content ?? '' };
}

/** The start of the document, and further texts in it. */
type Row = [file: string, title: string, begins: string, has?: readonly string[]];

async function expectRead(path: string, bytes: Uint8Array, [, title, begins, has = []]: Row): Promise<void> {
  const file = await read(path, bytes);
  if ('problem' in file) throw new Error(`${path}: ${file.problem}`);
  expect({ title: file.title, begins: file.begins?.slice(0, begins.length) }).toEqual({ title, begins });
  for (const part of has) expect(file.content).toContain(part);
}

const LONG = 'A paragraph of usual letters, as most of a document is made of, long enough to show what is usual.';

describe('PDF files', () => {
  const PRINTED: Row[] = [
    [
      'two-columns.pdf',
      'Cold storage of samples',
      '## Freezers\n\nSamples stay in',
      ['who moves its racks to the spare one.\n\n## Transport\n\nSamples travel in dry ice.'],
    ],
    ['tables.pdf', 'Rates of 2026', 'All rates are in euros', ['| Engineer | 900 | 1000 |\n| Designer | 800 | 880 |']],
    [
      'lists.pdf',
      'Onboarding checklist',
      '# First day\n\n1. Get the badge',
      ['with a German keyboard,', '3. Read the handbook.'],
    ],
    ['sizes-only.pdf', 'Fire drill in the north wing', 'Example Ltd. - internal', ['## Wardens\n\nEach floor']],
    [
      'german.pdf',
      'Reisekostenrichtlinie für Außendienstmitarbeiter',
      '# Geltungsbereich\n\nDiese Richtlinie',
      ['größere Strecken zurücklegen müssen'],
    ],
    ['russian.pdf', 'Порядок резервного копирования', 'Копии базы данных'],
    ['footnotes.pdf', 'Retention of logs', 'Logs of requests', ['without a copy².', '² Backups expire']],
    ['many-pages.pdf', 'Operations manual', 'Step 1 of the procedure', ['## Page 30\n\n### Chapter 30\n\nStep 30']],
    [
      'cover.pdf',
      'Annual report on the safety of our ships',
      '## Page 1\n\nExample Ltd.\n\n### Annual report',
      ['#### Summary\n\nNo ship was lost'],
    ],
  ];

  it.each(PRINTED)('%s, as a browser prints it, is called %s', async (...row) => {
    const [file] = row;
    await expectRead(file, readFileSync(`test/knowledge/printed/${file}`), row);
  });

  const page = (...lines: string[]) => [lines.map((text) => ({ text }))];
  const heading = (text: string) => [[{ text, size: 24 }, { text: LONG }]];
  const WRITTEN: [written: Parameters<typeof pdfDocument>[0], ...Row][] = [
    [
      { title: 'Hyphens', pages: page('This is an exam-', 'ple of self-', 'Service.') },
      'hyphens.pdf',
      'Hyphens',
      'This is an example of self-\nService.',
    ],
    [
      { title: '服务器维护手册', pages: page('每周一检查磁盘空间。', '备份保存三十天。') },
      'chinese.pdf',
      '服务器维护手册',
      '每周一检查磁盘空间。\n备份',
    ],
    [
      { pages: [[{ text: '放假安排', size: 24 }, { text: '国庆节放假七天，请提前两周申请，并通知您的主管和同事。' }]] },
      'leave.pdf',
      '放假安排',
      '国庆节放假七天',
    ],
    // Right to left, in visual order; the library may change the order of the words.
    [
      { title: 'دليل الموظفين', pages: page([...'يبدأ العمل صباحا'].reverse().join('')) },
      'arabic.pdf',
      'دليل الموظفين',
      '',
      ['يبدأ العمل', 'صباحا'],
    ],
    [
      { title: '', pages: heading('Rules of the workshop') },
      'empty-title.pdf',
      'Rules of the workshop',
      LONG.slice(0, 20),
      ['# Rules of the workshop'],
    ],
    [
      { title: 'Microsoft Word - draft 3.docx', pages: heading('Rules of the garage') },
      'word.pdf',
      'Rules of the garage',
      'A paragraph',
    ],
    [
      { title: 'untitled', pages: heading('Rules of the kitchen') },
      'untitled.pdf',
      'Rules of the kitchen',
      'A paragraph',
    ],
    [
      { title: 'https://example.com/rules', pages: heading('Rules of the roof') },
      'address.pdf',
      'Rules of the roof',
      'A paragraph',
    ],
    [
      { pages: page('All letters are alike here.', LONG) },
      'fire-drill_2026.pdf',
      'fire drill 2026',
      'All letters are alike here.',
    ],
    [
      { pages: [[{ text: 'Rules of the', size: 30 }, { text: 'north entrance', size: 30 }, { text: LONG }]] },
      'two-lines.pdf',
      'Rules of the north entrance',
      'A paragraph',
      ['# Rules of the north entrance'],
    ],
    [
      {
        pages: [
          [
            { text: 'Left', x: 50, y: 700 },
            { text: 'of two', x: 50, y: 680 },
            { text: 'right', x: 350, y: 700 },
          ],
        ],
        title: 'Columns',
      },
      'columns.pdf',
      'Columns',
      'Left\nof two\nright',
    ],
    [
      { title: '§ 12 – „Urlaub“ & Krankheit', pages: page('Wer krank ist, ruft an.') },
      'signs.pdf',
      '§ 12 – „Urlaub“ & Krankheit',
      'Wer krank ist',
    ],
    [
      { title: 'Pages without text', pages: [[], [{ text: 'The second has some.' }], []] },
      'gaps.pdf',
      'Pages without text',
      'The second has some.',
    ],
  ];

  it.each(WRITTEN)('%# is called %s', async (written, ...row) => {
    await expectRead(row[0], pdfDocument(written), row);
  });
});

describe('Word files', () => {
  const FROM_PACKAGE: Row[] = [
    ['comments.docx', 'comments', 'Ouch.'],
    ['embedded-style-map.docx', 'embedded style map', 'Walking on imported air'],
    ['endnotes.docx', 'endnotes', 'Ouch', ['A tachyon walks into a bar.']],
    ['footnotes.docx', 'footnotes', 'Ouch', ['A tachyon walks into a bar.', 'Fin.']],
    ['footnote-hyperlink.docx', 'footnote hyperlink', '[', ['[Example](http://www.example.com)']],
    ['simple-list.docx', 'simple list', '-   Apple\n-   Banana'],
    ['single-paragraph.docx', 'single paragraph', 'Walking on imported air'],
    ['strict-format.docx', 'strict format', 'Test'],
    ['strikethrough.docx', 'strikethrough', "Today's Special: Salmon Sold out"],
    ['tables.docx', 'tables', 'Above', ['| Top left | Top right |\n| --- | --- |\n| Bottom left | Bottom right |']],
    ['text-box.docx', 'text box', 'Datum plane'],
    ['underline.docx', 'underline', '**The Sunset Tree**'],
    ['utf8-bom.docx', 'utf8 bom', 'This XML has a byte order mark.'],
  ];

  it.each(FROM_PACKAGE)('%s, from the tests of a library, is called %s', async (...row) => {
    const [file] = row;
    await expectRead(file, readFileSync(`node_modules/mammoth/test/test-data/${file}`), row);
  });

  const WRITTEN: [written: Parameters<typeof wordDocument>[0], ...Row][] = [
    [
      {
        body: [
          paragraph('Travel policy', { style: 'Title' }),
          paragraph('Scope', { style: 'Heading1' }),
          paragraph(LONG),
        ],
        title: 'Template 7',
      },
      'title-style.docx',
      'Travel policy',
      '# Travel policy\n\n# Scope\n\nA paragraph of usual letters',
      ['# Travel policy\n\n# Scope'],
    ],
    [
      {
        body: [
          paragraph('Urlaub und Überstunden', { style: 'berschrift1' }),
          paragraph('Größere Pausen zählen nicht.'),
        ],
        styles: { berschrift1: 'heading 1' },
      },
      'german.docx',
      'Urlaub und Überstunden',
      'Größere Pausen zählen nicht.',
    ],
    [
      {
        body: [
          paragraph('internal'),
          paragraph('Use of the boats', { size: 22 }),
          paragraph(LONG),
          paragraph('Fuel', { size: 16 }),
          paragraph(LONG),
        ],
      },
      'sizes.docx',
      'Use of the boats',
      'internal',
      ['# Use of the boats', '## Fuel'],
    ],
    [
      { body: [paragraph('All of it is large.', { size: 16 }), paragraph(LONG, { size: 16 })] },
      'all-large.docx',
      'all large',
      'All of it is large.',
    ],
    [
      { body: [paragraph('Without any heading.')], title: 'Lifeboat drill' },
      'a.docx',
      'Lifeboat drill',
      'Without any heading.',
    ],
    [
      { body: [paragraph('Without any heading.')], title: '' },
      'engine-room_rules.docx',
      'engine room rules',
      'Without any heading.',
    ],
    [{ body: [paragraph('Без заголовка.')] }, 'правила.docx', 'правила', 'Без заголовка.'],
    [
      { body: [paragraph('休假规定', { style: 'Heading1' }), paragraph('请提前两周申请。')] },
      'chinese.docx',
      '休假规定',
      '请提前两周申请。',
    ],
    [
      { body: [paragraph('سياسة السفر', { style: 'Heading1' }), paragraph('احجز القطارات مبكرا.')] },
      'arabic.docx',
      'سياسة السفر',
      'احجز القطارات مبكرا.',
    ],
    [
      {
        body: [
          paragraph('Rates', { style: 'Heading1' }),
          table([
            ['Role', 'Euros'],
            ['Cook', '300'],
            ['A | B', ''],
          ]),
        ],
      },
      'table.docx',
      'Rates',
      '| Role | Euros |\n| --- | --- |\n| Cook | 300 |',
      ['| A \\| B |  |'],
    ],
    [
      {
        body: [paragraph('First', { list: 0 }), paragraph('Deeper', { list: 1 }), paragraph('Second', { list: 0 })],
        title: 'Steps',
      },
      'lists.docx',
      'Steps',
      '1.  First',
      ['-   Deeper', '2.  Second'],
    ],
    [
      {
        body: [
          paragraph('Terms', { style: 'Heading1' }),
          paragraph(
            run('We pay within ') +
              `<w:del w:id="1"><w:r><w:delText>ninety</w:delText></w:r></w:del>` +
              `<w:ins w:id="2">${run('thirty')}</w:ins>` +
              run(' days.'),
          ),
        ],
      },
      'changes.docx',
      'Terms',
      'We pay within thirty days.',
    ],
    [
      {
        body: [
          paragraph('Manual', { style: 'Title' }),
          ...Array.from({ length: 300 }, (_, at) => paragraph(`Step ${at + 1}. ${LONG}`)),
        ],
      },
      'long.docx',
      'Manual',
      'Step 1. A paragraph',
      ['Step 300. A paragraph'],
    ],
    [
      {
        body: [
          `<w:sdt><w:sdtContent>${paragraph('Safety at sea', { style: 'Title' })}</w:sdtContent></w:sdt>`,
          paragraph(LONG),
        ],
      },
      'controls.docx',
      'Safety at sea',
      LONG,
    ],
    [
      {
        body: [paragraph('', { style: 'Heading1' }), paragraph('Night watch', { style: 'Heading2' }), paragraph(LONG)],
        title: 'x',
      },
      'empty-heading.docx',
      'Night watch',
      LONG,
    ],
  ];

  it.each(WRITTEN)('%# is called %s', async (written, ...row) => {
    await expectRead(row[0], wordDocument(written), row);
  });

  it.each(['empty.docx', 'tiny-picture.docx', 'external-picture.docx'])('%s has no text, and says so', async (file) => {
    const bytes = readFileSync(`node_modules/mammoth/test/test-data/${file}`);
    expect(await read(file, bytes)).toEqual({ problem: 'it has no text (perhaps its pages are pictures)' });
  });
});
