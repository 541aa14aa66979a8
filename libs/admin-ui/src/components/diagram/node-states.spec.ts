import { withStates } from './node-states';

describe('withStates', () => {
  it('adds a class for each state in use', () => {
    const lines = withStates('flowchart TD\n  a --> b\n', { a: 'completed', b: 'failed', c: 'failed' }, 'light');
    expect(lines.split('\n')).toEqual([
      'flowchart TD',
      '  a --> b',
      expect.stringMatching(/^classDef completed fill:#/),
      expect.stringMatching(/^classDef failed fill:#/),
      'class a completed',
      'class b failed',
      'class c failed',
    ]);
  });

  it('leaves a flowchart without states alone', () => {
    expect(withStates('flowchart TD\n  a --> b\n', {}, 'dark')).toBe('flowchart TD\n  a --> b');
  });

  it('requires the whole name of a node to match', () => {
    expect(withStates('flowchart TD', { 'a\nclick b': 'failed' }, 'light')).toBe('flowchart TD');
  });
});
