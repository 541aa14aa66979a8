import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { jest } from '@jest/globals';
import { LargeBodies } from './large-bodies.js';
import { RequestBodies } from './request-body.js';
import { Connection } from './received.testing.js';
import { ROOMY_LIMITS } from './testing.js';

const LIMITS = { ...ROOMY_LIMITS, maxBodyBytes: 20, maxIncomingBytes: 30, maxJsonDepth: 3 };

/** Returns a request and its response; the body is sent later. */
function newRequest(announced?: number) {
  const req = new IncomingMessage(new Socket());
  if (announced !== undefined) req.headers['content-length'] = String(announced);
  const connection = new Connection();
  return {
    req,
    res: connection.res,
    send: (...parts: (string | Buffer)[]) => parts.forEach((part) => req.push(part)),
    end: () => void req.push(null),
    answer: () => connection.breakOff(),
  };
}

const passed = () => new Promise((resolve) => setImmediate(resolve));

describe('the bodies of requests', () => {
  const large = new LargeBodies();
  let bodies: RequestBodies;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    bodies = new RequestBodies(() => LIMITS, large);
  });
  afterEach(() => void jest.useRealTimers());
  afterAll(() => large.close());

  /** Reads a body that is sent in these parts. */
  function read(...parts: (string | Buffer)[]) {
    const request = newRequest();
    const body = bodies.read(request.req, request.res);
    request.send(...parts);
    request.end();
    return body;
  }

  /** Holds this many bytes of an unfinished body. */
  async function hold(bytes: number) {
    const request = newRequest();
    void bodies.read(request.req, request.res);
    request.send(' '.repeat(bytes));
    await passed();
    return request;
  }

  it('are read as JSON, with their size', async () => {
    expect(await read('{"a":1}')).toEqual({ value: { a: 1 }, bytes: 7, isStorable: true });
    const euro = Buffer.from('["€"]');
    const parts = [euro.subarray(0, 3), euro.subarray(3)];
    expect(await read(...parts)).toEqual({ value: ['€'], bytes: 7, isStorable: true });
  });

  it('are marked when databases refuse a character in them', async () => {
    expect(await read('"\\u0000"')).toEqual({ value: '\0', bytes: 8, isStorable: false });
  });

  it('are invalid JSON when they are empty or broken', async () => {
    expect(await read()).toEqual({ problem: 'not_json' });
    expect(await read('{"a"')).toEqual({ problem: 'not_json' });
  });

  it('may be nested as deep as allowed', async () => {
    expect(await read('[[[]]]')).toMatchObject({ value: [[[]]] });
    expect(await read('[[[[]]]]')).toEqual({ problem: 'too_deep' });
  });

  it.each(['close', 'error'])('are aborted by the event %s before their end', async (event) => {
    const { req, res, send } = newRequest();
    const body = bodies.read(req, res);
    send('{"a"');
    await passed();
    req.emit(event);
    expect(await body).toEqual({ problem: 'aborted' });
  });

  describe('that are too large', () => {
    it('are rejected by their announced size', async () => {
      const [most, more] = [newRequest(20), newRequest(21)];
      const body = bodies.read(most.req, most.res);
      expect(await bodies.read(more.req, more.res)).toEqual({ problem: 'too_large' });
      most.send('1'.padEnd(20));
      most.end();
      expect(await body).toMatchObject({ value: 1, bytes: 20 });
    });

    it('are read while they are as large as allowed', async () => {
      expect(await read(' '.repeat(19), '1')).toMatchObject({ value: 1, bytes: 20 });
    });

    it('are refused as they come', async () => {
      expect(await read(' '.repeat(19), '1', ' ')).toEqual({ problem: 'too_large' });
    });

    it('are thrown away while they go on, and hold nothing more', async () => {
      const { req, res, send, end, answer } = newRequest();
      const body = bodies.read(req, res);
      send(' '.repeat(15), ' '.repeat(6));
      expect(await body).toEqual({ problem: 'too_large' });
      send(' '.repeat(10_000), ' '.repeat(5));
      await passed();
      expect(req.readableLength).toBe(0);
      expect(await read('1'.padEnd(15))).toMatchObject({ bytes: 15 });
      end();
      answer();
    });

    it('are thrown away for five seconds, then their connection is cut', async () => {
      const { req, res, send } = newRequest(21);
      await bodies.read(req, res);
      jest.advanceTimersByTime(4_999);
      send(' '.repeat(21));
      await passed();
      expect([req.readableLength, req.destroyed]).toEqual([0, false]);
      jest.advanceTimersByTime(1);
      expect(req.destroyed).toBe(true);
    });

    it('are not waited for when they are over', async () => {
      const { req, res, end } = newRequest(21);
      await bodies.read(req, res);
      expect(jest.getTimerCount()).toBe(1);
      end();
      await passed();
      expect(jest.getTimerCount()).toBe(0);
    });
  });

  describe('that are many at once', () => {
    it('are rejected by their announced size when there is no room', async () => {
      await hold(15);
      const [most, more] = [newRequest(15), newRequest(16)];
      const body = bodies.read(most.req, most.res);
      expect(await bodies.read(more.req, more.res)).toEqual({ problem: 'no_room' });
      most.send('1'.padEnd(15));
      most.end();
      expect(await body).toMatchObject({ value: 1 });
    });

    it('are rejected while they arrive when there is no room', async () => {
      await hold(15);
      expect(await read('1'.padEnd(16))).toEqual({ problem: 'no_room' });
      expect(await read('1'.padEnd(10), ' '.repeat(5))).toMatchObject({ bytes: 15 });
      expect(await read('1')).toEqual({ problem: 'no_room' });
    });

    it('hold their bytes until the response is over, and not only until they are read', async () => {
      const first = await hold(15);
      first.end();
      await passed();
      expect(await read('1'.padEnd(16))).toEqual({ problem: 'no_room' });
      first.answer();
      expect(await read('1'.padEnd(16))).toMatchObject({ bytes: 16 });
      expect(await read('1'.padEnd(14))).toMatchObject({ bytes: 14 });
      expect(await read('1')).toEqual({ problem: 'no_room' });
    });
  });
});
