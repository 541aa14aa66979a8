import { choicesOf } from '../../../test/fuzz/random.js';
import { WatchedUris } from './watched-uris.js';

const canonicalUri = (uri: string) => uri.toLowerCase().replace(/\/view$/, '');
const URIS = ['a:1', 'A:1', 'a:1/view', 'a:2', 'A:2/view', 'b:1', 'B:1', 'b:2'];

describe('the URIs that a client watches', () => {
  it.each([1, 2, 3, 4, 5])('are found by their resource, whatever was added and removed before (seed %d)', (seed) => {
    const pick = choicesOf(seed);
    const anyUri = () => pick(URIS);
    const watched = new WatchedUris(canonicalUri, ['a:1', 'A:1', 'a:1']);
    const model = new Set(['a:1', 'A:1']);
    for (let step = 0; step < 200; step += 1) {
      const uri = anyUri();
      if (anyUri() < 'a:2') {
        watched.add(uri);
        model.add(uri);
      } else expect(watched.delete(uri)).toBe(model.delete(uri));
      expect([...watched]).toEqual([...model]);
      expect(watched.size).toBe(model.size);
      const asked = anyUri();
      expect(watched.has(asked)).toBe(model.has(asked));
      const expected = [...model].filter((other) => canonicalUri(other) === canonicalUri(asked));
      expect([...watched.writtenFor(asked)].sort()).toEqual(expected.sort());
    }
  });

  it('are none when none are given', () => {
    const watched = new WatchedUris(canonicalUri);
    expect([[...watched], watched.size, watched.writtenFor('a:1')]).toEqual([[], 0, []]);
  });

  it('may be one of several for a resource, one of which is removed', () => {
    const watched = new WatchedUris(canonicalUri, ['a:1', 'A:1', 'b:1']);
    expect(watched.delete('a:1/view')).toBe(false);
    expect(watched.delete('a:1')).toBe(true);
    expect(watched.delete('a:1')).toBe(false);
    expect([[...watched], watched.writtenFor('a:1')]).toEqual([['A:1', 'b:1'], ['A:1']]);
    expect(watched.delete('A:1')).toBe(true);
    expect([[...watched], watched.writtenFor('a:1')]).toEqual([['b:1'], []]);
  });

  it('need not be resolved to resources when there are none', () => {
    const asked: string[] = [];
    const watched = new WatchedUris((uri) => (asked.push(uri), uri));
    expect([watched.writtenFor('a:1'), asked]).toEqual([[], []]);
  });
});
