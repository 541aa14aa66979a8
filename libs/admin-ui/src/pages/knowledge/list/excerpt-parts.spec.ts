import { excerptParts } from './excerpt-parts';

describe('excerptParts', () => {
  it('tells the words that were found from the others', () => {
    expect(excerptParts('… the **deploy** day')).toEqual([
      { text: '… the ', isFound: false },
      { text: 'deploy', isFound: true },
      { text: ' day', isFound: false },
    ]);
  });
  it('begins with a word that was found', () => {
    expect(excerptParts('**Deploy**')).toEqual([{ text: 'Deploy', isFound: true }]);
  });
  it('has nothing to tell of an empty excerpt', () => {
    expect(excerptParts('')).toEqual([]);
  });
});
