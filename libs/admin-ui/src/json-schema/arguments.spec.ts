import { defaultsOf, parseArguments, withArgument } from './arguments';

it('defaultsOf collects the defaults, nested ones too', () => {
  const properties = {
    a: { default: 1 },
    b: { type: 'string' },
    c: { properties: { d: { default: false }, e: {} } },
    f: { properties: { g: {} } },
  };
  expect(defaultsOf({ properties })).toEqual({ a: 1, c: { d: false } });
});

it('defaultsOf says no where a yes or no is required', () => {
  const properties = { a: { type: 'boolean' }, b: { type: 'boolean' } };
  expect(defaultsOf({ properties, required: ['a'] })).toEqual({ a: false });
});

it('withArgument sets and takes out', () => {
  expect(withArgument({ a: 1 }, 'b', null)).toEqual({ a: 1, b: null });
  expect(withArgument({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 });
});

describe('parseArguments', () => {
  it.each([
    ['{"a":1}', { arguments: { a: 1 } }],
    ['', { arguments: {} }],
  ])('reads %s', (text, parsed) => {
    expect(parseArguments(text)).toEqual(parsed);
  });

  it.each(['[]', '1', 'null', '{"a":'])('refuses %s', (text) => {
    expect(parseArguments(text)).toEqual({ problem: expect.stringMatching(/JSON/) as string });
  });
});
