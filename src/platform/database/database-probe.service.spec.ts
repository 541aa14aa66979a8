import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { until } from '../../../test/support/until.js';
import { parseEnvironment } from '../environment/environment.js';
import { explained } from './database-failure.rules.js';
import type { Database } from './database.js';
import { DatabaseUnavailable } from './database.errors.js';
import { DatabaseProbe, DatabaseTroubles } from './database-probe.service.js';
import { KeyValueStore } from './key-value.store.js';
import { memoryDatabase } from './testing.js';

/** Too old to say anything about the current state. */
const LONG_AGO_MS = -Infinity;

function failure(code: string): DatabaseUnavailable {
  const error = explained(Object.assign(new Error(code), { code }));
  if (error instanceof DatabaseUnavailable) return error;
  throw new TypeError(`${code} is no failure of a database`);
}

class ImpatientProbe extends DatabaseProbe {
  override readonly watchMs = 1;
}

describe('a lasting failure of the database', () => {
  const full = failure('53100');
  let database: Database;
  let troubles: DatabaseTroubles;
  let probe: ImpatientProbe;
  let logged: jest.SpiedFunction<Logger['error']>;
  let told: jest.SpiedFunction<Logger['log']>;
  beforeEach(async () => {
    logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    told = jest.spyOn(Logger.prototype, 'log').mockReturnValue();
    database = await memoryDatabase();
    troubles = new DatabaseTroubles();
    const environment = parseEnvironment({ DATABASE_URL: 'postgres://never-used' });
    probe = new ImpatientProbe(new KeyValueStore(database), troubles, environment);
    probe.onModuleInit();
  });
  afterEach(async () => {
    probe.beforeApplicationShutdown();
    await database.destroy();
    logged.mockRestore();
    told.mockRestore();
  });

  it('is logged once, however many statements fail', () => {
    for (let n = 0; n < 3; n += 1) troubles.note(full, LONG_AGO_MS);
    expect(logged.mock.calls).toEqual([
      ["the database can't be used now: the disk of PostgreSQL is full, and nothing was saved"],
    ]);
    expect(told).not.toHaveBeenCalled();
  });

  it('is logged once more when it is over, also when nobody asks for the health', async () => {
    troubles.note(full, LONG_AGO_MS);
    await until(() => told.mock.calls.length > 0);
    expect(told.mock.calls).toEqual([['the database can be used again']]);
    troubles.note(full, LONG_AGO_MS);
    expect(logged).toHaveBeenCalledTimes(2);
    await until(() => told.mock.calls.length === 2);
  });

  it('is not over as long as the database takes nothing that is written', async () => {
    await database.schema.dropTable('facts').execute();
    const saves = jest.spyOn(KeyValueStore.prototype, 'save');
    troubles.note(full, LONG_AGO_MS);
    await until(() => saves.mock.calls.length > 0);
    await probe.findProblem();
    expect(told).not.toHaveBeenCalled();
    saves.mockRestore();
  });

  it('is that the disk space cannot be found out', async () => {
    const environment = parseEnvironment({ DATA_DIR: '/not/there' });
    const blind = new DatabaseProbe(new KeyValueStore(database), troubles, environment);
    expect(await blind.findProblem()).toBe('the free space of the disk that holds DATA_DIR is not known');
  });

  it('is not one that passes by itself', () => {
    troubles.note(failure('40001'), LONG_AGO_MS);
    expect(logged).not.toHaveBeenCalled();
  });
});
