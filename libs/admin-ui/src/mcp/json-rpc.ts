export type Json = Record<string, unknown>;

export interface JsonRpcError {
  code: number;
  message: string;
}

/** A received JSON-RPC message. */
export type Message = Json;

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns whether the message is a response; everything else is a notification. */
export const isResponse = (message: Message): boolean => 'result' in message || 'error' in message;

export const resultOf = (message: Message): Json | null => (isJson(message['result']) ? message['result'] : null);

export function errorOf({ error }: Message): JsonRpcError | null {
  if (!isJson(error)) return null;
  const { code, message } = error;
  return { code: typeof code === 'number' ? code : 0, message: typeof message === 'string' ? message : '' };
}
