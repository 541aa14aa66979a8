import { continuationOf } from './plain-lists';

const nextOf = (line: string) => continuationOf(line)?.next;

describe('continuationOf', () => {
  it('goes on with lists, numbers, tasks and quotes, as deep as they are', () => {
    expect(nextOf('- one')).toBe('- ');
    expect(nextOf('  *  one')).toBe('  *  ');
    expect(nextOf('9. nine')).toBe('10. ');
    expect(nextOf('\t1) one')).toBe('\t2) ');
    expect(nextOf('- [x] done')).toBe('- [ ] ');
    expect(nextOf('> said')).toBe('> ');
    expect(nextOf('> > - one')).toBe('> > - ');
  });

  it('goes on with nothing else', () => {
    for (const line of ['', 'one', '-one', '-', '1.5 litres', '2026-11-23', '**bold**', '    code', '---', 'a - b']) {
      expect(nextOf(line)).toBeUndefined();
    }
  });

  it('tells what of a line is before its text', () => {
    expect(continuationOf('  10. ')?.marker).toBe(6);
    expect(continuationOf('- [ ] ')?.marker).toBe(6);
    expect(continuationOf('- [link](/)')?.marker).toBe(2);
    expect(continuationOf('>> said')?.marker).toBe(3);
  });

  it('looks at the beginning of a line alone', () => {
    expect(continuationOf('>'.repeat(1_000_000))?.next).toHaveLength(100);
    expect(continuationOf(`${' '.repeat(100)}- one`)).toBeNull();
  });
});
