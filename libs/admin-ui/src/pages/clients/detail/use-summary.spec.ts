import { summaryOfUse } from './use-summary';

type Use = Parameters<typeof summaryOfUse>[0][number]['use'];
const sentence = (...uses: Use[]) => summaryOfUse(uses.map((use) => ({ use })));

describe('summaryOfUse', () => {
  it('counts the tools by what a client may do with them, and leaves out what does not occur', () => {
    expect(sentence('allowed')).toBe('Of 1 tool, it may call 1.');
    expect(sentence('allowed', 'refused', 'refused')).toBe('Of 3 tools, it may call 1 and is refused 2.');
    expect(sentence('allowed', 'approval', 'depends', 'refused')).toBe(
      'Of 4 tools, it may call 1, may call 1 when a person confirms it, may make some calls of 1 and is refused 1.',
    );
    expect(sentence()).toBe('Of 0 tools, it may call 0.');
  });
});
