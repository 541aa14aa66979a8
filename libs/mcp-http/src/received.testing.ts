import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** Returns a request without a network. */
export function requestWith(headers: Record<string, string | string[]>, method = 'POST'): IncomingMessage {
  const req = new IncomingMessage(new Socket());
  return Object.assign(req, { headers, method });
}

export type Received = Record<string, unknown>;

/** A response without a network, and what its client received. */
export class Connection {
  readonly res = new ServerResponse(new IncomingMessage(new Socket()));
  /** True when the connection broke before the response was complete. */
  isBroken = false;
  /** The headers sent with the status. */
  headers: unknown = {};
  private text = '';

  constructor() {
    const { res } = this;
    const [writeHead, write, end] = [res.writeHead.bind(res), res.write.bind(res), res.end.bind(res)];
    res.writeHead = (status: number, headers?: unknown) => {
      this.headers = headers;
      return writeHead(status, headers as OutgoingHttpHeaders);
    };
    res.write = (chunk: unknown) => {
      this.take(chunk);
      return write(chunk);
    };
    res.end = (chunk?: unknown) => {
      this.take(chunk);
      end(chunk);
      return res;
    };
  }

  private take(chunk: unknown): void {
    if (typeof chunk === 'string' && !this.res.writableEnded && !this.res.destroyed) this.text += chunk;
  }

  get isOver(): boolean {
    return this.res.writableEnded || this.res.destroyed;
  }

  /** Does what Node does with the response when its connection breaks. */
  breakOff(): void {
    if (this.res.destroyed) return;
    this.isBroken = !this.res.writableEnded;
    this.res.destroy();
    this.res.emit('close');
  }

  get body(): string {
    return this.text;
  }

  get lastId(): string | null {
    return [...this.text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? null;
  }

  /** The numbers of the events that carry a message. */
  get numbers(): number[] {
    return [...this.text.matchAll(/^id: .*\.(\d+)\ndata: \{/gm)].map(([, number]) => Number(number));
  }

  /** True when the body is only white space. */
  get isBlank(): boolean {
    return /^\s+$/.test(this.text);
  }

  get messages(): Received[] {
    return messagesOf(this.text);
  }
}

export function messagesOf(body: string): Received[] {
  if (/^\s*[[{]/.test(body)) return [JSON.parse(body) as Received | Received[]].flat();
  return [...body.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data) as Received);
}

export function bodyReader(res: Response) {
  const reader = (res.body as ReadableStream<Uint8Array> | null)?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  return {
    /** Returns everything read so far once it includes this part. @throws when the body ends before */
    until: async (part: string): Promise<string> => {
      while (!text.includes(part)) {
        const chunk = await reader?.read();
        if (!chunk || chunk.done) throw new Error(`the body ended before ${part}: ${text}`);
        text += decoder.decode(chunk.value, { stream: true });
      }
      return text;
    },
    cancel: async () => reader?.cancel(),
  };
}
