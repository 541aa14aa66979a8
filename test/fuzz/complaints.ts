import type { Exchange, HttpAnswer } from './exchange.js';
import type { MalformedRequest } from './request-parts.js';

/** What the server did that it must never do, whatever it is sent. */
export function complaintsAbout(request: MalformedRequest, { answers, isSilent }: Exchange): string[] {
  return [
    ...(isSilent && !request.unfinished ? ['no answer'] : []),
    ...answers
      .filter(({ status }) => status >= 500)
      .map(({ status, body }) => `status ${status}: ${body.slice(0, 200)}`),
    ...answers
      .filter((answer) => !isJson(answer))
      .map(({ contentType, body }) => `not JSON (${contentType}): ${body.slice(0, 200)}`),
  ];
}

function isJson({ contentType, body }: HttpAnswer): boolean {
  const text = Buffer.from(body, 'latin1').toString('utf8');
  const texts = contentType.startsWith('text/event-stream')
    ? [...text.matchAll(/^data:(.*)\n/gm)].map(([, data = '']) => data.trim())
    : [text];
  return texts.filter((one) => one !== '').every(parses);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
