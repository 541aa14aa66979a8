import type { IncomingMessage } from 'node:http';
import { Duplex, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

const MAX_ENCODINGS = 3;
// A compressed body that ends early still gives what it held.
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/** Thrown by `readBody` when there is more than fits. */
export class BodyTooLarge extends Error {}

/** The body, decompressed, if it has at most `maxBytes` both before and after. @throws BodyTooLarge */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(response.headers['content-length']) > maxBytes) throw new BodyTooLarge();
  const body = new LimitedBuffer(maxBytes);
  const decoders = encodingsOf(response).map(decoderOf);
  let received = 0;
  response.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > maxBytes) response.destroy(new BodyTooLarge());
  });
  await pipeline([response, ...decoders, body]);
  return body.content();
}

class LimitedBuffer extends Writable {
  private readonly chunks: Buffer[] = [];
  private size = 0;

  constructor(private readonly maxBytes: number) {
    super();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.size += chunk.length;
    if (this.size > this.maxBytes) return done(new BodyTooLarge());
    this.chunks.push(chunk);
    done();
  }

  content(): Buffer {
    return Buffer.concat(this.chunks);
  }
}

// Listed in the order in which they were applied.
function encodingsOf(response: IncomingMessage): string[] {
  const encodings = (response.headers['content-encoding'] ?? '')
    .split(',')
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => encoding !== '' && encoding !== 'identity');
  if (encodings.length > MAX_ENCODINGS) throw new Error(`it is encoded ${encodings.length} times`);
  return encodings.reverse();
}

function decoderOf(encoding: string): Duplex {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip(LENIENT);
    case 'deflate':
      return inflateEither();
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });
    default:
      throw new Error(`its content encoding ${JSON.stringify(encoding)} is unknown`);
  }
}

/** Servers disagree about "deflate": with the zlib header, or without. The first byte tells. */
function inflateEither(): Duplex {
  return Duplex.from(async function* (source: AsyncIterable<Buffer>) {
    const chunks = source[Symbol.asyncIterator]();
    const first = await chunks.next();
    if (first.done) return;
    const inflater = ((first.value[0] ?? 0) & 0x0f) === 8 ? createInflate(LENIENT) : createInflateRaw(LENIENT);
    const feeding = pipeline(async function* () {
      yield first.value;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    }, inflater);
    feeding.catch(() => undefined); // the reader below gets the same error
    yield* inflater;
  });
}
