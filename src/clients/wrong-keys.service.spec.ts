import { Logger } from '@nestjs/common';
import { WrongKeys } from './wrong-keys.service.js';

const tried = (keys: WrongKeys, address: string, times: number, nowMs = 0) =>
  Array.from({ length: times }, () => keys.record(address, nowMs)).at(-1);

describe('WrongKeys', () => {
  beforeAll(() => {
    Logger.overrideLogger(false);
  });

  it('makes an address wait for the rest of the minute after 30 wrong keys', () => {
    const keys = new WrongKeys();
    expect(tried(keys, '192.0.2.1', 30, 1_000)).toBe(0);
    expect(keys.record('192.0.2.1', 31_000)).toBe(30);
    expect(keys.record('192.0.2.2', 31_000)).toBe(0);
    expect(keys.record('192.0.2.1', 61_000)).toBe(0);
  });

  it('counts all addresses of an IPv6 /64 as one, and a mapped IPv4 address as the IPv4 address', () => {
    const keys = new WrongKeys();
    for (let host = 1; host <= 30; host += 1) keys.record(`2001:db8:1:2::${host.toString(16)}`, 0);
    expect(keys.record('2001:db8:1:2:ffff::1', 0)).toBe(60);
    expect(keys.record('2001:db8:1:3::1', 0)).toBe(0);
    tried(keys, '192.0.2.9', 30);
    expect(keys.record('::ffff:192.0.2.9', 0)).toBe(60);
    expect(keys.record('::ffff:192.0.2.10', 0)).toBe(0);
  });

  it('remembers a limited number of addresses, and counts all further ones together', () => {
    const keys = new WrongKeys();
    for (let n = 0; n < 10_000; n += 1) keys.record(`10.0.${n >> 8}.${n & 255}`, 0);
    expect(tried(keys, '10.0.0.1', 29)).toBe(0);
    for (let n = 0; n < 30; n += 1) expect(keys.record(`10.9.9.${n}`, 0)).toBe(0);
    expect(keys.record('10.9.9.200', 0)).toBe(60);
  });

  it('accepts a text that is not an address', () => {
    expect(new WrongKeys().record(undefined, 0)).toBe(0);
    expect(new WrongKeys().record('nonsense', 0)).toBe(0);
  });
});
