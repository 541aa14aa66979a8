import { toApiError, toUnreachable } from '../../../api/api-error';
import type { Json, Message } from '../../../mcp/json-rpc';
import { readMessages } from '../../../mcp/read-messages';

/** Calls a skill and yields its messages as they arrive. Aborting the signal cancels the call. */
export async function* callSkill(name: string, args: Json, signal: AbortSignal): AsyncGenerator<Message> {
  try {
    const response = await fetch(`/admin/api/skills/${encodeURIComponent(name)}/try`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ arguments: args }),
      signal,
    });
    if (!response.ok) throw await toApiError(response);
    yield* readMessages(response);
  } catch (error) {
    throw toUnreachable(error);
  }
}
