import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { listenOnLoopback } from '../support/loopback.js';

const CORPUS = join(import.meta.dirname, 'corpus');

export const corpusFile = (name: string): Buffer => readFileSync(join(CORPUS, name));

/** A publisher on loopback that sends the response set for each path, and counts requests. */
export class FeedServer {
  readonly requests: { path: string; headers: IncomingMessage['headers'] }[] = [];
  private readonly answers = new Map<string, RequestListener>();
  private published = 0;

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(): Promise<FeedServer> {
    const server = createServer();
    const feeds = new FeedServer(server, await listenOnLoopback(server));
    server.on('request', (request: IncomingMessage, response) => {
      const path = request.url ?? '';
      feeds.requests.push({ path, headers: request.headers });
      const answer = feeds.answers.get(path);
      if (answer) answer(request, response);
      else response.writeHead(404).end('no such document');
    });
    return feeds;
  }

  url(path: string): string {
    return this.origin + path;
  }

  on(path: string, answer: RequestListener): this {
    this.answers.set(path, answer);
    return this;
  }

  answer(path: string, status: number, headers: Record<string, string> = {}, body: string | Buffer = ''): this {
    return this.on(path, (_request, response) => void response.writeHead(status, headers).end(body));
  }

  /** Publishes a document with an ETag: later requests with that tag get 304. */
  publish(path: string, body: string | Buffer, headers: Record<string, string> = {}): this {
    const etag = `"${(this.published += 1)}"`;
    return this.on(path, (request, response) => {
      if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag, ...headers }).end();
      else response.writeHead(200, { etag, 'content-type': 'application/xml', ...headers }).end(body);
    });
  }

  count(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

export interface PublishedItem {
  id: string;
  title?: string;
  text?: string;
  at?: string;
}

export function rssDocument(title: string, items: PublishedItem[], channel = ''): string {
  const entries = items.map(
    ({ id, title: name = `Item ${id}`, text = `Text of ${id}`, at = 'Fri, 20 Nov 2026 10:00:00 GMT' }) =>
      `<item><guid isPermaLink="false">${id}</guid><title>${name}</title><link>https://site.example/${id}</link>` +
      `<pubDate>${at}</pubDate><description>${text}</description></item>`,
  );
  return `<rss version="2.0"><channel><title>${title}</title><link>https://site.example/</link>${channel}${entries.join('')}</channel></rss>`;
}
