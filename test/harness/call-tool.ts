import { answerIn } from './answer-in.js';
import { sendStateless } from './stateless-message.js';

/** Calls a tool in the protocol version 2026-07-28, and returns the result. */
export async function callTool(origin: string, key: string, name: string, args: object): Promise<unknown> {
  const response = await sendStateless(origin, key, 'tools/call', { name, arguments: args });
  const { result, error } = await answerIn<{ result?: unknown; error?: unknown }>(response);
  if (error) throw new Error(`${name} failed: ${JSON.stringify(error)}`);
  return result;
}
