import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { AdminModule } from '../src/entrypoints/admin/admin.module.js';
import { setupAdmin } from '../src/entrypoints/admin/open-api/open-api.controller.js';
import { UI_FOLDER } from '../src/entrypoints/admin/ui/admin-ui.middleware.js';
import { ConfigModule } from '../src/platform/config/config.module.js';
import { Database } from '../src/platform/database/database.js';
import { DatabaseModule } from '../src/platform/database/database.module.js';
import { memoryDatabase } from '../src/platform/database/testing.js';
import { EventsModule } from '../src/platform/events/events.module.js';
import { PolicyModule } from '../src/access/policy/policy.module.js';
import { temporaryFolder } from './support/temporary-folder.js';

const INDEX = '<!doctype html><title>UI</title>';
const SCRIPT = 'console.log("a script that compresses well, well, well")';

describe('the admin UI', () => {
  let app: NestExpressApplication;
  let folder: string;

  beforeAll(async () => {
    folder = temporaryFolder();
    process.env['DATA_DIR'] = temporaryFolder();
    const testing = await Test.createTestingModule({
      imports: [EventsModule, ConfigModule, DatabaseModule, PolicyModule, AdminModule],
    })
      .overrideProvider(Database)
      .useValue(await memoryDatabase())
      .overrideProvider(UI_FOLDER)
      .useValue(folder)
      .compile();
    app = testing.createNestApplication<NestExpressApplication>({ bodyParser: false });
    setupAdmin(app);
    await app.init();
  });
  afterAll(async () => {
    await app.close();
    delete process.env['DATA_DIR'];
  });

  const get = (path: string) => request(app.getHttpServer()).get(path);

  describe('when it is not built', () => {
    it('says how to build it, and is asked again', async () => {
      for (const path of ['/admin', '/admin/', '/admin/config', '/admin/assets/app.js']) {
        await get(path)
          .expect(503)
          .expect('content-type', /^text\/plain/)
          .expect('refresh', '5')
          .expect('retry-after', '5')
          .expect(/npm run build:ui/);
      }
    });

    it('does not affect the API', async () => {
      await get('/admin/api/session').expect(401);
      await get('/admin/api/openapi.json').expect(200);
    });
  });

  describe('when it is built', () => {
    beforeAll(async () => {
      await mkdir(join(folder, 'assets'));
      await writeFile(join(folder, 'index.html'), INDEX);
      await writeFile(join(folder, 'icon.svg'), '<svg/>');
      for (const name of ['app-1a2b.js', 'plain-1a2b.js']) await writeFile(join(folder, 'assets', name), SCRIPT);
      await writeFile(join(folder, 'assets/app-1a2b.js.gz'), gzipSync(SCRIPT));
      await writeFile(join(folder, 'assets/app-1a2b.js.br'), brotliCompressSync(SCRIPT));
    });

    it.each(['/admin', '/admin/', '/admin/config', '/admin/skills/system_info', '/admin/config/mcp.api_key?tab=1'])(
      'shows its page at %s, which is never kept without asking',
      async (path) => {
        const { headers } = await get(path).expect(200, INDEX).expect('content-type', 'text/html; charset=utf-8');
        expect(headers).toMatchObject({
          'cache-control': 'no-cache',
          'content-security-policy': expect.stringContaining("default-src 'self'") as string,
          'x-content-type-options': 'nosniff',
        });
      },
    );

    it('lets browsers cache hashed files for good', async () => {
      const { headers } = await get('/admin/assets/plain-1a2b.js').expect(200);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
      expect(headers).toHaveProperty('content-security-policy');
      await get('/admin/icon.svg').expect(200).expect('cache-control', 'no-cache').expect('content-type', /svg/);
    });

    it.each([
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
      ['identity', undefined],
    ])('answers Accept-Encoding: %s with what the build prepared', async (accepted, encoding) => {
      const response = await get('/admin/assets/app-1a2b.js').set('Accept-Encoding', accepted).expect(200);
      expect(response.headers['content-encoding']).toBe(encoding);
      expect(response.headers['content-type']).toBe('text/javascript; charset=utf-8');
      expect(response.headers['vary']).toContain('Accept-Encoding');
      await get('/admin/assets/plain-1a2b.js').set('Accept-Encoding', accepted).expect(200, SCRIPT);
    });

    it('serves no page for a missing asset, an unknown API path, or a change', async () => {
      const isProblem = /^application\/problem\+json/;
      await get('/admin/assets/gone.js').expect(404).expect('content-type', isProblem);
      await get('/admin/api').expect(404).expect('content-type', isProblem);
      await get('/admin/api/nothing').expect(404).expect('content-type', isProblem);
      await request(app.getHttpServer()).post('/admin/config').expect(404).expect('content-type', isProblem);
    });

    it.each(['/admin/..%2fpackage.json', '/admin/%2e%2e/package.json', '/admin/assets/..%5c..%5cx', '/admin/%00'])(
      'does not leave its folder for %s',
      async (path) => {
        expect((await get(path)).text).not.toContain('"dependencies"');
        await get(path).expect(404);
      },
    );

    it('answers HEAD, and answers 304 to a browser that has the file', async () => {
      const { headers } = await request(app.getHttpServer()).head('/admin/').expect(200);
      await get('/admin/').set('If-None-Match', String(headers['etag'])).expect(304);
      await get('/admin/').set('If-None-Match', `"another", ${headers['etag']}`).expect(304);
    });

    it.each([
      ['bytes=0-6', 206, SCRIPT.slice(0, 7)],
      ['bytes=0-0', 206, SCRIPT.slice(0, 1)],
      ['bytes=-4', 206, SCRIPT.slice(-4)],
      ['bytes=50-20', 416, ''],
      ['lines=1-2', 200, SCRIPT],
    ])('answers Range: %s with %i', async (range, status, content) => {
      const response = await get('/admin/assets/plain-1a2b.js').set('Range', range).expect(status);
      if (status !== 416) expect(response.text).toBe(content);
    });

    it('sends no encoding that the browser rules out, and no hidden file', async () => {
      const response = await get('/admin/assets/app-1a2b.js').set('Accept-Encoding', 'br;q=0, gzip;q=0').expect(200);
      expect(response.headers).not.toHaveProperty('content-encoding');
      await writeFile(join(folder, '.env'), 'SECRET=1');
      expect((await get('/admin/.env')).text).not.toContain('SECRET');
    });

    it('serves the next build without a restart', async () => {
      await writeFile(join(folder, 'assets', 'next-3c4d.js'), SCRIPT);
      await get('/admin/assets/next-3c4d.js').expect(200, SCRIPT);
      await writeFile(join(folder, 'index.html'), `${INDEX}<p>of the next build`);
      await get('/admin/').expect(200, `${INDEX}<p>of the next build`);
      await rm(join(folder, 'assets', 'next-3c4d.js'));
      await get('/admin/assets/next-3c4d.js').expect(404);
      await writeFile(join(folder, 'index.html'), INDEX);
    });

    it('is where the root of the service redirects to', async () => {
      await get('/').expect(302).expect('location', '/admin/');
    });
  });
});
