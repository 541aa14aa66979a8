import { jest } from '@jest/globals';
import { DatabaseUnavailable } from './database.errors.js';
import { StopDeadline } from './stop-deadline.js';

const never = () => new Promise<void>(() => undefined);
const within = async (ms: number) => new Promise<string>((resolve) => setTimeout(() => resolve('written'), ms));

describe('the deadline of a stop', () => {
  let deadline: StopDeadline;
  beforeEach(() => {
    jest.useFakeTimers();
    deadline = new StopDeadline();
  });
  afterEach(() => jest.useRealTimers());

  it('leaves a service that is not stopping alone', async () => {
    const written = deadline.within(() => within(60_000));
    await jest.advanceTimersByTimeAsync(60_000);
    expect(await written).toBe('written');
  });

  it('ends all work on a database that does not answer together, and refuses more', async () => {
    deadline.onModuleDestroy();
    const first = deadline.within(never).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(5_000);
    const second = deadline.within(never).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(3_000);
    expect([await first, await second]).toEqual([expect.any(DatabaseUnavailable), expect.any(DatabaseUnavailable)]);
    await expect(deadline.within(() => within(0))).rejects.toThrow(DatabaseUnavailable);
  });

  it('lets a database that answers write what is left, however long other parts took to stop', async () => {
    deadline.onModuleDestroy();
    await jest.advanceTimersByTimeAsync(12_000);
    for (let statement = 0; statement < 3; statement += 1) {
      const written = deadline.within(() => within(900));
      await jest.advanceTimersByTimeAsync(900);
      expect(await written).toBe('written');
    }
  });
});
