import type { IncomingMessage, ServerResponse } from 'node:http';
import { mayHoldUnstorable, parseBoundedJson } from '#bounded-json';
import type { EndpointLimits } from './endpoint-options.js';
import { whenClosed } from './responses.js';

export type BodyProblem = 'too_large' | 'too_deep' | 'not_json' | 'no_room' | 'aborted';

interface JsonBody {
  value: unknown;
  bytes: number;
  /** Whether no text in it has a character that databases refuse. */
  isStorable: boolean;
}

export type BodyOutcome = JsonBody | { problem: BodyProblem };

/** How long a client may continue sending a body that was refused: if it were cut at once, it would not see the answer. */
const DISCARD_MS = 5_000;

/** Reads the JSON bodies of requests, and limits the bytes that all of them hold at once. */
export class RequestBodies {
  private heldBytes = 0;

  constructor(private readonly limits: () => EndpointLimits) {}

  /** Reads a body. Its bytes count as held until the response is over; what comes after a limit is thrown away. */
  read(req: IncomingMessage, res: ServerResponse): Promise<BodyOutcome> {
    const { maxBodyBytes, maxIncomingBytes, maxJsonDepth } = this.limits();
    const announced = Number(req.headers['content-length'] ?? 0);
    const refuse = (problem: BodyProblem): BodyOutcome => {
      discard(req.removeAllListeners('data'));
      return { problem };
    };
    if (announced > maxBodyBytes) return Promise.resolve(refuse('too_large'));
    if (this.heldBytes + announced > maxIncomingBytes) return Promise.resolve(refuse('no_room'));
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      whenClosed(res, () => (this.heldBytes -= size));
      req.on('data', (chunk: Buffer) => {
        if (size + chunk.byteLength > maxBodyBytes) return resolve(refuse('too_large'));
        if (this.heldBytes + chunk.byteLength > maxIncomingBytes) return resolve(refuse('no_room'));
        size += chunk.byteLength;
        this.heldBytes += chunk.byteLength;
        chunks.push(chunk);
      });
      req.on('end', () => resolve(parsed(chunks, maxJsonDepth)));
      req.on('close', () => resolve({ problem: 'aborted' }));
      req.on('error', () => resolve({ problem: 'aborted' }));
    });
  }
}

function discard(req: IncomingMessage): void {
  const timer = setTimeout(() => req.destroy(), DISCARD_MS).unref();
  req.on('close', () => clearTimeout(timer)).resume();
}

function parsed(chunks: readonly Buffer[], maxDepth: number): BodyOutcome {
  const [first] = chunks;
  if (!first) return { problem: 'not_json' };
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks);
  const json = parseBoundedJson(bytes, maxDepth);
  if ('problem' in json) return json;
  return { value: json.value, bytes: bytes.byteLength, isStorable: !mayHoldUnstorable(bytes) };
}
