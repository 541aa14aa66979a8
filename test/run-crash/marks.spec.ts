import { type Mark, misdeeds } from './marks.js';

const [ONE, OTHER] = [1, 2];
const mark = (phase: Mark['phase'], pid: number, order = 1): Mark => ({
  key: phase === 'kill' ? '' : `run:/do/${order}`,
  lane: 'main',
  order,
  phase,
  pid,
});

describe('the marks of steps', () => {
  it.each<[string, Mark[]]>([
    ['is repeated after a kill of its process', [mark('begin', ONE), mark('kill', ONE), mark('begin', OTHER)]],
    [
      'was done, and is repeated after a kill',
      [mark('begin', ONE), mark('end', ONE), mark('kill', ONE), mark('begin', ONE)],
    ],
  ])('are in order when a step %s', (_what, marks) => expect(misdeeds(marks)).toEqual([]));

  it.each<[string, Mark[]]>([
    ['is begun again without a kill', [mark('begin', ONE), mark('begin', OTHER)]],
    ['is done by two, of which one is killed later', [mark('begin', ONE), mark('begin', OTHER), mark('kill', ONE)]],
    ['is begun again after a kill of another process', [mark('kill', OTHER), mark('begin', ONE), mark('begin', OTHER)]],
    [
      'is repeated after the next one has begun',
      [mark('begin', ONE), mark('begin', ONE, 2), mark('kill', ONE), mark('begin', ONE)],
    ],
  ])('show when a step %s', (_what, marks) => expect(misdeeds(marks)).toHaveLength(1));

  it('allow a repetition to a process that has lost its runs', () => {
    expect(misdeeds([mark('begin', ONE), mark('begin', OTHER)], new Set([ONE]))).toEqual([]);
  });
});
