import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import type { App } from 'supertest/types.js';
import { ConfigModule } from '../config/config.module.js';
import { SettingsService } from '../config/settings.service.js';
import { Database } from '../database/database.js';
import { DatabaseModule } from '../database/database.module.js';
import { memoryDatabase } from '../database/testing.js';
import { EventsModule } from '../events/events.module.js';
import { McpStatus } from '../telemetry/mcp-status.service.js';
import { VERSION } from '../telemetry/version.js';
import { HealthModule } from './health.module.js';

const anyNumber: unknown = expect.any(Number);

describe('health', () => {
  let app: INestApplication<App>;
  beforeEach(async () => {
    const imports = [EventsModule, ConfigModule, DatabaseModule, HealthModule];
    const testing = Test.createTestingModule({ imports })
      .overrideProvider(Database)
      .useValue(await memoryDatabase());
    app = (await testing.compile()).createNestApplication<INestApplication<App>>();
    await app.init();
  });
  afterEach(() => app.close());

  const run = async () => {
    await app.get(SettingsService).set('mcp.api_key', 'a-key-of-16-characters');
    app.get(McpStatus).enter('running');
  };
  const get = (path: string) => request(app.getHttpServer()).get(path);

  it('is starting, then unconfigured, running and stopping', async () => {
    const starting = await get('/health').expect(200).expect('cache-control', 'no-store');
    expect(starting.body).toEqual({ status: 'ok', mcp: 'starting', version: VERSION, uptimeSeconds: anyNumber });
    app.get(McpStatus).enter('running');
    expect((await get('/health')).body).toMatchObject({ mcp: 'unconfigured' });
    await run();
    expect((await get('/health')).body).toMatchObject({ mcp: 'running' });
    app.get(McpStatus).enter('stopping');
    expect((await get('/health').expect(200)).body).toMatchObject({ mcp: 'stopping' });
  });

  it('is ready only while MCP runs and the database answers', async () => {
    const unready = await get('/health/ready').expect(503);
    expect(unready.body).toMatchObject({ status: 'error', error: { mcp: { status: 'down', message: 'starting' } } });
    await run();
    await get('/health/ready').expect(200).expect('cache-control', 'no-store');
    await app.get(Database).destroy();
    await get('/health/ready').expect(503).expect('cache-control', 'no-store');
    await get('/health/live').expect(200, { status: 'ok' });
  });

  it('answers HEAD', async () => {
    await request(app.getHttpServer()).head('/health').expect(200);
    await request(app.getHttpServer()).head('/health/ready').expect(503);
  });
});
