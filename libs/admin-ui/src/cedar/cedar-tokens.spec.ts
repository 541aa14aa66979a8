import { cedarToken } from './cedar-tokens';

/** Imitates the stream of the editor, a package that only the pages install. */
function tokensOf(text: string, state = { isInText: false, depth: 0 }): [string, string | null][] {
  return text.split('\n').flatMap((line) => {
    const found: [string, string | null][] = [];
    let at = 0;
    const stream = {
      match: (pattern: RegExp) => {
        const [matched = ''] = pattern.exec(line.slice(at)) ?? [];
        at += matched.length;
        return matched !== '';
      },
      next: () => line[at++],
    };
    while (at < line.length) {
      const from = at;
      const look = cedarToken(stream, state);
      if (at === from) throw new Error(`no token at ${line.slice(at)}`);
      found.push([line.slice(from, at), look]);
    }
    return found;
  });
}
const lookOf = (text: string) => tokensOf(text).filter(([, look]) => look !== null);

describe('cedarToken', () => {
  it('tells the parts of a policy apart', () => {
    expect(lookOf('@advice("Ask.")\nforbid (principal in Group::"a b", action, resource)')).toEqual([
      ['@advice', 'annotation'],
      ['"Ask."', 'string'],
      ['forbid', 'keyword'],
      ['in', 'keyword'],
      ['Group', 'typeName'],
      ['"a b"', 'string'],
    ]);
    expect(lookOf('when { context.args has permit && context.hour >= 8 }; // 8 o\'clock: "early"')).toEqual([
      ['when', 'keyword'],
      ['.args', 'propertyName'],
      ['has', 'keyword'],
      ['permit', 'keyword'],
      ['.hour', 'propertyName'],
      ['8', 'number'],
      ['// 8 o\'clock: "early"', 'comment'],
    ]);
  });

  it('ends a string at its quote, not at an escaped one, and finds no comment in a string', () => {
    expect(lookOf(String.raw`"a \" // b" when`)).toEqual([
      [String.raw`"a \" // b"`, 'string'],
      ['when', 'keyword'],
    ]);
  });

  it('continues a string on the next line', () => {
    expect(lookOf('"a \\\nwhen" when ""')).toEqual([
      ['"a \\', 'string'],
      ['when"', 'string'],
      ['when', 'keyword'],
      ['""', 'string'],
    ]);
  });

  it('counts the brackets that are open, but not those in texts', () => {
    const state = { isInText: false, depth: 0 };
    tokensOf('forbid (principal, action, resource)\nwhen { "(" // {\n == [[', state);
    expect(state.depth).toBe(3);
  });

  it('always advances, whatever is written', () => {
    for (const text of ['"', '\\', '"\\', '::', '.', '@', '🙂 é', '"\n\n\\', '. 1']) {
      expect(
        tokensOf(text)
          .map(([part]) => part)
          .join(''),
      ).toBe(text.replaceAll('\n', ''));
    }
  });
});
