import { isStopWord, boostOf } from './common-words.rules.js';

describe('common words', () => {
  it('are left out when every text has them', () => {
    expect(['how', 'the', 'still', 'server'].map(isStopWord)).toEqual([true, true, false, false]);
  });

  it('are worth less than others when people ask with them about anything', () => {
    expect(boostOf('still')).toBeLessThan(boostOf('browser'));
    expect(boostOf('still')).toBeGreaterThan(0);
  });

  it('are not those that name something in programs', () => {
    expect(['end', 'head', 'left-pad', 'new', 'option', 'put'].map(boostOf)).toEqual([1, 1, 1, 1, 1, 1]);
  });
});
