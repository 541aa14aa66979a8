import { readFileSync } from 'node:fs';
import { PROGRAMS } from './programs.js';
import { snippetsFor } from './snippets.js';

const MANUAL = readFileSync('docs/connect.md', 'utf8');
const FILLED = { url: 'http://127.0.0.1:9/mcp', key: 'key-of-mine' };

describe('the snippets of the manual', () => {
  it.each(PROGRAMS.map(({ name, section }) => [name, section]))('leave nothing open for %s', (_name, section) => {
    const snippets = snippetsFor(MANUAL, section, FILLED);
    for (const snippet of snippets) {
      expect(snippet).toContain(FILLED.url);
      expect(snippet).not.toMatch(/\bURL\b|Bearer KEY\b|:5001/);
    }
  });

  it('are missed where there are none', () => {
    expect(() => snippetsFor(MANUAL, 'Nobody', FILLED)).toThrow('the manual has no snippet for Nobody');
  });
});
