import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { type KeepAlive, writeComment, writeEvent, writePrimer } from './event-stream.js';
import { type Accepts, EVENT_STREAM_HEADERS, sendEmpty, sendError, sendJson } from './http.js';
import { ErrorCode, type WireError } from './json-rpc.js';
import type { AnswerSink } from './exchange-transport.js';
import type { ResumableStream } from './resumable-stream.js';

export interface ExchangeOptions {
  accepts: Accepts;
  /** How many answers make it complete; a batch of requests is answered by an array. */
  expected: number;
  batch: boolean;
  headers: OutgoingHttpHeaders;
  /** Null: when the connection goes away, so does the call. */
  resumable: ResumableStream | null;
  timing: ExchangeTiming;
  keepAlive: KeepAlive;
  /** Called when a resumable stream was opened. */
  onResumable?: (streamId: string, exchange: Exchange) => void;
  /** Called once: all answers are on their way, or nobody waits for them any more. */
  onEnd: (outcome: 'answered' | 'abandoned') => void;
}

export interface ExchangeTiming {
  /** A call that runs longer gets its headers and keep-alives at once, so that no proxy gives up on it. */
  slowAfterMs: number;
  /** How long a call whose resumable connection broke goes on without it. */
  resumeWithinMs: number;
  /** What a client is told to wait before it resumes. */
  retryMs: number;
}

/**
 * pending: nothing sent yet. streaming: an SSE response is open. padding: a slow JSON response is kept alive by white
 * space. detached: no connection, but the client may resume. ended: nothing more will be sent.
 */
type State = 'pending' | 'streaming' | 'padding' | 'detached' | 'ended';

/**
 * One POST and its response: plain JSON when the answer is all there is, a stream of Server-Sent Events as soon as
 * something else comes before it (specification 2026-07-28, streamable-http, "Receiving Messages").
 */
export class Exchange implements AnswerSink {
  private state: State = 'pending';
  private readonly answers: JSONRPCMessage[] = [];
  private readonly slowTimer: NodeJS.Timeout;
  private resumeTimer: NodeJS.Timeout | null = null;
  private stopKeepAlive: (() => void) | null = null;
  private writes = Promise.resolve();
  private expected: number;

  constructor(
    private res: ServerResponse,
    private readonly options: ExchangeOptions,
  ) {
    this.expected = options.expected;
    this.slowTimer = setTimeout(() => this.sendHeadersEarly(), options.timing.slowAfterMs);
    this.watchConnection(res);
  }

  /** A notification, or a request of the server's own, that belongs to this exchange. */
  send(message: JSONRPCMessage): void {
    if (this.state === 'pending' && this.options.accepts.sse) this.startStream();
    if (this.state === 'streaming' || this.state === 'detached') this.emit(message);
  }

  /** The answer to one request. `status` counts only while nothing has been sent. */
  answer(message: JSONRPCMessage, status = 200): void {
    this.answers.push(message);
    const complete = this.answers.length >= this.expected;
    if (this.state === 'pending' && !this.options.accepts.json && status === 200) this.startStream();
    if (this.state === 'streaming' || this.state === 'detached') this.emit(message);
    if (!complete) return;
    switch (this.state) {
      case 'pending':
        sendJson(this.res, status, this.body(), this.options.headers);
        return this.end('answered');
      case 'padding':
        this.res.end(JSON.stringify(this.body()));
        return this.end('answered');
      case 'streaming':
      case 'detached':
        this.enqueue(() => this.finishStream());
        return;
      case 'ended':
        return;
    }
  }

  /** One of the requests was cancelled by the client, which expects no answer to it. */
  forgo(): void {
    this.expected -= 1;
    if (this.answers.length < this.expected || this.state === 'ended') return;
    if (this.answers.length > 0 && this.state === 'pending') sendJson(this.res, 200, this.body(), this.options.headers);
    else if (this.state === 'pending') sendEmpty(this.res, 202, this.options.headers);
    else this.res.end();
    this.end('abandoned');
  }

