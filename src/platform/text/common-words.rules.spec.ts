import { isStopWord, worthOf } from './common-words.rules.js';

describe('common words', () => {
  it('are left out when every text has them', () => {
    expect(['how', 'the', 'still', 'server'].map(isStopWord)).toEqual([true, true, false, false]);
  });

  it('are worth less than others when people ask with them about anything', () => {
    expect(worthOf('still')).toBeLessThan(worthOf('browser'));
    expect(worthOf('still')).toBeGreaterThan(0);
  });

  it('are not those that name something in programs', () => {
    expect(['end', 'head', 'left-pad', 'new', 'option', 'put'].map(worthOf)).toEqual([1, 1, 1, 1, 1, 1]);
  });
});
