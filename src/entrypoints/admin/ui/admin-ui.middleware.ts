import { extname, join } from 'node:path';
import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { isFile, pagePathOf } from './ui-files.rules.js';

/** Injection token of the folder with the built UI. */
export const UI_FOLDER = Symbol('UI_FOLDER');

const INDEX = 'index.html';
const HASHED = /^assets\//;
/** Encodings in which the build may have stored files, smallest first, with their file extensions. */
const PREPARED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const NOT_BUILT =
  'The administration pages are not ready yet. The first start builds them, which takes up to a minute; this page reloads by itself.\n' +
  'If they do not appear, run `npm run build:ui` to see what is wrong. The REST API at /admin/api works meanwhile.\n';
const RELOAD_SECONDS = '5';

/** Serves the built UI at /admin. Each page has its own address; all of them are index.html. */
@Injectable()
export class AdminUi implements NestMiddleware {
  constructor(@Inject(UI_FOLDER) private readonly folder: string) {}

  async use(request: Request, response: Response, next: NextFunction): Promise<void> {
    const path = pagePathOf(request.method, request.originalUrl);
    if (path === null) return next();
    if (!(await this.has(INDEX))) return notBuilt(response);
    const isAsset = HASHED.test(path);
    const found = path !== '' && (await this.has(path));
    // An asset of another build is missing. The browser must get an error instead of a page.
    if (isAsset && !found) return next();
    // Files without a hash in their name may change with the next build.
    response.set('Cache-Control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
    await this.send(request, response, found ? path : INDEX, next);
  }

  private async send(request: Request, response: Response, path: string, next: NextFunction): Promise<void> {
    response.vary('Accept-Encoding').type(extname(path));
    const [encoding, ending] = (await this.preparedFor(request, path)) ?? [];
    if (encoding) response.set('Content-Encoding', encoding);
    // Express handles ranges and conditions, and closes the file when the browser disconnects. It keeps no list of files, so a
    // build may replace them at any time.
    const options = { root: this.folder, cacheControl: false, dotfiles: 'ignore' as const };
    response.sendFile(path + (ending ?? ''), options, (error?: Error) => error && !response.headersSent && next(error));
  }

  private async preparedFor(request: Request, path: string) {
    for (const prepared of PREPARED) {
      const [encoding, ending] = prepared;
      if (request.acceptsEncodings(encoding) && (await this.has(path + ending))) return prepared;
    }
    return null;
  }

  private has(path: string): Promise<boolean> {
    return isFile(join(this.folder, path));
  }
}

/** Shows what to do; the browser reloads automatically. */
function notBuilt(response: Response): void {
  response.set({ Refresh: RELOAD_SECONDS, 'Retry-After': RELOAD_SECONDS });
  response.status(503).type('text/plain').send(NOT_BUILT);
}
