import { type Candidate, type PassageMatch, rankDocuments } from './found-passages.rules.js';

const passage = (id: number, of: Partial<PassageMatch> = {}): PassageMatch => ({
  id,
  match: 'some',
  byWords: 0,
  distinctiveness: 0,
  byMeaning: 0,
  ...of,
});
const candidate = (documentId: string, passages: PassageMatch[], asWhole = 0): Candidate => ({
  documentId,
  passages,
  asWhole,
});
const order = (...candidates: Candidate[]) => rankDocuments(candidates).map(({ documentId }) => documentId);
const passages = (...found: PassageMatch[]) => rankDocuments([candidate('a', found)])[0]?.passages.map(({ id }) => id);

describe('the order of documents', () => {
  it('is that of their best passages, however many others they have', () => {
    const many = [1, 2, 3].map((id) => passage(id, { byWords: 0.8 }));
    expect(order(candidate('many', many), candidate('best', [passage(4, { byWords: 1 })]))).toEqual(['best', 'many']);
  });

  it('counts the whole document where the best passages are about as good', () => {
    const [a, b] = [
      candidate('a', [passage(1, { byWords: 1 })], 0.2),
      candidate('b', [passage(2, { byWords: 0.9 })], 1),
    ];
    expect(order(a, b)).toEqual(['b', 'a']);
    expect(order(a, { ...b, passages: [passage(2, { byWords: 0.7 })] })).toEqual(['a', 'b']);
  });

  it('counts meaning as much as words', () => {
    const near = candidate('near', [passage(1, { byWords: 0.3, byMeaning: 1 })]);
    const worded = (byMeaning: number) => candidate('worded', [passage(2, { byWords: 1, byMeaning })]);
    expect([order(worded(0.2), near), order(worded(0.4), near)]).toEqual([
      ['near', 'worded'],
      ['worded', 'near'],
    ]);
  });

  it('keeps those that are equal as they are, and finds nothing in nothing', () => {
    expect(order(candidate('b', [passage(2)]), candidate('a', [passage(1)]))).toEqual(['b', 'a']);
    expect(order()).toEqual([]);
  });
});

describe('the order of the passages of a document', () => {
  it('is by the words that tell them apart, not by those of all documents', () => {
    expect(
      passages(passage(1, { byWords: 1, distinctiveness: 0.5 }), passage(2, { byWords: 0.6, distinctiveness: 1 })),
    ).toEqual([2, 1]);
  });

  it('is by meaning as well', () => {
    expect(
      passages(passage(1, { distinctiveness: 1, byMeaning: 0.1 }), passage(2, { distinctiveness: 0.5, byMeaning: 1 })),
    ).toEqual([2, 1]);
  });

  it('is by words where both together say the same, and that of the text where they are equal', () => {
    expect(passages(passage(1, { byMeaning: 1 }), passage(2, { distinctiveness: 1 }))).toEqual([2, 1]);
    expect(passages(passage(2), passage(1), passage(3))).toEqual([1, 2, 3]);
  });

  it('comes with how well each answers among all that were found', () => {
    const [ranked] = rankDocuments([
      candidate('a', [passage(1, { byWords: 0.5, distinctiveness: 1, byMeaning: 0.25 })]),
    ]);
    expect(ranked?.passages).toEqual([{ id: 1, match: 'some', relevance: 0.75 }]);
  });
});
