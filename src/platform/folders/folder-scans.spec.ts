import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FolderScans } from './folder-scans.js';

class Looks extends FolderScans {
  constructor(protected readonly scanOnce: () => Promise<boolean>) {
    super('skills', { calmMs: 200, settledMs: 300 });
  }
}

describe('FolderScans', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.restoreAllMocks().useRealTimers());

  it('scans every 10 s, soon again when something is not settled, and not after it is stopped', async () => {
    const scan = jest.fn(() => Promise.resolve(scan.mock.calls.length === 2));
    const looks = new Looks(scan);
    await looks.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(9_900);
    expect(scan).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(200);
    expect(scan).toHaveBeenCalledTimes(2);
    await jest.advanceTimersByTimeAsync(300);
    expect(scan).toHaveBeenCalledTimes(3);
    await looks.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(scan).toHaveBeenCalledTimes(3);
  });

  it('reports a failure once, until another one or a successful scan', async () => {
    const outcomes = ['down', 'down', 'full', 'full', null, 'full'];
    const told: string[] = [];
    const scan = () => {
      const problem = outcomes.shift() ?? null;
      return problem === null ? Promise.resolve(false) : Promise.reject(new Error(problem));
    };
    jest.spyOn(Logger.prototype, 'error').mockImplementation((error: unknown) => void told.push(String(error)));
    const looks = new Looks(scan);
    await looks.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(told).toEqual(['Error: down', 'Error: full', 'Error: full']);
    await looks.beforeApplicationShutdown();
  });
});
