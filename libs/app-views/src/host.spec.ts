import { type Frame, Host } from './host';
import type { Json } from './json';

class FakeFrame implements Frame {
  readonly posted: Json[] = [];
  private take: (message: unknown) => void = () => {};

  post(message: Json): void {
    this.posted.push(message);
  }

  listen(take: (message: unknown) => void): void {
    this.take = take;
  }

  send(message: unknown): void {
    this.take(message);
  }

  /** Responds to the last request. */
  answer(answer: Json): void {
    this.send({ jsonrpc: '2.0', id: this.posted.at(-1)?.['id'], ...answer });
  }
}

describe('Host', () => {
  let frame: FakeFrame;
  let heard: unknown[];
  let host: Host;

  beforeEach(() => {
    frame = new FakeFrame();
    heard = [];
    host = new Host(frame, {
      onInput: (args) => heard.push(['input', args]),
      onResult: (result) => heard.push(['result', result]),
      onCancelled: (reason) => heard.push(['cancelled', reason]),
      onContext: (context) => heard.push(['context', context]),
      onTeardown: () => heard.push(['teardown']),
    });
  });

  const notify = (method: string, params: Json) => frame.send({ jsonrpc: '2.0', method, params });
  const connect = async (hostCapabilities: Json) => {
    const connected = host.connect();
    frame.answer({ result: { hostCapabilities, hostContext: { theme: 'dark' } } });
    await connected;
  };

  it('introduces the view, and says when it is ready', async () => {
    await connect({ serverTools: {} });
    expect(frame.posted.map(({ method }) => method)).toEqual(['ui/initialize', 'ui/notifications/initialized']);
    expect(frame.posted[0]).toMatchObject({ params: { protocolVersion: '2026-01-26', appInfo: { version: '1.0.0' } } });
    expect(heard).toEqual([['context', { theme: 'dark' }]]);
    expect(host.canCallTools).toBe(true);
  });

  it('passes on the messages of the host', () => {
    notify('ui/notifications/tool-input', { arguments: { id: 'r1' } });
    notify('ui/notifications/tool-result', { content: [] });
    notify('ui/notifications/tool-cancelled', {});
    notify('ui/notifications/host-context-changed', { theme: 'light' });
    notify('ui/notifications/of-the-future', {});
    expect(heard).toEqual([
      ['input', { id: 'r1' }],
      ['result', { content: [] }],
      ['cancelled', null],
      ['context', { theme: 'light' }],
    ]);
  });

  it('calls tools, and fails when the host refuses', async () => {
    const called = host.callTool('run_status', { id: 'r1' });
    expect(frame.posted.at(-1)).toMatchObject({ method: 'tools/call', params: { name: 'run_status' } });
    frame.answer({ result: { content: [] } });
    expect(await called).toEqual({ content: [] });

    const refused = host.callTool('run_cancel', {});
    frame.answer({ error: { code: -32000, message: 'the user said no' } });
    await expect(refused).rejects.toThrow('the user said no');
  });

  it('sends context to the model only where the host supports it', async () => {
    await connect({});
    await host.updateModel('done');
    expect(frame.posted).toHaveLength(2);
    await connect({ updateModelContext: { text: {} } });
    const told = host.updateModel('done');
    expect(frame.posted.at(-1)).toMatchObject({ method: 'ui/update-model-context' });
    frame.answer({ result: {} });
    await told;
  });

  it('answers what the host asks', () => {
    frame.send({ jsonrpc: '2.0', id: 7, method: 'ui/resource-teardown', params: {} });
    frame.send({ jsonrpc: '2.0', id: 8, method: 'tools/list' });
    expect(heard).toEqual([['teardown']]);
    expect(frame.posted).toEqual([
      { jsonrpc: '2.0', id: 7, result: {} },
      { jsonrpc: '2.0', id: 8, error: { code: -32601, message: 'This view does not know tools/list' } },
    ]);
  });

  it('ignores messages of other protocols', () => {
    const cancelled = { method: 'ui/notifications/tool-cancelled', params: {} };
    const asked = { jsonrpc: '1.0', id: 1, method: 'ui/resource-teardown' };
    for (const message of [null, 'text', cancelled, asked, { jsonrpc: '2.0', id: 99, result: {} }]) frame.send(message);
    expect([heard, frame.posted]).toEqual([[], []]);
  });
});