  /** Ends the HTTP response while the work goes on; false when this client could not resume it. */
  release(): boolean {
    if (!this.options.resumable || !this.options.accepts.sse) return false;
    if (this.state === 'pending') this.startStream();
    this.enqueue(() => {
      if (this.state !== 'streaming') return;
      this.state = 'detached';
      this.res.end();
    });
    return true;
  }

  /** Goes on over another connection, after what this stream sent as number `seq`. */
  resume(res: ServerResponse, seq: number): void {
    this.enqueue(async () => {
      const { resumable } = this.options;
      if (!resumable || this.state === 'ended') return void res.end();
      this.clearResumeTimer();
      if (this.state === 'streaming') this.res.end();
      for (const entry of await resumable.after(seq)) writeEvent(res, entry.message, entry.id);
      this.res = res;
      this.state = 'streaming';
      this.watchConnection(res);
    });
  }

  /** Stops at once; the reason is told where nothing has been sent yet. */
  abandon(reason: WireError): void {
    if (this.state === 'ended') return;
    if (this.state === 'pending') sendError(this.res, reason);
    else this.res.end();
    this.end('abandoned');
  }

  private startStream(): void {
    const { resumable, timing, headers, keepAlive } = this.options;
    clearTimeout(this.slowTimer);
    this.state = 'streaming';
    this.res.writeHead(200, { ...EVENT_STREAM_HEADERS, ...headers });
    this.res.flushHeaders();
    this.stopKeepAlive = keepAlive.add(() => this.state === 'streaming' && writeComment(this.res));
    if (!resumable) return;
    this.enqueue(async () => {
      await resumable.open();
      this.options.onResumable?.(resumable.id, this);
      writePrimer(this.res, resumable.idOf(0), timing.retryMs);
    });
  }

  private emit(message: JSONRPCMessage): void {
    const { resumable } = this.options;
    const data = JSON.stringify(message);
    if (!resumable) return void writeEvent(this.res, data);
    this.enqueue(async () => {
      // Recorded before it is sent: what a client has seen is never unknown to the journal.
      const id = await resumable.record(data);
      if (this.state === 'streaming') writeEvent(this.res, data, id);
    });
  }

  private async finishStream(): Promise<void> {
    await this.options.resumable?.finish();
    if (this.state === 'streaming') this.res.end();
    this.end('answered');
  }

  /** Runs steps one after the other where the journal makes them asynchronous, and at once where there is none. */
  private enqueue(step: () => void | Promise<void>): void {
    if (!this.options.resumable) return void step();
    this.writes = this.writes.then(step).catch(() => this.abandon(JOURNAL_FAILED));
  }

  private sendHeadersEarly(): void {
    if (this.state !== 'pending') return;
    if (this.options.accepts.sse) {
      this.startStream();
      writeComment(this.res);
      return;
    }
    // JSON text may start with white space (RFC 8259, section 2).
    this.state = 'padding';
    this.res.writeHead(200, { 'Content-Type': 'application/json', ...this.options.headers });
    this.res.write(' ');
    this.stopKeepAlive = this.options.keepAlive.add(() => void this.res.write(' '));
  }

  private watchConnection(res: ServerResponse): void {
    res.on('close', () => {
      if (res !== this.res || this.state === 'ended' || this.state === 'detached') return;
      if (!this.options.resumable || this.state !== 'streaming') return this.end('abandoned');
      this.state = 'detached';
      this.resumeTimer = setTimeout(() => this.end('abandoned'), this.options.timing.resumeWithinMs);
    });
  }

  private end(outcome: 'answered' | 'abandoned'): void {
    if (this.state === 'ended') return;
    this.state = 'ended';
    clearTimeout(this.slowTimer);
    this.clearResumeTimer();
    this.stopKeepAlive?.();
    this.options.onEnd(outcome);
  }

  private clearResumeTimer(): void {
    if (this.resumeTimer) clearTimeout(this.resumeTimer);
    this.resumeTimer = null;
  }

  private body(): JSONRPCMessage | JSONRPCMessage[] | undefined {
    return this.options.batch ? this.answers : this.answers[0];
  }
}

const JOURNAL_FAILED: WireError = {
  httpStatus: 500,
  code: ErrorCode.internalError,
  message: 'Internal error: the response could not be recorded',
};
