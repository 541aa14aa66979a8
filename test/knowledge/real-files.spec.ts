import { existsSync, readFileSync } from 'node:fs';
import { toDocument } from '../../src/features/knowledge/import/imported-file.rules.js';
import { passagesOf } from '../../src/features/knowledge/passages/passages.rules.js';

/** Real documents from installed packages; each expected title and beginning was verified by hand. */
const [, ...ROWS] = readFileSync('test/knowledge/files/titles.tsv', 'utf8').trimEnd().split('\n');
// Documents of the relevance corpus are included when it is installed.
const FILES = ROWS.map((row) => row.split('\t')).filter(([file = '']) => existsSync(file));

describe('documents as people write them', () => {
  it('are hundreds', () => {
    expect(FILES.length).toBeGreaterThanOrEqual(200);
  });

  it.each(FILES)('%s is called %s', (file, title, beginning) => {
    const document = toDocument({ path: file, content: readFileSync(file, 'utf8') });
    const [first] = passagesOf(document.content);
    const line = first?.content.split('\n').find((written) => written.trim() !== '');
    expect({ title: document.title, begins: line?.trim().slice(0, beginning?.length) }).toEqual({
      title,
      begins: beginning,
    });
  });
});
