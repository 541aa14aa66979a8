import { StartLimit } from './start-limit.js';

describe('StartLimit', () => {
  it('lets each workflow start so often in a window, and says once that it was too often', () => {
    const reached: string[] = [];
    const limit = new StartLimit(2, 1_000, (workflow) => reached.push(workflow));
    const admitted = (workflow: string, atMs: number) => limit.admits(workflow, atMs);
    expect([0, 1, 2, 999].map((atMs) => admitted('a', atMs))).toEqual([true, true, false, false]);
    expect(admitted('b', 999)).toBe(true);
    expect([1_000, 1_001, 1_002].map((atMs) => admitted('a', atMs))).toEqual([true, true, false]);
    expect(reached).toEqual(['a', 'a']);
  });

  it('begins a new window when the clock was set back', () => {
    const limit = new StartLimit(1, 1_000, () => undefined);
    expect([86_400_000, 86_400_001, 5, 6].map((atMs) => limit.admits('a', atMs))).toEqual([true, false, true, false]);
  });
});
