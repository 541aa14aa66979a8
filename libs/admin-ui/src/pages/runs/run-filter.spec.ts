import { describeFilter, filterOf, isNarrowed } from './run-filter';

const filterAt = (query: string) => filterOf(new URLSearchParams(query));

describe('filterOf', () => {
  it.each([
    ['', {}],
    ['workflow=digest&client=ide', { name: 'digest', client: 'ide' }],
    ['state=failed', { status: 'failed' }],
    ['state=asking', { isAsking: true }],
    ['state=nonsense', {}],
    ['tests=only', { isTest: true }],
    ['tests=none', { isTest: false }],
  ])('reads %j', (query, filter) => expect(filterAt(query)).toEqual(filter));
});

it('knows whether anything is left out', () => {
  expect(isNarrowed({})).toBe(false);
  expect(isNarrowed({ isTest: false })).toBe(true);
});

it.each([
  ['', 'runs'],
  ['state=failed&workflow=digest', 'failed runs of digest'],
  ['state=asking&tests=only&client=ide', 'test runs started by ide that wait for an answer'],
  ['tests=none', 'runs without tests'],
])('describes %j as %j', (query, words) => expect(describeFilter(filterAt(query))).toBe(words));
