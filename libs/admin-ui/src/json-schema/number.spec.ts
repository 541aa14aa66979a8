import { areNumbers, readNumber, toNumber } from './number';

it.each([
  ['5', 5],
  ['-1.50', -1.5],
  ['1e3', 1000],
  [' 7 ', 7],
  ['', undefined],
  ['  ', undefined],
  ['1,5', '1,5'],
  ['45 s', '45 s'],
  ['0x10', '0x10'],
  ['1e999', '1e999'],
])('reads %j as %j', (text, value) => {
  expect(toNumber(text)).toEqual(value);
});

it.each([
  ['', null],
  ['1e3', 1000],
  ['-5', -5],
  ['1,500', NaN],
])('reads the field %j as %j', (text, value) => {
  expect(readNumber(text)).toBe(value);
  expect(areNumbers('7', text)).toBe(!Number.isNaN(value));
});
