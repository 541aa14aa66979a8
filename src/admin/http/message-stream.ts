import type { Response } from 'express';

const KEEP_ALIVE_MS = 15_000;

const HEADERS = {
  'Content-Type': 'text/event-stream',
  // Proxies such as nginx would hold the events back otherwise.
  'X-Accel-Buffering': 'no',
};

/** A response of Server-Sent Events, each of which is one JSON message. */
export class MessageStream {
  private readonly left = new AbortController();
  private readonly keepAlive: NodeJS.Timeout;

  constructor(private readonly response: Response) {
    response.on('close', () => this.end());
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
    clearInterval(this.keepAlive);
    this.response.end();
    this.left.abort();
  }

  private write(text: string): void {
    if (!this.signal.aborted) this.response.write(text);
  }
}
