import { extname, join } from 'node:path';
import { Inject, Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { isFile, pagePathOf } from './ui-files.rules.js';

/** Where the built UI is. */
export const UI_FOLDER = Symbol('UI_FOLDER');

const INDEX = 'index.html';
const HASHED = /^assets\//;
/** Encodings that the build may have prepared, the smallest first, with the ending of their files. */
const PREPARED = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const NOT_BUILT =
  'The administration pages are not there yet. At the first start they are prepared, which takes up to a minute, and this page loads again.\n' +
  'If it does not change, run `npm run build:ui`: it tells what is wrong. The REST API at /admin/api works all the same.\n';
const RELOAD_SECONDS = '5';

/** Serves the built UI at /admin. Its pages have addresses of their own; all of them are index.html. */
@Injectable()
export class AdminUi implements NestMiddleware {
  constructor(@Inject(UI_FOLDER) private readonly folder: string) {}

  async use(request: Request, response: Response, next: NextFunction): Promise<void> {
    const path = pagePathOf(request.method, request.originalUrl);
    if (path === null) return next();
    if (!(await this.has(INDEX))) return notBuilt(response);
    const isAsset = HASHED.test(path);
    const found = path !== '' && (await this.has(path));
    // An asset of another build, or a path of none of the pages: its loader must not get a page instead.
    if (isAsset && !found) return next();
    // What is not hashed may change with the next build.
    response.set('Cache-Control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache');
    await this.send(request, response, found ? path : INDEX, next);
  }

  private async send(request: Request, response: Response, path: string, next: NextFunction): Promise<void> {
    response.vary('Accept-Encoding').type(extname(path));
    const [encoding, ending] = (await this.preparedFor(request, path)) ?? [];
    if (encoding) response.set('Content-Encoding', encoding);
    // Express knows ranges and conditions, and closes the file when the browser leaves. It keeps no list of the files: a build
    // may replace them at any time.
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

/** Tells a person what to do; their browser asks again by itself. */
function notBuilt(response: Response): void {
  response.set({ Refresh: RELOAD_SECONDS, 'Retry-After': RELOAD_SECONDS });
  response.status(503).type('text/plain').send(NOT_BUILT);
}
