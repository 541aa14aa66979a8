import { readMessages } from './read-messages';

async function read(body: string, contentType: string): Promise<unknown[]> {
  const response = new Response(body, { headers: { 'Content-Type': contentType } });
  const messages: unknown[] = [];
  for await (const message of readMessages(response)) messages.push(message);
  return messages;
}

describe('readMessages', () => {
  it('reads plain JSON', async () => {
    expect(await read('{"id":1,"result":{}}', 'application/json')).toEqual([{ id: 1, result: {} }]);
  });

  it('reads the events of a stream', async () => {
    expect(await read('data: {"method":"a"}\n\ndata: {"id":1}\n\n', 'text/event-stream; charset=utf-8')).toEqual([
      { method: 'a' },
      { id: 1 },
    ]);
  });

  it('finds no message in anything else', async () => {
    expect(await read('<html>', 'text/html')).toEqual([]);
  });
});
