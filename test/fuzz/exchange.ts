import { connect } from 'node:net';
import type { MalformedRequest } from './request-parts.js';

export interface HttpAnswer {
  status: number;
  /** Status line and headers. */
  head: string;
  contentType: string;
  body: string;
}

export interface Exchange {
  answers: HttpAnswer[];
  /** True if the server neither responded completely nor closed the connection. */
  isSilent: boolean;
}

/** A request without a response by then counts as unanswered. */
const PATIENCE_MS = 60_000;
const UNFINISHED_PATIENCE_MS = 15;
const STREAM_PATIENCE_MS = 5;

/** Sends a request on a new connection and reads the responses. */
export function exchange(port: number, request: MalformedRequest): Promise<Exchange> {
  const { answers: expected = 1, unfinished = false, isHead = false, staysOpen = true } = request;
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    let patience = setTimeout(finish, unfinished ? UNFINISHED_PATIENCE_MS : PATIENCE_MS, true);

    function finish(isSilent: boolean): void {
      clearTimeout(patience);
      socket.destroy();
      resolve({ answers: parseAnswers(received, { isHead, isClosed: true }), isSilent });
    }

    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
      if (parseAnswers(received, { isHead, isClosed: false }).length >= expected) return finish(false);
      if (!staysOpen || !/content-type: text\/event-stream/i.test(received)) return;
      clearTimeout(patience); // a valid stream stays open
      patience = setTimeout(finish, STREAM_PATIENCE_MS, false);
    });
    socket.on('end', () => finish(false)).on('error', () => finish(false));
    if (request.endsInput) socket.end(request.bytes, 'latin1');
    else socket.write(request.bytes, 'latin1');
  });
}

/** Returns all complete responses in the received data; after a close, also the truncated last one. */
function parseAnswers(received: string, { isHead, isClosed }: { isHead: boolean; isClosed: boolean }): HttpAnswer[] {
  const answers: HttpAnswer[] = [];
  let rest = received;
  while (rest.startsWith('HTTP/1.')) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) break;
    const head = rest.slice(0, end);
    const status = Number(head.slice(9, 12));
    const contentType = /^content-type: (.*)$/im.exec(head)?.[1]?.trim() ?? '';
    const body = bodyAfter(head, rest.slice(end + 4), isHead || status < 200 || status === 204 || status === 304);
    if (!body && !isClosed) break;
    rest = body?.rest ?? '';
    if (status >= 200) answers.push({ status, head, contentType, body: body?.body ?? '' });
  }
  return answers;
}

/** Null when the body is incomplete. */
function bodyAfter(head: string, rest: string, isEmpty: boolean): { body: string; rest: string } | null {
  if (isEmpty) return { body: '', rest };
  if (/^transfer-encoding: .*chunked/im.test(head)) return chunkedBody(rest);
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return rest.length < length ? null : { body: rest.slice(0, length), rest: rest.slice(length) };
}

function chunkedBody(chunks: string): { body: string; rest: string } | null {
  let body = '';
  let rest = chunks;
  for (;;) {
    const [line] = /^[\da-f]+\r\n/i.exec(rest) ?? [];
    if (line === undefined) return null;
    const size = Number.parseInt(line, 16);
    if (rest.length < line.length + size + 2) return null;
    body += rest.slice(line.length, line.length + size);
    rest = rest.slice(line.length + size + 2);
    if (size === 0) return { body, rest };
  }
}
