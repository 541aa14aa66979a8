import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { RequestId } from '@modelcontextprotocol/server';
import type { EndpointLimits } from './endpoint-options.js';
import { ErrorCode, type InboundMessage, readableId, readMessage, type WireError } from './json-rpc.js';
import { LargeBodies } from './large-bodies.js';
import {
  batchTooLong,
  noRoom,
  NOT_JSON_RPC,
  refused,
  RETRY_SOON,
  tooDeep,
  tooLarge,
  tooManyValues,
} from './refusals.js';
import {
  type BodyProblem,
  messageProblem,
  RequestBodies,
  unstorableProblem,
  withStorableResult,
} from './request-body.js';

export interface InboundPost {
  messages: InboundMessage[];
  /** True when the messages came as a JSON-RPC batch. */
  batch: boolean;
  /** Size of the body, in bytes. */
  bytes: number;
}

export interface PostRefusal {
  error: WireError | null; // null = the client has disconnected
  id: RequestId | null;
  headers: OutgoingHttpHeaders;
}

/** Reads the messages of POSTs, within limits. */
export class InboundPosts {
  private readonly large = new LargeBodies();
  private readonly bodies: RequestBodies;

  constructor(private readonly limits: () => EndpointLimits) {
    this.bodies = new RequestBodies(limits, this.large);
  }

  close(): Promise<void> {
    return this.large.close();
  }

  async read(req: IncomingMessage, res: ServerResponse): Promise<InboundPost | PostRefusal> {
    if (!isJson(req.headers['content-type'])) return refusal(NOT_JSON_TYPE);
    if (isEncoded(req.headers['content-encoding'])) return refusal(ENCODED);
    const body = await this.bodies.read(req, res);
    if ('problem' in body) return this.bodyRefusal(body.problem);
    const { value } = body;
    const items: unknown[] = Array.isArray(value) ? value : [value];
    const limits = this.limits();
    if (items.length > limits.maxBatchEntries) return refusal(batchTooLong(items.length, limits.maxBatchEntries));
    const messages = items.map(readMessage).filter((message) => message !== null);
    if (messages.length === 0 || messages.length < items.length)
      return refusal(NOT_JSON_RPC, readableId(value, limits));
    for (const message of messages) {
      const problem =
        messageProblem(message, limits, body.bytes) ?? (body.isStorable ? null : unstorableProblem(message));
      if (problem) return refusal(problem, readableId(message.message, limits));
    }
    const storable = body.isStorable ? messages : messages.map(withStorableResult);
    return { messages: storable, batch: Array.isArray(value), bytes: body.bytes };
  }

  private bodyRefusal(problem: BodyProblem): PostRefusal {
    const { maxBodyBytes, maxJsonDepth, maxJsonValues, maxIncomingBytes } = this.limits();
    switch (problem) {
      case 'too_large':
        return refusal(tooLarge(maxBodyBytes));
      case 'too_deep':
        return refusal(tooDeep(maxJsonDepth));
      case 'too_many_values':
        return refusal(tooManyValues(maxJsonValues));
      case 'no_room':
        return refusal(noRoom(maxIncomingBytes), null, RETRY_SOON);
      case 'not_json':
        return refusal(NOT_JSON);
      case 'aborted':
        return refusal(null);
    }
  }
}

const refusal = (
  error: WireError | null,
  id: RequestId | null = null,
  headers: OutgoingHttpHeaders = {},
): PostRefusal => ({ error, id, headers });

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

const isEncoded = (encoding: string | undefined): boolean =>
  encoding !== undefined && encoding.trim().toLowerCase() !== 'identity';

const ENCODED = refused(415, 'Unsupported media type: send the body without Content-Encoding, not compressed');
const NOT_JSON_TYPE = refused(415, 'Unsupported media type: send Content-Type: application/json');
const NOT_JSON = refused(400, 'Parse error: the body is not JSON in UTF-8', ErrorCode.parseError);
