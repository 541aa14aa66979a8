const INTERNAL_ERROR = -32603; // JSON-RPC 2.0, "Error object"

/**
 * Thrown by a skill to end its call with a JSON-RPC error: something is wrong with the call itself, which the program of
 * the caller must handle. What the assistant can mend is a `failure(...)` instead.
 */
export class ProtocolFault extends Error {
  constructor(
    message: string,
    readonly code: number = INTERNAL_ERROR,
  ) {
    super(message);
  }
}
