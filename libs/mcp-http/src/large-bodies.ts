import { builtFile, startThread, ThreadPool } from '#thread-pool';
import { type JsonLimits, parsedBody, type ParsedBody } from './body-json.js';

export interface LargeBody {
  chunks: readonly Uint8Array[];
  limits: JsonLimits;
}

/** Below this size, transferring the body and its value costs more than parsing it. */
const LARGE_BYTES = 262_144;
const HEAP_MEGABYTES = 512;
const IDLE_MS = 60_000;

/**
 * Parses large bodies in a thread: joining, checking, decoding and parsing megabytes would block the main thread, and leave
 * megabytes of garbage. The thread starts on demand, and ends when idle.
 */
export class LargeBodies {
  private readonly pool: ThreadPool<LargeBody, ParsedBody>;
  private idleTimer: NodeJS.Timeout | undefined;

  constructor() {
    const file = builtFile('large-bodies.worker.js', import.meta.url);
    this.pool = new ThreadPool({
      start: () => startThread({ name: 'large-bodies', file, heapMegabytes: HEAP_MEGABYTES }),
    });
  }

  /** Parses a body, a large one in the thread. Takes ownership of the chunks. @throws Error when the thread ended */
  parse(
    chunks: readonly Buffer[],
    bytes: number,
    { maxJsonDepth, maxJsonValues }: JsonLimits,
  ): ParsedBody | Promise<ParsedBody> {
    const limits = { maxJsonDepth, maxJsonValues };
    return bytes < LARGE_BYTES ? parsedBody(chunks, limits) : this.inThread({ chunks, limits });
  }

  async close(): Promise<void> {
    clearTimeout(this.idleTimer);
    await this.pool.close();
  }

  private async inThread(body: LargeBody): Promise<ParsedBody> {
    try {
      return await this.pool.run(body, { transfer: body.chunks.filter(isWhole).map(({ buffer }) => buffer) });
    } finally {
      clearTimeout(this.idleTimer);
      this.idleTimer = setTimeout(() => this.pool.endIdle(), IDLE_MS).unref();
    }
  }
}

/** Returns whether a chunk owns its whole buffer. */
const isWhole = (chunk: Uint8Array): chunk is Uint8Array<ArrayBuffer> => chunk.byteLength === chunk.buffer.byteLength;
