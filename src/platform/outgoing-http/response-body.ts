import type { IncomingHttpHeaders } from 'node:http';
import { Duplex, pipeline as joined, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';

const MAX_ENCODINGS = 3;
// A truncated compressed body still yields the data received.
const LENIENT = { finishFlush: constants.Z_SYNC_FLUSH };

export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';

/** Thrown by the stream of `decodedBody` when the body is larger than allowed. */
export class BodyTooLarge extends Error {}

/**
 * Returns the body as a decompressed stream of at most `maxBytes`.
 * @throws BodyTooLarge when the announced size is larger, Error when the encoding is unknown
 */
export function decodedBody(body: Readable, headers: IncomingHttpHeaders, maxBytes: number): AsyncIterable<Buffer> {
  if (Number(headers['content-length']) > maxBytes) throw new BodyTooLarge();
  return limited(body, encodingsOf(headers).map(decoderOf), maxBytes);
}

async function* limited(body: Readable, decoders: Duplex[], maxBytes: number): AsyncGenerator<Buffer> {
  // The reader of the last stream gets the errors of all streams.
  const decoded = decoders.reduce<Readable>((source, decoder) => joined(source, decoder, () => undefined), body);
  let size = 0;
  for await (const chunk of decoded as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new BodyTooLarge();
    yield chunk;
  }
}

// The header lists encodings in the order in which they were applied.
function encodingsOf(headers: IncomingHttpHeaders): string[] {
  const encodings = (headers['content-encoding'] ?? '')
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

/** Decompresses "deflate", which servers send with or without the zlib header. The first byte tells them apart. */
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
