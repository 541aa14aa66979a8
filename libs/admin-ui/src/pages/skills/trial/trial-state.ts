import {
  errorOf,
  isJson,
  isResponse,
  type Json,
  type JsonRpcError,
  type Message,
  resultOf,
} from '../../../mcp/json-rpc';

export interface Progress {
  done: number;
  total: number | null; // null = unknown
  message: string | null;
}

/** State of a call that has been sent. */
export interface TrialState {
  status: 'running' | 'finished' | 'cancelled';
  sent: Message;
  received: readonly Message[];
}

export const started = (name: string, args: Json): TrialState => ({
  status: 'running',
  sent: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  received: [],
});

export function afterMessage(state: TrialState, message: Message): TrialState {
  const status = isResponse(message) ? 'finished' : state.status;
  return { ...state, status, received: [...state.received, message] };
}

/** Returns the latest progress that the skill reported. */
export function progressOf({ received }: TrialState): Progress | null {
  const params = received.findLast(({ method }) => method === 'notifications/progress')?.['params'];
  if (!isJson(params) || typeof params['progress'] !== 'number') return null;
  const { progress: done, total, message } = params;
  return {
    done,
    total: typeof total === 'number' && total > 0 ? total : null,
    message: typeof message === 'string' ? message : null,
  };
}

export type Outcome =
  | { kind: 'result'; content: Json[]; structured: unknown; isError: boolean }
  | { kind: 'question'; result: Json }
  | { kind: 'run'; id: string }
  | { kind: 'error'; error: JsonRpcError };

/** Returns the outcome of the call; null while it is running. */
export function outcomeOf({ received }: TrialState): Outcome | null {
  const response = received.find(isResponse);
  if (!response) return null;
  const error = errorOf(response);
  if (error) return { kind: 'error', error };
  const result = resultOf(response) ?? {};
  if (result['resultType'] === 'input_required') return { kind: 'question', result };
  if (result['resultType'] === 'task' && typeof result['taskId'] === 'string')
    return { kind: 'run', id: result['taskId'] };
  const content = Array.isArray(result['content']) ? result['content'].filter(isJson) : [];
  return { kind: 'result', content, structured: result['structuredContent'], isError: result['isError'] === true };
}
