import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { JSONRPCMessage, JSONRPCResponse, RequestId } from '@modelcontextprotocol/server';
import { answerText } from './answer-text.js';
import { EVENT_STREAM_HEADERS, type EventStreams } from './event-stream.js';
import type { Accepts } from './mcp-headers.js';
import { sendEmpty, sendError, sendJsonText } from './responses.js';
import type { WireError } from './json-rpc.js';
import type { AnswerSink } from './exchange-transport.js';
import { RETRY_SOON, TOO_MUCH_UNREAD } from './refusals.js';
import type { ResumableStream } from './resumable-stream.js';
import type { UnreadBytes } from './unread-bytes.js';

export interface ExchangeOptions {
  accepts: Accepts;
  /** How many answers make it complete; a batch of requests is answered by an array. */
  expected: number;
  batch: boolean;
  headers: OutgoingHttpHeaders;
  /** Null: when the connection goes away, so does the call. */
  resumable: ResumableStream | null;
  timing: ExchangeTiming;
  events: EventStreams;
  unread: UnreadBytes;
  /** Of all answers together, as JSON. */
  maxResultBytes: number;
  /** Told when the journal failed: the answer is sent all the same, and can't be resumed. */
  onStorageError: (error: unknown) => void;
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
  /** How long a message waits to be recorded for a client that may resume; then it goes out all the same. */
  journalWithinMs: number;
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
  private readonly answers: string[] = [];
  private answeredBytes = 0;
  private firstId: RequestId | null = null;
  private readonly slowTimer: NodeJS.Timeout;
  private resumeTimer: NodeJS.Timeout | null = null;
  private stopKeepAlive: (() => void) | null = null;
  private writes = Promise.resolve();
  private expected: number;
  /** Null from the start, or since the journal failed. */
  private resumable: ResumableStream | null;

  constructor(
    private res: ServerResponse,
    private readonly options: ExchangeOptions,
  ) {
    this.expected = options.expected;
    this.resumable = options.resumable;
    this.slowTimer = setTimeout(() => this.sendHeadersEarly(), options.timing.slowAfterMs);
    this.watchConnection(res);
  }

  /** A notification, or a request of the server's own, that belongs to this exchange. */
  send(message: JSONRPCMessage): void {
    if (this.state === 'pending' && this.options.accepts.sse) this.startStream();
    if (this.state === 'streaming' || this.state === 'detached') this.emit(JSON.stringify(message));
  }

  /** The answer to one request. `status` counts only while nothing has been sent. */
  answer(message: JSONRPCResponse, status: number, method: string): void {
    const text = answerText(message, method, { most: this.options.maxResultBytes, used: this.answeredBytes });
    this.firstId ??= message.id ?? null;
    this.answeredBytes += text.length;
    this.answers.push(text);
    const complete = this.answers.length >= this.expected;
    if (this.state === 'pending' && !this.options.accepts.json && status === 200) this.startStream();
    if (this.state === 'streaming' || this.state === 'detached') this.emit(text);
    if (!complete) return;
    switch (this.state) {
      case 'pending':
        this.sendBody(status);
        return this.end('answered');
      case 'padding':
        this.res.end(this.body());
        this.options.unread.wrote(this.res);
        return this.end('answered');
      case 'streaming':
      case 'detached':
        if (this.options.resumable) return this.enqueue(() => this.finishStream());
        this.res.end();
        return this.end('answered');
      case 'ended':
        return;
    }
  }

  /** One of the requests was cancelled by the client, which expects no answer to it. */
  forgo(): void {
    this.expected -= 1;
    if (this.answers.length < this.expected || this.state === 'ended') return;
    if (this.answers.length > 0 && this.state === 'pending') this.sendBody(200);
    else if (this.state === 'pending') sendEmpty(this.res, 202, this.options.headers);
    else this.res.end();
    this.end('abandoned');
  }

  /** Ends the HTTP response while the work goes on; false when this client could not resume it. */
  release(): boolean {
    if (!this.resumable || !this.options.accepts.sse) return false;
    if (this.state === 'pending') this.startStream();
    this.enqueue(() => {
      if (this.state !== 'streaming' || !this.resumable) return;
      this.state = 'detached';
      this.res.end();
    });
    return true;
  }

