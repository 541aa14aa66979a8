import { callOf, openSession, startEndpoint, type TestEndpoint, until } from './testing.js';

type Message = Record<string, unknown>;

describe('a client that accepts only JSON', () => {
  let server: TestEndpoint;
  let session: Record<string, string>;

  beforeEach(async () => {
    server = await startEndpoint();
    const headers = { accept: 'application/json' };
    session = await openSession(server, '2025-11-25', { capabilities: { elicitation: {} }, headers });
  });
  afterEach(() => server.stop());

  const ask = () => server.post(callOf('ask', {}, 5), session);

  it('is rejected at once with the reason that it cannot be asked, and with what to do', async () => {
    const answer = (await (await ask()).json()) as { id: number; error: { message: string } };
    expect(answer.id).toBe(5);
    expect(answer.error.message).toContain('elicitation/create: no stream is open on which the client could be asked');
    expect(answer.error.message).toContain('Send Accept: application/json, text/event-stream');
  });

  it('is asked on its GET stream when it has one', async () => {
    const stream = await fetch(server.url, { headers: { ...session, accept: 'text/event-stream' } });
    const answer = ask();
    const question = await firstMessage(stream);
    expect(question).toMatchObject({ method: 'elicitation/create' });
    await server.post({ jsonrpc: '2.0', id: question['id'], result: { action: 'decline' } }, session);
    expect(await (await answer).json()).toMatchObject({ id: 5, result: { content: [{ text: 'decline' }] } });
  });

  it('gets the answer of a call that sends progress, and the progress nowhere', async () => {
    const stream = await fetch(server.url, { headers: { ...session, accept: 'text/event-stream' } });
    const answer = server.post(callOf('progress', {}, 6), session);
    await until(() => server.endpoint.counts().calls > 0);
    server.release();
    expect(await (await answer).json()).toMatchObject({ id: 6, result: { content: [{ text: 'progress done' }] } });
    await server.endpoint.publish({ kind: 'tools_list_changed' });
    expect(await firstMessage(stream)).toMatchObject({ method: 'notifications/tools/list_changed' });
  });
});

/** Returns the first message on a stream, and leaves the stream open. */
async function firstMessage(res: Response): Promise<Message> {
  const reader = res.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done) throw new Error('the stream ended without a message');
    text += value;
    const [, data] = /^data: (\{.*"method".*\})$/m.exec(text) ?? [];
    if (data !== undefined) return JSON.parse(data) as Message;
  }
}
