import { isHollow } from './hollow.rules.js';

describe('a passage', () => {
  it.each([
    ['nothing', ''],
    ['an anchor', '<a id="install"></a>'],
    ['an anchor of several lines', '<a\n  name="install">\n</a>\n'],
    ['a comment', '<!-- toc\n- [Install](#install)\n-->'],
    ['headings alone', '## Install\n\n### Linux\n'],
    ['targets of links', '[install]: https://example.com/install "Install"\n[run]: run.md'],
    ['lines', '---\n\n***'],
  ])('is hollow with %s', (_what, passage) => {
    expect(isHollow(passage)).toBe(true);
  });

  it.each([
    ['text', 'Run it.'],
    ['a number', '42'],
    ['Chinese', '# 安装\n运行'],
    ['text below a heading', '## Install\nRun it.'],
    ['text beside an anchor', '<a id="a"></a> Run it.'],
    ['code that only looks like a tag', '`a < b`'],
    ['a link', 'See [install].'],
  ])('is not hollow with %s', (_what, passage) => {
    expect(isHollow(passage)).toBe(false);
  });
});
