import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { RateLimitStore } from '../../platform/database/rate-limit.store.js';
import { describeEachDatabase, memoryDatabase } from '../../platform/database/testing.js';
import { WrongKeys } from './guess-limit.js';

describe('WrongKeys', () => {
  let warn: jest.SpiedFunction<Logger['warn']>;
  let now: jest.SpiedFunction<typeof Date.now>;
  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    now = jest.spyOn(Date, 'now');
  });
  afterEach(() => {
    warn.mockRestore();
    now.mockRestore();
  });
  const record = (keys: WrongKeys, address: string | undefined, seconds: number) => {
    const ms = seconds * 1000 + 1;
    now.mockReturnValue(ms);
    return keys.record(address, ms);
  };
  const tried = async (keys: WrongKeys, address: string, times: number, seconds = 0) => {
    let waitSeconds = 0;
    for (let n = 0; n < times; n += 1) waitSeconds = await record(keys, address, seconds);
    return waitSeconds;
  };

  describeEachDatabase('counting', (open, dialect) => {
    const newKeys = async () => new WrongKeys(new RateLimitStore(await open()));

    it('makes an address wait after 30 wrong keys in a minute, for the rest of it', async () => {
      const keys = await newKeys();
      expect(await tried(keys, '192.0.2.1', 30, 1)).toBe(0);
      expect(warn).not.toHaveBeenCalled();
      expect(await record(keys, '192.0.2.1', 31)).toBe(30);
      expect(warn).toHaveBeenCalledTimes(1);
      expect(await record(keys, '192.0.2.1', 41)).toBe(20);
      expect(await record(keys, '192.0.2.2', 41)).toBe(0);
      expect(await record(keys, '192.0.2.1', 61)).toBe(0);
      expect(warn).toHaveBeenCalledTimes(1);
    });

    it('counts all addresses of an IPv6 /64 as one, and a mapped IPv4 address as the IPv4 address', async () => {
      const keys = await newKeys();
      for (let host = 1; host <= 30; host += 1) await record(keys, `2001:db8:1:2::${host.toString(16)}`, 0);
      expect(await record(keys, '2001:db8:1:2:ffff::1', 0)).toBe(60);
      expect(await record(keys, '2001:db8:1:3::1', 0)).toBe(0);
      await tried(keys, '192.0.2.9', 30);
      expect(await record(keys, '::ffff:192.0.2.9', 0)).toBe(60);
      expect(await record(keys, '::ffff:192.0.2.10', 0)).toBe(0);
    });

    it('accepts a text that is not an address', async () => {
      const keys = await newKeys();
      expect(await record(keys, undefined, 0)).toBe(0);
      expect(await record(keys, 'nonsense\0', 0)).toBe(0);
    });

    it('keeps counting without its database', async () => {
      const database = await open();
      const keys = new WrongKeys(new RateLimitStore(database));
      await database.destroy();
      expect(await tried(keys, '192.0.2.1', 30)).toBe(0);
      expect(await record(keys, '192.0.2.1', 0)).toBe(60);
    });

    if (dialect === 'postgres') {
      it('counts for all replicas together, and asks no more about who has to wait', async () => {
        const database = await open();
        const [one, other] = [new WrongKeys(new RateLimitStore(database)), new WrongKeys(new RateLimitStore(database))];
        await tried(one, '192.0.2.1', 15);
        await tried(other, '192.0.2.1', 15);
        expect(await record(one, '192.0.2.1', 0)).toBe(60);
        expect(await record(other, '192.0.2.1', 0)).toBe(60);
        const asked = jest.spyOn(database, 'executeQuery');
        expect(await tried(one, '192.0.2.1', 10, 10)).toBe(50);
        expect(asked).not.toHaveBeenCalled();
      });
    }
  });

  it('remembers a limited number of addresses, and counts all further ones together', async () => {
    const keys = new WrongKeys(new RateLimitStore(await memoryDatabase()));
    for (let n = 0; n < 10_000; n += 1) await record(keys, `10.0.${n >> 8}.${n & 255}`, 0);
    expect(await tried(keys, '10.0.0.1', 29)).toBe(0);
    for (let n = 0; n < 30; n += 1) expect(await record(keys, `10.9.9.${n}`, 0)).toBe(0);
    expect(await record(keys, '10.9.9.200', 0)).toBe(60);
  });
});
