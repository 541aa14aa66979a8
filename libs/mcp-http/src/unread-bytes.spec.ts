import { jest } from '@jest/globals';
import type { EndpointLimits } from './endpoint-options.js';
import { Connection } from './received.testing.js';
import { ROOMY_LIMITS } from './testing.js';
import { UnreadBytes } from './responses.js';

const LIMITS = { maxUnreadBytes: 20_000, maxUnreadBytesPerConnection: 15_000, unreadTimeoutMs: 5_000 };

describe('the bytes that clients have not read', () => {
  let unread: UnreadBytes;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    start();
  });
  afterEach(() => {
    unread.stop();
    jest.useRealTimers();
  });

  /** Restarts with these limits: a client must read 10 bytes per millisecond. */
  function start(limits: Partial<EndpointLimits> = {}): void {
    unread = new UnreadBytes(() => ({ ...ROOMY_LIMITS, ...LIMITS, ...limits }), 10);
  }

  function connection(bytes = 0) {
    const opened = new Connection();
    let waiting = 0;
    Object.defineProperty(opened.res, 'writableLength', { get: () => waiting });
    const wait = (now: number) => {
      waiting = now;
      unread.wrote(opened.res);
    };
    if (bytes > 0) wait(bytes);
    return { res: opened.res, breakOff: () => opened.breakOff(), wait, read: (left = 0) => (waiting = left) };
  }

  describe('of all together', () => {
    it('may be as many as the limit, and no more', () => {
      expect([unread.hasRoomFor(20_000), unread.hasRoomFor(20_001)]).toEqual([true, false]);
      connection(5_000);
      connection(5_000);
      expect([unread.hasRoomFor(10_000), unread.hasRoomFor(10_001)]).toEqual([true, false]);
    });

    it('always have room for a refusal', () => {
      connection(30_000);
      expect([unread.hasRoomFor(4_096), unread.hasRoomFor(4_097)]).toEqual([true, false]);
    });

    it('are counted once, however often is written', () => {
      const { wait } = connection(5_000);
      wait(12_000);
      wait(10_000);
      expect([unread.hasRoomFor(10_000), unread.hasRoomFor(10_001)]).toEqual([true, false]);
      wait(0);
      wait(0);
      expect([unread.hasRoomFor(20_000), unread.hasRoomFor(20_001)]).toEqual([true, false]);
    });

    it('do not grow by a write that was read at once', () => {
      const { res, wait } = connection();
      wait(0);
      expect(res.listenerCount('close')).toBe(0);
      expect([unread.hasRoomFor(20_000), unread.hasRoomFor(20_001)]).toEqual([true, false]);
    });

    it('do not count any more when their connection is closed', () => {
      const [first, second] = [connection(12_000), connection(5_000)];
      first.breakOff();
      expect([unread.hasRoomFor(15_000), unread.hasRoomFor(15_001)]).toEqual([true, false]);
      first.read();
      jest.advanceTimersByTime(1_000);
      expect([unread.hasRoomFor(15_000), unread.hasRoomFor(15_001)]).toEqual([true, false]);
      second.wait(0);
      second.breakOff();
      expect([unread.hasRoomFor(20_000), unread.hasRoomFor(20_001)]).toEqual([true, false]);
    });

    it('are forgotten once for a connection that had a backlog twice', () => {
      const { wait, breakOff, res } = connection(12_000);
      wait(0);
      wait(10_000);
      expect(res.listenerCount('close')).toBe(1);
      breakOff();
      expect([unread.hasRoomFor(20_000), unread.hasRoomFor(20_001)]).toEqual([true, false]);
    });

    it('are not counted again while there is room by the last count', () => {
      const { read } = connection(10_000);
      jest.advanceTimersByTime(500);
      read(12_000);
      expect(unread.hasRoomFor(10_000)).toBe(true);
      expect(unread.hasRoomFor(10_001)).toBe(false);
      expect(unread.hasRoomFor(10_000)).toBe(false);
    });

    it('are counted again every second, and at once when there seems to be no room', () => {
      const { read, res } = connection(20_000);
      jest.advanceTimersByTime(1_000);
      read(12_000);
      jest.advanceTimersByTime(100);
      expect(unread.hasRoomFor(8_000)).toBe(false);
      jest.advanceTimersByTime(1);
      expect([unread.hasRoomFor(8_000), unread.hasRoomFor(8_001)]).toEqual([true, false]);
      read();
      jest.advanceTimersByTime(899);
      expect([unread.hasRoomFor(20_000), unread.hasRoomFor(20_001)]).toEqual([true, false]);
      expect(res.destroyed).toBe(false);
    });
  });

  describe('of one stream', () => {
    it('may be as many as the limit before more is written', () => {
      start({ maxUnreadBytes: 1_000_000 });
      const { res, wait } = connection(15_000);
      expect(unread.takesMore(res, 50_000)).toBe(true);
      wait(15_001);
      expect(unread.takesMore(res, 1)).toBe(false);
    });

    it('take no more when there is no room for all together', () => {
      connection(20_000);
      const other = connection();
      expect([unread.takesMore(other.res, 4_096), unread.takesMore(other.res, 4_097)]).toEqual([true, false]);
    });

    it('do not block a small response when there are none, whatever the limit', () => {
      start({ maxUnreadBytesPerConnection: -1 });
      const { res, wait } = connection();
      expect([unread.takesMore(res, 4_096), unread.takesMore(res, 4_097)]).toEqual([true, false]);
      wait(1);
      expect(unread.takesMore(res, 1)).toBe(false);
    });
  });

  describe('when they are not read for too long', () => {
    it('have their connection cut, and no other', () => {
      const [slow, quick] = [connection(10_000), connection(10_000)];
      // The timeout, and a second for 10,000 bytes.
      jest.advanceTimersByTime(6_000);
      expect(slow.res.destroyed).toBe(false);
      quick.read();
      jest.advanceTimersByTime(1_000);
      expect([slow.res.destroyed, quick.res.destroyed]).toEqual([true, false]);
    });

    it('give their client time for what is written meanwhile, but not for what it reads', () => {
      const { res, wait, read } = connection(10_000);
      jest.advanceTimersByTime(3_000);
      wait(20_000);
      read(5_000);
      jest.advanceTimersByTime(4_000);
      expect(res.destroyed).toBe(false);
      jest.advanceTimersByTime(1_000);
      expect(res.destroyed).toBe(true);
    });

    it('are measured from zero once all was read', () => {
      const { res, wait } = connection(10_000);
      jest.advanceTimersByTime(5_000);
      wait(0);
      wait(10_000);
      jest.advanceTimersByTime(6_000);
      expect(res.destroyed).toBe(false);
      jest.advanceTimersByTime(1_000);
      expect(res.destroyed).toBe(true);
    });

    it('are no longer checked after the stop', () => {
      const { res } = connection(10_000);
      unread.stop();
      expect(jest.getTimerCount()).toBe(0);
      jest.advanceTimersByTime(20_000);
      expect(res.destroyed).toBe(false);
    });
  });
});
