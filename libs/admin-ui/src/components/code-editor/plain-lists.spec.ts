import { continuationOf } from './plain-lists';

const nextOf = (line: string) => continuationOf(line)?.next;

describe('continuationOf', () => {
  it('continues lists, numbers, tasks and quotes at their depth', () => {
    expect(nextOf('- one')).toBe('- ');
    expect(nextOf('  *  one')).toBe('  *  ');
    expect(nextOf('9. nine')).toBe('10. ');
    expect(nextOf('\t1) one')).toBe('\t2) ');
    expect(nextOf('- [x] done')).toBe('- [ ] ');
    expect(nextOf('> said')).toBe('> ');
    expect(nextOf('> > - one')).toBe('> > - ');
  });

  it('continues nothing else', () => {
    for (const line of ['', 'one', '-one', '-', '1.5 litres', '2026-11-23', '**bold**', '    code', '---', 'a - b']) {
      expect(nextOf(line)).toBeUndefined();
    }
  });

  it('returns the part of a line before its text', () => {
    expect(continuationOf('  10. ')?.marker).toBe(6);
    expect(continuationOf('- [ ] ')?.marker).toBe(6);
    expect(continuationOf('- [link](/)')?.marker).toBe(2);
    expect(continuationOf('>> said')?.marker).toBe(3);
  });

  it('examines only the beginning of a line', () => {
    expect(continuationOf('>'.repeat(1_000_000))?.next).toHaveLength(100);
    expect(continuationOf(`${' '.repeat(100)}- one`)).toBeNull();
  });
});
