import type { Response } from 'express';

const KEEP_ALIVE_MS = 15_000;
/** Maximum number of unread bytes. A slower reader is disconnected. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Time to read the last messages, in ms. */
const LINGER_MS = 30_000;

const HEADERS = {
  'Content-Type': 'text/event-stream',
  // Without it, proxies such as nginx buffer the events.
  'X-Accel-Buffering': 'no',
};

/** Writes a response of Server-Sent Events, each of which is one JSON message. A reader that does not keep up is disconnected. */
export class MessageStream {
  private readonly left = new AbortController();
  private readonly keepAlive: NodeJS.Timeout;
  private linger: NodeJS.Timeout | null = null;

  constructor(private readonly response: Response) {
    response.on('close', () => {
      this.end();
      if (this.linger) clearTimeout(this.linger);
    });
    response.writeHead(200, HEADERS).flushHeaders();
    this.keepAlive = setInterval(() => this.write(': keep-alive\n\n'), KEEP_ALIVE_MS).unref();
    // A reader that has left already causes no further event.
    if (response.destroyed) this.end();
  }

  /** Fires when the stream has ended, or the reader has disconnected. */
  get signal(): AbortSignal {
    return this.left.signal;
  }

  send(message: object): void {
    this.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  end(): void {
    if (this.signal.aborted) return;
    clearInterval(this.keepAlive);
    this.linger = setTimeout(() => this.response.destroy(), LINGER_MS).unref();
    this.response.end();
    this.left.abort();
  }

  private write(text: string): void {
    if (this.signal.aborted) return;
    if (this.response.writableLength > MAX_WAITING_BYTES) this.response.destroy();
    else this.response.write(text);
  }
}
