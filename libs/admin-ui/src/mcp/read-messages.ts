import { EventStreamParser } from './event-stream';
import { isJson, type Message } from './json-rpc';

/** Yields the JSON-RPC messages of an HTTP response, JSON or event stream, as they arrive. */
export async function* readMessages(response: Response): AsyncGenerator<Message> {
  if (!response.headers.get('Content-Type')?.includes('text/event-stream')) {
    yield* parse(await response.text());
    return;
  }
  const parser = new EventStreamParser();
  for await (const piece of piecesOf(response)) {
    for (const data of parser.push(piece)) yield* parse(data);
  }
}

// Read with a reader, because not every browser can iterate over a stream.
async function* piecesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) return;
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    await reader.cancel();
  }
}

function parse(text: string): Message[] {
  try {
    const message: unknown = JSON.parse(text);
    return isJson(message) ? [message] : [];
  } catch {
    return [];
  }
}
