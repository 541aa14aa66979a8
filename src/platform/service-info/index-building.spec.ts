import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { IndexBuilding } from './index-building.service.js';

describe('IndexBuilding', () => {
  let logged: jest.Spied<Logger['error']>;
  beforeEach(() => (logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined)));
  afterEach(() => logged.mockRestore());

  const failing = () => {
    const { promise, reject } = Promise.withResolvers<void>();
    return { build: () => promise, fail: () => reject(new Error('the database is closed')) };
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('logs a failure, and names the index until it is built', async () => {
    const building = new IndexBuilding();
    const { build, fail } = failing();
    building.begin('knowledge', build);
    expect(building.list()).toEqual(['knowledge']);
    fail();
    await settled();
    expect(building.list()).toEqual(['knowledge']);
    expect(logged).toHaveBeenCalledTimes(1);
    building.beforeApplicationShutdown();
  });

  it('logs no failure of a build that the stop of the service has ended', async () => {
    const building = new IndexBuilding();
    const { build, fail } = failing();
    building.begin('knowledge', build);
    building.beforeApplicationShutdown();
    fail();
    await settled();
    expect(logged).not.toHaveBeenCalled();
  });
});
