import { nameForTrial, summaryOf } from './policy-text';

describe('summaryOf', () => {
  it('is the description of the policy', () => {
    expect(summaryOf('// rules\n@advice("Ask.")\n@description( "Says \\"no\\"." )\nforbid (…);')).toEqual({
      text: 'Says "no".',
      isCode: false,
    });
  });

  it('is the policy in one line when it has none', () => {
    const policy = '// all\n@description("")\nforbid (\n  principal,\n  action,\n  resource\n);\n';
    expect(summaryOf(policy)).toEqual({
      text: '@description("") forbid (principal, action, resource);',
      isCode: true,
    });
    expect(summaryOf(`forbid ${'x'.repeat(10_000)}`).text).toHaveLength(300);
  });
});

describe('nameForTrial', () => {
  it('is the name, or one that the service takes', () => {
    expect(['no-echo', '', 'Not good'].map(nameForTrial)).toEqual(['no-echo', 'this-policy', 'this-policy']);
  });
});
