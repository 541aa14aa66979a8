import {
  embeddedText,
  isOfIdentifiers,
  NEAR_ENOUGH,
  nearnessOf,
  retryDelayMs,
  similarity,
  toEmbedding,
} from './embedding.rules.js';

const valuesOf = (...vector: number[]) => toEmbedding(vector)?.values ?? new Int8Array();

describe('an embedding', () => {
  it('keeps the direction of a vector in one byte per dimension, and its signs in one bit', () => {
    const embedding = toEmbedding([0.5, -0.25, 0, 0.001, 0, 0, 0, 0, 0.1]);
    expect([...(embedding?.values ?? [])]).toEqual([127, -63, 0, 0, 0, 0, 0, 0, 25]);
    expect([...(embedding?.signs ?? [])]).toEqual([0b1001, 0b1]);
  });

  it.each([[[]], [[0, 0]], [[1, NaN]], [[1, Infinity]]])('cannot be made of %j, which has no direction', (vector) => {
    expect(toEmbedding(vector)).toBeNull();
  });

  it('is compared by direction, whatever the length of the vector', () => {
    expect(similarity(valuesOf(1, 2, 3), valuesOf(10, 20, 30))).toBeCloseTo(1, 3);
    expect(similarity(valuesOf(1, 0), valuesOf(0, 5))).toBe(0);
    expect(similarity(valuesOf(1, 1), valuesOf(-2, -2))).toBeCloseTo(-1, 5);
    expect(similarity(valuesOf(3, 4), valuesOf(4, 3))).toBeCloseTo(0.96, 2);
  });
});

describe('what is near enough', () => {
  it.each([
    ['the only one', [0.2], 1],
    ['those that stand out', [0.6, 0.58, 0.2, 0.21, 0.19], 2],
    ['those that stand out, whatever the scale of the model', [0.86, 0.85, 0.75, 0.751, 0.749], 2],
    ['all that are alike', [0.1, 0.1, 0.1], 3],
    ['nothing when there are no candidates', [], 0],
  ])('is %s', (_title, similarities, count) => {
    expect(nearnessOf(similarities).filter((nearness) => nearness >= NEAR_ENOUGH)).toHaveLength(count);
  });

  it('is said in steps between the average and the nearest, whatever the scale of the model', () => {
    const steps = [1, 0.5, 0, 0].map((nearness) => expect.closeTo(nearness, 5) as number);
    expect(nearnessOf([0.6, 0.4, 0.2, -0.4])).toEqual(steps);
    expect(nearnessOf([0.86, 0.84, 0.82, 0.76])).toEqual(steps);
  });
});

describe('a query of identifiers', () => {
  it.each([
    ['max_retries', true],
    ['v3.7.2', true],
    ['maxRetries v2', true],
    ['--max-old-space-size', true],
    ['10.20.4.11', true],
    ['src/main.ts', true],
    ['OPS-1423', true],
    ['automobile', false],
    ['rate limit 429', false],
    ['how do I set max_retries?', false],
    ['e-mail', false],
    ['What?', false],
  ])('is %j: %s', (query, expected) => {
    expect(isOfIdentifiers(query)).toBe(expected);
  });
});

describe('what is embedded of a passage', () => {
  it('is its text under its title and headings', () => {
    expect(embeddedText(['Deploy', 'Deploy', 'Rollback'], 'Use helm.')).toBe('Deploy > Rollback\n\nUse helm.');
    expect(embeddedText(['Deploy'], '')).toBe('Deploy');
    expect(embeddedText(['`Deploy`', '[Roll](r.md)'], '<a id="x"></a>\n[Use](u.md) helm.')).toBe(
      '`Deploy` > Roll\n\nUse helm.',
    );
    expect(embeddedText([], '<a id="x"></a>')).toBe('<a id="x"></a>');
  });
});

describe('the delay before the next try', () => {
  it.each([
    [1, 5_000],
    [2, 10_000],
    [3, 20_000],
    [20, 600_000],
  ])('after %d failures is %d ms', (failures, delayMs) => {
    expect(retryDelayMs(failures, undefined)).toBe(delayMs);
  });

  it('is the one that the server asks for, within bounds', () => {
    expect(retryDelayMs(9, 7)).toBe(7_000);
    expect(retryDelayMs(1, 0)).toBe(1_000);
    expect(retryDelayMs(1, 1e9)).toBe(3_600_000);
  });
});
