import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { toDocument } from '../../src/features/knowledge/import/imported-file.rules.js';
import { knowledgeOn } from '../../src/features/knowledge/testing.js';
import { ANSWERS, manuals } from './answers.js';

/** Share of the questions whose answer must be in the passage that is returned of the right document. */
const FLOOR = 0.85;

const MANUALS = manuals();

it('judges answers that the documents have', () => {
  const contents = new Map(MANUALS.map(({ path, content }) => [path, content]));
  const missing = ANSWERS.flatMap(([, path, ...answers]) =>
    answers.filter((answer) => !contents.get(path)?.includes(answer)).map((answer) => `${path}: ${answer}`),
  );
  expect(missing).toEqual([]);
  expect(ANSWERS.length).toBeGreaterThan(60);
});

describeEachDatabase('the passages of search results', (open, dialect) => {
  it(`answer at least ${FLOOR * 100} % of the questions, when the right document is found`, async () => {
    const { knowledge } = knowledgeOn(await open());
    const paths = new Map<string, string>();
    for (const manual of MANUALS) {
      const { document } = await knowledge.save(toDocument(manual));
      paths.set(document.id, manual.path);
    }
    const problems: string[] = [];
    let [found, answered] = [0, 0];
    for (const [query, path, ...answers] of ANSWERS) {
      const hits = await knowledge.search({ query, limit: 10 });
      const right = hits.find(({ document }) => paths.get(document.id) === path);
      if (right) found += 1;
      if (right && answers.some((answer) => right.passage.content.includes(answer))) answered += 1;
      else problems.push(right ? `${query} -> ${right.passage.headings.join(' > ')}` : `not found: ${query}`);
    }
    process.stderr.write(
      `On ${dialect}, ${found} of ${ANSWERS.length} right documents are found among 10, and ${answered} of their passages answer. Not:\n${problems.map((line) => `  ${line}\n`).join('')}`,
    );
    expect(answered / ANSWERS.length).toBeGreaterThanOrEqual(FLOOR);
  });
});
