import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DownloadsFull } from './shared-skills.errors.js';

/** Each holds a package of up to 16 MB. */
const MOST_AT_ONCE = 4;
/** More than the number of packages: some programs request all at once. */
const MOST_WAITING = 1_000;
/** A program that reads more slowly is disconnected, so that others get their turn. */
const LIMIT_MS = 60_000;

export interface Download {
  bytes: Uint8Array;
  type: string;
  /** Entity tag of the bytes, without quotes. */
  tag: string;
}

/** Sends files, a few at a time. The bytes of a file are read when it is its turn. */
@Injectable()
export class Downloads {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** @throws DownloadsFull, and the errors of `read` */
  async send(request: Request, response: Response, read: () => Promise<Download>): Promise<void> {
    await this.turn();
    const timer = setTimeout(() => response.destroy(), LIMIT_MS).unref();
    try {
      if (response.destroyed) return;
      const download = await read();
      answer(request, response, download);
      await ended(response);
    } finally {
      clearTimeout(timer);
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }

  /** Sends a small JSON document. */
  sendJson(request: Request, response: Response, document: object): void {
    const bytes = Buffer.from(JSON.stringify(document));
    answer(request, response, { bytes, type: 'application/json', tag: hash('sha256', bytes).slice(0, 32) });
  }

  private async turn(): Promise<void> {
    if (this.running < MOST_AT_ONCE) {
      this.running += 1;
      return;
    }
    if (this.waiting.length >= MOST_WAITING) throw new DownloadsFull();
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}

function answer(request: Request, response: Response, { bytes, type, tag }: Download): void {
  const etag = `"${tag}"`;
  response.set({
    ETag: etag,
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    // Browsers must not show content of others as a page of this site.
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Content-Disposition': 'attachment',
  });
  const known = (request.headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  if (known.includes(etag) || known.includes('*')) return void response.status(304).end();
  response.status(200).set({ 'Content-Type': type, 'Content-Length': String(bytes.length) });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

const ended = (response: Response): Promise<void> =>
  new Promise((resolve) => {
    if (response.closed || response.writableFinished) resolve();
    else response.once('close', resolve);
  });
