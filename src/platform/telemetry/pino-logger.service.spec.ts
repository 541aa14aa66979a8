import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { jest } from '@jest/globals';
import { pino } from 'pino';
import { mountSmallDisk } from '../../../test/faults/small-disk.js';
import { DatabaseUnavailable } from '../database/database.errors.js';
import { logStreamTo, PinoLogger, serializers } from './pino-logger.service.js';

function newLogger(level: string) {
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(JSON.parse(String(chunk)) as Record<string, unknown>);
      done();
    },
  });
  return { logger: new PinoLogger(pino({ level, serializers }, sink)), lines };
}

describe('PinoLogger', () => {
  it('writes message and context of entries at or above its level', () => {
    const { logger, lines } = newLogger('warn');
    logger.log('quiet', 'Here');
    logger.warn('loud', 'Here');
    expect(lines).toMatchObject([{ level: 40, msg: 'loud', context: 'Here' }]);
  });

  it('writes errors with their stack, in whichever form they are passed', () => {
    const { logger, lines } = newLogger('info');
    logger.error('broken', 'Error: broken\n at x', 'Here');
    logger.error(new Error('broken too'), 'Here');
    expect(lines).toMatchObject([
      { msg: 'broken', stack: 'Error: broken\n at x', context: 'Here' },
      { msg: 'broken too', err: { message: 'broken too' }, context: 'Here' },
    ]);
  });

  it('writes expected failures with their code and their cause, but without a stack', () => {
    const { logger, lines } = newLogger('info');
    const cause = new Error('sorry, too many clients already');
    logger.warn({ err: new DatabaseUnavailable('it is full', { cause, isLasting: false }) }, 'A skill threw', 'Here');
    expect(lines).toMatchObject([
      {
        msg: 'A skill threw',
        err: {
          type: 'DatabaseUnavailable',
          code: 'database.unavailable',
          message: "the database can't be used now: it is full",
          cause: 'sorry, too many clients already',
        },
      },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/ at /);
  });

  it('writes each kind of expected failure once a minute, with the number of those that it left out', () => {
    jest.useFakeTimers();
    const { logger, lines } = newLogger('info');
    const fail = (problem: string, context: string) =>
      logger.warn({ err: new DatabaseUnavailable(problem, { cause: null, isLasting: false }) }, 'not saved', context);
    for (let second = 0; second < 60; second += 1) {
      fail('it is full', 'Here');
      fail('it is full', 'There');
      fail('it is gone', 'Here');
      jest.advanceTimersByTime(1_000);
    }
    expect(lines).toHaveLength(3);
    fail('it is full', 'Here');
    expect(lines.at(-1)).toMatchObject({ msg: 'not saved', context: 'Here', omitted: 59 });
    jest.advanceTimersByTime(60_000);
    fail('it is full', 'Here');
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).not.toHaveProperty('omitted');

    for (let time = 0; time < 3; time += 1) logger.error({ err: new Error('a bug') }, 'It failed', 'Here');
    expect(lines).toHaveLength(8);
    jest.useRealTimers();
  });

  it('goes on while its disk is full, writes the entries when there is room again, and does not wait for room at exit', async () => {
    const disk = mountSmallDisk(1);
    if (!disk) return;
    const [log, filler] = [join(disk.path, 'log'), join(disk.path, 'filler')];
    try {
      const stream = logStreamTo(log);
      await once(stream, 'ready');
      const logger = new PinoLogger(pino(stream));
      expect(() => writeFileSync(filler, Buffer.alloc(2 ** 20 + 1))).toThrow('ENOSPC');
      for (const entry of ['one', 'two']) {
        logger.warn(entry, 'Here');
        await new Promise((resolve) => stream.once('error', resolve));
      }
      stream.flushSync();
      rmSync(filler);
      logger.warn('three', 'Here');
      await once(stream, 'drain');
      const lines = readFileSync(log, 'utf8').trim().split('\n');
      expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['one', 'two', 'three']);
      stream.destroy();
    } finally {
      disk.release();
    }
  });
});
