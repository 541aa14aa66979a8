import { jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import type { App } from 'supertest/types.js';
import { until } from '../../../test/support/until.js';
import { ConfigModule } from '../../platform/config/config.module.js';
import { SettingsService } from '../../platform/config/settings.service.js';
import { explained } from '../../platform/database/database-failure.rules.js';
import { DatabaseTroubles } from '../../platform/database/database-probe.service.js';
import type { DatabaseUnavailable } from '../../platform/database/database.errors.js';
import { Database } from '../../platform/database/database.js';
import { DatabaseModule } from '../../platform/database/database.module.js';
import { KeyValueStore } from '../../platform/database/key-value.store.js';
import { memoryDatabase } from '../../platform/database/testing.js';
import { EventsModule } from '../../platform/events/events.module.js';
import { PolicyService } from '../../access/policy/policy.service.js';
import { IndexBuilding } from '../../platform/service-info/index-building.service.js';
import { McpStatus } from '../../access/clients/mcp-status.service.js';
import { VERSION } from '../../platform/service-info/version.js';
import type { Health } from './health-facts.service.js';
import { HealthModule } from './health.module.js';
import { temporaryFolder } from '../../../test/support/temporary-folder.js';

const anyNumber: unknown = expect.any(Number);

describe('health', () => {
  let app: INestApplication<App>;
  const { DATA_DIR } = process.env;
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder();
    process.env['DATA_DIR'] = folder;
    const imports = [EventsModule, ConfigModule, DatabaseModule, HealthModule];
    const testing = Test.createTestingModule({ imports })
      .overrideProvider(Database)
      .useValue(await memoryDatabase());
    app = (await testing.compile()).createNestApplication<INestApplication<App>>();
    await app.init();
  });
  afterEach(async () => {
    if (DATA_DIR === undefined) delete process.env['DATA_DIR'];
    else process.env['DATA_DIR'] = DATA_DIR;
    await app.close();
  });

  const run = async () => {
    await app.get(SettingsService).set('mcp.api_key', 'a-key-of-16-characters');
    app.get(McpStatus).enter('running');
  };
  const get = (path: string) => request(app.getHttpServer()).get(path);

  it('says that the policies cannot be used, and is not ready, when they are damaged', async () => {
    await run();
    expect((await get('/health/ready')).status).toBe(200);
    const database = app.get(Database);
    await database.updateTable('policies').set({ compiled: '{"effect":"permit"}' }).execute();
    await app.get(PolicyService).changed();
    expect((await get('/health')).body).toMatchObject({ status: 'ok', policies: 'failed' });
    expect((await get('/health/ready')).status).toBe(503);
    const client = { name: 'default', groups: [] };
    expect(app.get(PolicyService).decide({ client, action: 'readResource', uri: 'memory://a/b' })).toMatchObject({
      allowed: false,
      reason: 'engine_failed',
    });
  });

  it('is starting, then unconfigured, running and stopping', async () => {
    const starting = await get('/health').expect(200).expect('cache-control', 'no-store');
    expect(starting.body).toEqual({
      status: 'ok',
      mcp: 'starting',
      database: 'ok',
      policies: 'ok',
      search: 'complete',
      version: VERSION,
      uptimeSeconds: anyNumber,
      escapedErrors: 0,
    });
    app.get(McpStatus).enter('running');
    expect((await get('/health')).body).toMatchObject({ mcp: 'unconfigured' });
    await run();
    expect((await get('/health')).body).toMatchObject({ mcp: 'running' });
    app.get(McpStatus).enter('stopping');
    expect((await get('/health').expect(200)).body).toMatchObject({ mcp: 'stopping' });
  });

  it('is ready while an index is built, and says that searches lack something', async () => {
    await run();
    const build = Promise.withResolvers<void>();
    app.get(IndexBuilding).begin('knowledge', () => build.promise);
    expect((await get('/health').expect(200)).body).toMatchObject({ search: 'indexing' });
    await get('/health/ready').expect(200);
    build.resolve();
    await until(async () => ((await get('/health')).body as Health).search === 'complete');
  });

  it('is ready only while MCP runs and the database answers', async () => {
    const unready = await get('/health/ready').expect(503);
    expect(unready.body).toMatchObject({ status: 'error', error: { mcp: { status: 'down', message: 'starting' } } });
    await run();
    await get('/health/ready').expect(200).expect('cache-control', 'no-store');
    await app.get(Database).destroy();
    await until(async () => (await get('/health/ready')).status === 503);
    await get('/health/ready').expect(503).expect('cache-control', 'no-store');
    await get('/health/live').expect(200, { status: 'ok' });
  });

  it('is not ready while the database takes nothing that is written', async () => {
    await run();
    await get('/health/ready').expect(200);
    await app.get(Database).schema.dropTable('facts').execute();
    await until(async () => (await get('/health/ready')).status === 503);
    const unready = await get('/health/ready');
    expect(unready.body).toMatchObject({ error: { database: { status: 'down', message: 'cannot be written' } } });
    expect((await get('/health').expect(200)).body).toMatchObject({ status: 'ok', database: 'failed' });
  });

  it('is not ready right after the disk was full', async () => {
    await run();
    const full = Object.assign(new Error('full'), { code: '53100' });
    app.get(DatabaseTroubles).note(explained(full) as DatabaseUnavailable, performance.now());
    const unready = await get('/health/ready').expect(503);
    expect(unready.body).toMatchObject({
      error: { database: { message: expect.stringContaining('full') as unknown } },
    });
  });

  it('is not ready while a transaction keeps the database from everybody else', async () => {
    await run();
    const end = Promise.withResolvers<void>();
    const transaction = app
      .get(Database)
      .transaction()
      .execute(() => end.promise);
    await get('/health/ready').expect(503);
    await get('/health/live').expect(200);
    expect((await get('/health').expect(200)).body).toMatchObject({ database: 'failed' });
    end.resolve();
    await transaction;
    await until(async () => (await get('/health/ready')).status === 200);
    await until(async () => ((await get('/health')).body as Health).database === 'ok');
  });

  it('does not write more often for being asked more often', async () => {
    await run();
    const saves = jest.spyOn(app.get(KeyValueStore), 'save');
    await Promise.all(Array.from({ length: 50 }, () => get('/health/ready')));
    expect(saves.mock.calls.length).toBeLessThan(10);
  });

  it('answers HEAD', async () => {
    await request(app.getHttpServer()).head('/health').expect(200);
    await request(app.getHttpServer()).head('/health/ready').expect(503);
  });
});
