import { doneOf, progressOf } from './meaning-progress';

const counts = { passages: 2_000, embedded: 500, entries: 0, embeddedEntries: 0, memoryEnabled: false };

it.each([
  [counts, 0.25],
  [{ ...counts, entries: 500, embeddedEntries: 125 }, 0.25],
  [{ ...counts, embedded: 2_000, entries: 1 }, 2_000 / 2_001],
  [{ ...counts, passages: 0, embedded: 0 }, 1],
  // The two counts are not read at the same moment.
  [{ ...counts, embedded: 2_001 }, 1],
])('of %j, %d is done', (given, done) => {
  expect(doneOf(given)).toBe(done);
});

it('says what searches match, and how far that is', () => {
  expect(progressOf(counts)).toBe(
    'Searches match words, and meaning as far as texts are embedded: 500 of 2,000 passages.',
  );
  expect(progressOf({ ...counts, memoryEnabled: true, entries: 9, embeddedEntries: 3 })).toBe(
    'Searches here and in the memory match words, and meaning as far as texts are embedded: ' +
      '500 of 2,000 passages and 3 of 9 entries of the memory.',
  );
  expect(progressOf({ ...counts, embedded: 2_000 })).toBe('Searches match words and meaning.');
});
