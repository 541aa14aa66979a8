import { placesOf, problemOf } from './places';

describe('where a secret may go', () => {
  it.each([
    [null, null, ['Anywhere']],
    [['a.example', '*.b.example'], null, ['Hosts: a.example, *.b.example', 'Skills: any']],
    [null, ['deploy'], ['Hosts: any', 'Skills: deploy']],
    [[], [], ['Hosts: none', 'Skills: none']],
  ])('is said in words: %j, %j', (hosts, skills, lines) => {
    expect(placesOf({ hosts, skills })).toEqual(lines);
  });

  it('shows what is wrong at its list', () => {
    const errors = new Map([
      ['skillset', 'no'],
      ['hosts.2', 'must be a host'],
    ]);
    expect([problemOf('hosts', errors), problemOf('skills', errors)]).toEqual(['must be a host', undefined]);
  });
});
