import { withNextVersion } from './next-version.js';

describe('the next version of a definition', () => {
  const text = (version: string) => `document:\n  dsl: 1.0.3\n  name: greet\n  version: ${version}\ndo:\n  - a: {}\n`;

  it.each([
    ['1.0.0', '1.0.1', '1.0.1'],
    ["'0.2.9'", "'0.2.10'", '0.2.10'],
    ['"3.0.1"', '"3.0.2"', '3.0.2'],
    ['1.2.3-beta.1', '1.2.4', '1.2.4'],
    ['1.0.0 # the first', '1.0.1', '1.0.1'],
  ])('after %s is %s', (version, written, next) => {
    expect(withNextVersion(text(version))).toEqual({ definition: text(written), version: next });
  });

  it('is not guessed where there is none', () => {
    expect(withNextVersion('document: { name: a }')).toBeNull();
    expect(withNextVersion(text('latest'))).toBeNull();
  });
});
