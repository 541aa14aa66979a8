import type { Response } from 'express';

const KEEP_ALIVE_MS = 15_000;
/** What may wait for a reader before another message: one that does not read is cut off. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** For reading what was sent last. */
const LINGER_MS = 30_000;

const HEADERS = {
  'Content-Type': 'text/event-stream',
  // Proxies such as nginx would hold the events back otherwise.
  'X-Accel-Buffering': 'no',
};

/** A response of Server-Sent Events, each of which is one JSON message. It does not wait for a reader who does not read. */
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
  }

  /** Fires when the stream is over, because it was ended or because the reader went away. */
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
