import { findSection } from './sections.rules.js';

const DOCUMENT = [
  '# Tool', // 0
  'intro',
  '## Install', // 2
  'text',
  '### From `npm`', // 4
  '```',
  '# no heading',
  '```',
  "### What's new?", // 8
  'news',
  '## Use', // 10
  'how',
  '### Install', // 12
  'again',
].join('\n');

const rangeOf = (wanted: string) => {
  const { section } = findSection({ document: DOCUMENT, wanted });
  return section && [section.from, section.to];
};

describe('a section', () => {
  it.each<[string, [number, number] | null]>([
    ['Tool', [0, 14]],
    ['install', [2, 10]],
    ['From npm', [4, 8]],
    ['  from   NPM ', [4, 8]],
    ['### From npm', [4, 8]],
    ['Install > From npm', [4, 8]],
    ['Tool > Install > From npm', [4, 8]],
    ['Use > Install', [12, 14]],
    ['#from-npm', [4, 8]],
    ['whats-new', [8, 10]],
    ['npm', [4, 8]],
    ['no heading', null],
    ['Use > From npm', null],
    ['', null],
  ])('%j has the lines %j', (wanted, lines) => {
    expect(rangeOf(wanted)).toEqual(lines);
  });

  it('of details that can be opened ends with them', () => {
    const document = '# A\n\n<details><summary>How?</summary>\n\nSo.\n\n</details>\n\nMore.\n\n## B';
    const { section } = findSection({ document, wanted: 'how?' });
    expect(section).toMatchObject({ path: 'A > How?', from: 2, to: 7 });
    expect(findSection({ document, wanted: 'A' }).section).toMatchObject({ from: 0, to: 11 });
  });

  it('that does not exist is answered with those that do', () => {
    expect(findSection({ document: DOCUMENT, wanted: 'Removal' })).toEqual({
      section: null,
      others: [
        'Tool',
        'Tool > Install',
        'Tool > Install > From npm',
        "Tool > Install > What's new?",
        'Tool > Use',
        'Tool > Use > Install',
      ],
    });
    expect(findSection({ document: '# A\n'.repeat(1_000), wanted: 'B' }).others).toHaveLength(40);
  });
});
