import type { Exchange, HttpAnswer } from './exchange.js';
import type { MalformedRequest } from './request-parts.js';

/** Fragments of internal errors or driver messages that must never reach a caller. */
const INNER_WORDS =
  /the service log says more|invalid byte sequence|sqlite|out of range for type|TypeError|RangeError|is not a function|Cannot read prop/i;

/** Returns violations of what the server guarantees for any input. */
export function complaintsAbout(request: MalformedRequest, { answers, isSilent }: Exchange): string[] {
  const isMutated = request.kind.startsWith('mutated');
  return [
    ...(isSilent && !request.unfinished ? ['no answer'] : []),
    ...answers
      .filter(({ status }) => status >= 500 && status !== 503)
      .map(({ status, body }) => `status ${status}: ${body.slice(0, 200)}`),
    ...answers
      .filter((answer) => !messagesIn(answer)?.every((message) => !isMutated || isJsonRpc(message)))
      .map(({ contentType, body }) => `not JSON-RPC (${contentType}): ${body.slice(0, 200)}`),
    ...answers.flatMap(({ body }) => {
      const words = body.search(INNER_WORDS);
      return words < 0 || request.bytes.search(INNER_WORDS) >= 0
        ? []
        : [`inner words: ${body.slice(words - 50, words + 150)}`];
    }),
  ];
}

/** Returns the messages in a response body, from JSON or an event stream; null when one is not JSON. */
function messagesIn({ contentType, body }: HttpAnswer): unknown[] | null {
  const text = Buffer.from(body, 'latin1').toString('utf8');
  const texts = contentType.startsWith('text/event-stream')
    ? [...text.matchAll(/^data:(.*)\n/gm)].map(([, data = '']) => data.trim())
    : [text.trim()];
  try {
    return texts.filter((one) => one !== '').map((one) => JSON.parse(one) as unknown);
  } catch {
    return null;
  }
}

function isJsonRpc(message: unknown): boolean {
  if (Array.isArray(message)) return message.length > 0 && message.every(isJsonRpc);
  return typeof message === 'object' && message !== null && 'jsonrpc' in message && message.jsonrpc === '2.0';
}
