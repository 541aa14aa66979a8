import { isJson, type Json, textAt } from './json';

const PROTOCOL_VERSION = '2026-01-26';
const METHOD_NOT_FOUND = -32601;

/** The part of the window around the view that it needs. */
export interface Frame {
  post(message: Json): void;
  /** Calls `take` with each message from the host. */
  listen(take: (message: unknown) => void): void;
}

/** The host's context: its colors, and the tool of the view. */
type HostContext = Json;

interface Listeners {
  onInput: (args: Json) => void;
  onResult: (result: Json) => void;
  onCancelled: (reason: string | null) => void;
  onContext: (context: HostContext) => void;
  onTeardown: () => void;
}

interface Waiting {
  resolve: (result: Json) => void;
  reject: (error: Error) => void;
}

/** The assistant that shows the view: JSON-RPC by messages between windows (MCP Apps). */
export class Host {
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;
  private capabilities: Json = {};

  constructor(
    private readonly frame: Frame,
    private readonly listeners: Listeners,
  ) {
    frame.listen((message) => this.receive(message));
  }

  /** Initialises the connection. The host sends the arguments and the result of the tool after this. */
  async connect(): Promise<void> {
    const answer = await this.request('ui/initialize', {
      protocolVersion: PROTOCOL_VERSION,
      appInfo: { name: 'agent-service-run', version: '1.0.0' },
      appCapabilities: { availableDisplayModes: ['inline'] },
    });
    if (isJson(answer['hostCapabilities'])) this.capabilities = answer['hostCapabilities'];
    if (isJson(answer['hostContext'])) this.listeners.onContext(answer['hostContext']);
    this.notify('ui/notifications/initialized', {});
  }

  /** True when the view may call tools of the service. */
  get canCallTools(): boolean {
    return isJson(this.capabilities['serverTools']);
  }

  callTool(name: string, args: Json): Promise<Json> {
    return this.request('tools/call', { name, arguments: args });
  }

  /** Passes a text about what happened in the view to the model, with its next message. */
  async updateModel(text: string): Promise<void> {
    if (!isJson(this.capabilities['updateModelContext'])) return;
    await this.request('ui/update-model-context', { content: [{ type: 'text', text }] });
  }

  sizeChanged(width: number, height: number): void {
    this.notify('ui/notifications/size-changed', { width, height });
  }

  private request(method: string, params: Json): Promise<Json> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.frame.post({ jsonrpc: '2.0', id, method, params });
    });
  }

  private notify(method: string, params: Json): void {
    this.frame.post({ jsonrpc: '2.0', method, params });
  }

  private receive(message: unknown): void {
    if (!isJson(message) || message['jsonrpc'] !== '2.0') return;
    const { id, method, params, result, error } = message;
    if (typeof method !== 'string') this.settle(id, result, error);
    else if (id === undefined) this.take(method, isJson(params) ? params : {});
    else this.answer(id, method);
  }

  private settle(id: unknown, result: unknown, error: unknown): void {
    const waiting = typeof id === 'number' ? this.waiting.get(id) : undefined;
    if (!waiting) return;
    this.waiting.delete(Number(id));
    if (isJson(error)) waiting.reject(new Error(textAt(error, 'message') ?? 'The assistant refused.'));
    else waiting.resolve(isJson(result) ? result : {});
  }

  private take(method: string, params: Json): void {
    const { onInput, onResult, onCancelled, onContext } = this.listeners;
    if (method === 'ui/notifications/tool-input') onInput(isJson(params['arguments']) ? params['arguments'] : {});
    if (method === 'ui/notifications/tool-result') onResult(params);
    if (method === 'ui/notifications/tool-cancelled') {
      onCancelled(typeof params['reason'] === 'string' ? params['reason'] : null);
    }
    if (method === 'ui/notifications/host-context-changed') onContext(params);
  }

  private answer(id: unknown, method: string): void {
    if (method === 'ui/resource-teardown') this.listeners.onTeardown();
    const isKnown = method === 'ping' || method === 'ui/resource-teardown';
    this.frame.post(
      isKnown
        ? { jsonrpc: '2.0', id, result: {} }
        : { jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message: `This view does not know ${method}` } },
    );
  }
}

/** The parent window of the view. Messages of other windows are ignored. */
export const parentFrame: Frame = {
  post: (message) => window.parent.postMessage(message, '*'),
  listen: (take) =>
    window.addEventListener('message', (event) => {
      if (event.source === window.parent) take(event.data);
    }),
};
