import { embeddedText, similarity, toEmbedding } from './embedding.rules.js';

const valuesOf = (...vector: number[]) => toEmbedding(vector)?.values ?? new Int8Array();

describe('an embedding', () => {
  it('keeps the direction of a vector in one byte a dimension, and its signs in one bit', () => {
    const embedding = toEmbedding([0.5, -0.25, 0, 0.001, 0, 0, 0, 0, 0.1]);
    expect([...(embedding?.values ?? [])]).toEqual([127, -63, 0, 0, 0, 0, 0, 0, 25]);
    expect([...(embedding?.signs ?? [])]).toEqual([0b1001, 0b1]);
  });

  it.each([[[]], [[0, 0]], [[1, NaN]], [[1, Infinity]]])('is none of %j, which has no direction', (vector) => {
    expect(toEmbedding(vector)).toBeNull();
  });

  it('is as similar as the vectors are, whatever their length', () => {
    expect(similarity(valuesOf(1, 2, 3), valuesOf(10, 20, 30))).toBeCloseTo(1, 3);
    expect(similarity(valuesOf(1, 0), valuesOf(0, 5))).toBe(0);
    expect(similarity(valuesOf(1, 1), valuesOf(-2, -2))).toBeCloseTo(-1, 5);
    expect(similarity(valuesOf(3, 4), valuesOf(4, 3))).toBeCloseTo(0.96, 2);
  });
});

describe('what is embedded of a passage', () => {
  it('is the passage under its title and headings', () => {
    expect(embeddedText('Deploy', ['Deploy', 'Rollback'], 'Use helm.')).toBe('Deploy > Rollback\n\nUse helm.');
    expect(embeddedText('Deploy', [], '')).toBe('Deploy');
  });
});
