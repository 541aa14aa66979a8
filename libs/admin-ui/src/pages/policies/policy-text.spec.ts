import { nameForTrial, summaryOf } from './policy-text';

describe('summaryOf', () => {
  it('is the description of the policy', () => {
    expect(summaryOf('// rules\n@advice("Ask.")\n@description( "Says \\"no\\"." )\nforbid (…);')).toEqual({
      text: 'Says "no".',
      isCode: false,
    });
  });

  it('is how the policy begins when it has none', () => {
    const policy = '@description("")\n\nforbid (\n  principal,\n  action,\n  resource\n);';
    expect(summaryOf(policy)).toEqual({ text: '@description("")\nforbid (\n  principal,', isCode: true });
  });
});

describe('nameForTrial', () => {
  it('is the name, or one that the service takes', () => {
    expect(['no-echo', '', 'Not good'].map(nameForTrial)).toEqual(['no-echo', 'this-policy', 'this-policy']);
  });
});
