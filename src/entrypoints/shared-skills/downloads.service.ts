import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DownloadsFull } from './shared-skills.errors.js';

/** Each holds a package, which has 16 MB at most. */
const MOST_AT_ONCE = 4;
/** More than there are packages: some programs ask for all at once. */
const MOST_WAITING = 1_000;
/** A program that reads more slowly is cut off, so that others have their turn. */
const LIMIT_MS = 60_000;

export interface Download {
  bytes: Uint8Array;
  type: string;
  /** Changes with the bytes; without quotes. */
  tag: string;
}

/** Sends files, a few at a time, whose bytes are read when it is their turn. */
@Injectable()
export class Downloads {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** @throws DownloadsFull, and what `read` throws */
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
    // No browser shows what others wrote as a page of this site.
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
