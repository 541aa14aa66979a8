import { type Problem, STANDARD_ERRORS, STANDARD_STATUS } from '#open-workflow';
import type { ProtocolFault } from '#skill-kit';

/** Returns the problem of a run whose skill ended its call with a JSON-RPC error. */
export function problemOfFault({ code, message }: ProtocolFault): Problem {
  const type = `${STANDARD_ERRORS}runtime`;
  return { type, status: STANDARD_STATUS.runtime, title: 'Protocol Error', detail: message, rpcCode: code };
}

/** Returns the JSON-RPC error that a run failed with; null when it failed with another error. */
export function faultOf({ rpcCode, detail }: Problem): { code: number; message: string } | null {
  return typeof rpcCode === 'number' ? { code: rpcCode, message: detail ?? 'Internal error' } : null;
}
