import { numbersBelow } from '../../../../test/fuzz/random.js';
import { partsOf } from './parts.rules.js';

const limits = { characters: 100, parts: 8 };
const book = (content: string) => partsOf({ title: 'Book', content, tags: ['a'] }, limits);
const words = (count: number) => 'word '.repeat(count).trim();

describe('a document', () => {
  it('stays whole when it fits', () => {
    expect(book(words(20))).toEqual([{ title: 'Book', content: words(20), tags: ['a'] }]);
  });

  it('that is too long becomes one of each chapter', () => {
    const chapter = (name: string) => `# ${name}\n\n${words(12)}`;
    expect(book(`Foreword\n\n${chapter('One')}\n\n\`\`\`\n# no\n\`\`\`\n\n${chapter('Two')}`)).toEqual([
      { title: 'Book: part 1', content: 'Foreword', tags: ['a'] },
      { title: 'Book: One', content: `${chapter('One')}\n\n\`\`\`\n# no\n\`\`\``, tags: ['a'] },
      { title: 'Book: Two', content: chapter('Two'), tags: ['a'] },
    ]);
  });

  it('with one title has its chapters below it', () => {
    const content = `# Title\n\n## One\n\n${words(15)}\n\n## Two\n\n${words(15)}`;
    expect(book(content).map(({ title }) => title)).toEqual(['Book: Title', 'Book: One', 'Book: Two']);
  });

  it('with a long chapter has that divided at its headings, and then between paragraphs', () => {
    const content = `# One\n\na\n\n# Two\n\n${words(10)}\n\n## Sub\n\n${words(15)}\n\n${words(15)}\n\n# Three\n\nb`;
    expect(book(content).map(({ title, content: part }) => [title, part.length])).toEqual([
      ['Book: One', 8],
      ['Book: Two', 56],
      ['Book: Sub', 82],
      ['Book: part 4', 74],
      ['Book: Three', 10],
    ]);
  });

  it('without headings and paragraphs is cut anyhow, but in no character', () => {
    const parts = book('👍'.repeat(120));
    expect(parts.map(({ content }) => content).join('')).toBe('👍'.repeat(120));
    expect(parts.every(({ content }) => content.isWellFormed() && content.length <= 100)).toBe(true);
  });

  it('of many chapters has them joined', () => {
    const parts = book(Array.from({ length: 40 }, (_, n) => `# ${n}\n\nabc`).join('\n\n'));
    expect(parts.length).toBeLessThan(8);
    expect(parts[0]?.content).toContain('# 8');
  });

  it('loses nothing, and each part fits, whatever it is made of', () => {
    const random = numbersBelow(5);
    for (let n = 0; n < 200; n += 1) {
      const lines = Array.from({ length: random(60) }, () => {
        const heading = `${'#'.repeat(1 + random(4))} ${random(100)}`;
        return [heading, words(1 + random(40)), '', '```', `- ${random(9)}`][random(5)] ?? '';
      });
      const content = lines.join('\n');
      const parts = book(content);
      const bare = (text: string) => text.replace(/\s/g, '');
      expect(parts.map((part) => bare(part.content)).join('')).toBe(bare(content));
      for (const part of parts) expect(part.content.length).toBeLessThanOrEqual(100);
    }
  });
});