  /** Goes on over another connection, after what this stream sent as number `seq`. */
  resume(res: ServerResponse, seq: number): void {
    this.enqueue(async () => {
      if (this.state === 'ended') return void res.end();
      this.clearResumeTimer();
      if (this.state === 'streaming') this.res.end();
      for (const entry of await this.recordedAfter(seq)) this.options.events.event(res, entry.message, entry.id);
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
    const { timing, headers, events } = this.options;
    clearTimeout(this.slowTimer);
    this.state = 'streaming';
    this.res.writeHead(200, { ...EVENT_STREAM_HEADERS, ...headers });
    this.res.flushHeaders();
    this.stopKeepAlive = events.keepAlive.add(() => this.state === 'streaming' && events.comment(this.res));
    if (!this.resumable) return;
    this.enqueue(async () => {
      const opened = await this.journaled((resumable) => resumable.open().then(() => resumable));
      if (!opened) return;
      this.options.onResumable?.(opened.id, this);
      events.primer(this.res, opened.idOf(0), timing.retryMs);
    });
  }

  private emit(data: string): void {
    if (!this.options.resumable) return void this.options.events.event(this.res, data);
    this.enqueue(async () => {
      // Recorded before it is sent: what a client has seen is never unknown to the journal.
      const id = await this.journaled((resumable) => resumable.record(data));
      if (this.state === 'streaming') this.options.events.event(this.res, data, id ?? undefined);
    });
  }

  private async finishStream(): Promise<void> {
    await this.journaled((resumable) => resumable.finish());
    if (this.state === 'streaming') this.res.end();
    this.end('answered');
  }

  private recordedAfter(seq: number): Promise<{ id: string; message: string }[]> {
    return this.journaled((resumable) => resumable.after(seq)).then((entries) => entries ?? []);
  }

  /** What the journal answers. Null once it has failed: the stream goes on, without a place to resume from. */
  private async journaled<Result>(ask: (journal: ResumableStream) => Promise<Result>): Promise<Result | null> {
    if (!this.resumable) return null;
    try {
      return await inTime(ask(this.resumable), this.options.timing.journalWithinMs);
    } catch (error) {
      if (this.resumable) this.options.onStorageError(error);
      this.resumable = null;
      return null;
    }
  }

  /** Runs steps one after the other: the journal makes them asynchronous. */
  private enqueue(step: () => void | Promise<void>): void {
    this.writes = this.writes.then(step).catch((error: unknown) => {
      this.options.onStorageError(error);
      this.res.destroy();
    });
  }

  private sendHeadersEarly(): void {
    if (this.state !== 'pending') return;
    if (this.options.accepts.sse) {
      this.startStream();
      this.options.events.comment(this.res);
      return;
    }
    // JSON text may start with white space (RFC 8259, section 2).
    this.state = 'padding';
    this.res.writeHead(200, { 'Content-Type': 'application/json', ...this.options.headers });
    this.res.write(' ');
    this.stopKeepAlive = this.options.events.keepAlive.add(() => void this.res.write(' '));
  }

  private watchConnection(res: ServerResponse): void {
    res.on('close', () => {
      if (res !== this.res || this.state === 'ended' || this.state === 'detached') return;
      if (!this.resumable || this.state !== 'streaming') return this.end('abandoned');
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

  private sendBody(status: number): void {
    const { unread, headers } = this.options;
    if (!unread.hasRoomFor(this.answeredBytes)) {
      return sendError(this.res, TOO_MUCH_UNREAD, this.firstId, { ...headers, ...RETRY_SOON });
    }
    sendJsonText(this.res, status, this.body(), headers);
    unread.wrote(this.res);
  }

  private body(): string {
    return this.options.batch ? `[${this.answers.join(',')}]` : (this.answers[0] ?? '');
  }
}

/** @throws Error when it takes longer; what comes of it then is nobody's business any more */
async function inTime<Result>(work: Promise<Result>, limitMs: number): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`the stream was not recorded within ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
