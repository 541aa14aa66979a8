import { ProtocolError } from '@modelcontextprotocol/server';
import { ErrorCode } from './json-rpc.js';

/** The data of `ResourceNotFoundError`. The SDK hands it on as it is, so the transport knows the error by it. */
class MissingResource {
  constructor(readonly uri: string) {}
}

/**
 * Thrown by a request handler when there is no resource of this URI. The eras have different codes for it
 * (specification 2025-11-25 and 2026-07-28, server/resources, "Error Handling").
 */
export class ResourceNotFoundError extends ProtocolError {
  constructor(message: string, uri: string) {
    super(ErrorCode.invalidParams, message, new MissingResource(uri));
  }
}

/** Returns whether an error on its way to a client began as a `ResourceNotFoundError`. */
export function isResourceNotFound({ data }: { data?: unknown }): boolean {
  return data instanceof MissingResource;
}
