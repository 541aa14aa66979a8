import { describeEachDatabase } from '../../src/platform/database/testing.js';
import { toDocument } from '../../src/features/knowledge/import/imported-file.rules.js';
import { knowledgeOn } from '../../src/features/knowledge/testing.js';
import { ANSWERS, manuals } from './answers.js';

/** Shares of the questions whose answer must be in the first passage that is returned, and in one of the first two. */
const FLOORS = { first: 0.8, firstTwo: 0.9 };

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
  it(`answer ${FLOORS.first * 100} % of the questions by the first, and ${FLOORS.firstTwo * 100} % by one of the first two`, async () => {
    const { knowledge } = knowledgeOn(await open());
    for (const manual of MANUALS) await knowledge.save(toDocument(manual));
    const problems: string[] = [];
    let [first, firstTwo] = [0, 0];
    for (const [query, , ...answers] of ANSWERS) {
      const shown = (await knowledge.search({ query, limit: 3 })).flatMap(({ passage, also }) =>
        also ? [passage, also.passage] : [passage],
      );
      const at = shown.findIndex(({ content }) => answers.some((answer) => content.includes(answer)));
      if (at === 0) first += 1;
      if (at === 0 || at === 1) firstTwo += 1;
      else problems.push(`${query} -> ${shown[0]?.headings.join(' > ') ?? 'nothing'}`);
    }
    process.stderr.write(
      `On ${dialect}, the first passage answers ${first} of ${ANSWERS.length} questions, and one of the first two ${firstTwo}. Not:\n${problems.map((line) => `  ${line}\n`).join('')}`,
    );
    expect(first / ANSWERS.length).toBeGreaterThanOrEqual(FLOORS.first);
    expect(firstTwo / ANSWERS.length).toBeGreaterThanOrEqual(FLOORS.firstTwo);
  });
});
