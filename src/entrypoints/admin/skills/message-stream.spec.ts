import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { jest } from '@jest/globals';
import type { Response } from 'express';
import { MessageStream } from './message-stream.js';

/** A response whose client reads nothing. */
class UnreadResponse extends EventEmitter {
  writableLength = 0;
  destroyed = false;
  readonly end = jest.fn();
  readonly destroy = jest.fn(() => this.emit('close'));
  writeHead = () => this;
  flushHeaders = () => this;
  write = (text: string) => {
    this.writableLength += text.length;
    return false;
  };
}

describe('MessageStream', () => {
  const message = { text: 'x'.repeat(100_000) };
  const unread = () => {
    const response = new UnreadResponse();
    return { response, stream: new MessageStream(response as object as Response) };
  };

  it('disconnects a client that does not read, which cancels the stream', () => {
    const { response, stream } = unread();
    for (let i = 0; i < 100; i += 1) stream.send(message);
    expect(stream.signal.aborted).toBe(true);
    expect(response.destroy).toHaveBeenCalledTimes(1);
    expect(response.writableLength).toBeLessThan(1_300_000);
  });

  it('is cancelled from the start for a client that has left already', () => {
    const response = new UnreadResponse();
    response.destroyed = true;
    const stream = new MessageStream(response as object as Response);
    stream.send(message);
    expect([stream.signal.aborted, response.writableLength]).toEqual([true, 0]);
  });

  it('sends one message of any size', () => {
    const { response, stream } = unread();
    stream.send({ text: 'x'.repeat(5_000_000) });
    expect([response.writableLength > 5_000_000, stream.signal.aborted]).toEqual([true, false]);
    stream.end();
  });

  it('does not wait for ever for the end to be read', () => {
    jest.useFakeTimers();
    const { response, stream } = unread();
    stream.send(message);
    stream.end();
    jest.advanceTimersByTime(29_000);
    expect(response.destroy).not.toHaveBeenCalled();
    jest.advanceTimersByTime(2_000);
    expect(response.destroy).toHaveBeenCalled();
    jest.useRealTimers();
  });

  it('sends everything to a client that reads, and ends', async () => {
    const server = createServer((_request, response: ServerResponse) => {
      const stream = new MessageStream(response as Response);
      for (let i = 0; i < 5; i += 1) stream.send({ i });
      stream.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    let received = '';
    for await (const chunk of socket) received += String(chunk);
    expect([...received.matchAll(/data: \{"i":(\d)\}/g)].map(([, i]) => i).join('')).toBe('01234');
    server.close();
  });
});
