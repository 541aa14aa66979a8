import { Door } from '../durability/door.js';
import { Unanswered } from '../durability/model.js';
import { statelessMessage } from '../harness/stateless-message.js';

type Json = Record<string, unknown>;

/** A client that retries through all faults, and keeps a stream open. */
export interface Client {
  readonly door: Door;
  /** The number of notifications received on its stream so far. */
  readonly heard: number;
  /** Keeps a stream open, and reopens it when it ends. Resolves when the client is stopped. */
  followChanges(): Promise<void>;
  stop(): void;
}

const AGAIN_AFTER_MS = 200;

abstract class StreamingClient implements Client {
  heard = 0;
  private readonly stopping = new AbortController();

  constructor(readonly door: Door) {}

  async followChanges(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        const response = await this.openStream(signal);
        for await (const chunk of response.body ?? []) this.read(Buffer.from(chunk as Uint8Array).toString());
      } catch {
        // The service is unreachable, or the client is stopped: the loop checks which.
      }
      await new Promise((wake) => setTimeout(wake, AGAIN_AFTER_MS));
    }
  }

  stop(): void {
    this.stopping.abort();
  }

  protected abstract openStream(signal: AbortSignal): Promise<Response>;

  private read(text: string): void {
    this.heard += text.match(/list_changed/g)?.length ?? 0;
  }
}

export class StatelessClient extends StreamingClient {
  protected openStream(signal: AbortSignal): Promise<Response> {
    const params = { notifications: { resourcesListChanged: true } };
    const { headers, body } = statelessMessage(this.door.key, 'subscriptions/listen', params, 'stream');
    return fetch(`${this.door.origin}/mcp`, {
      method: 'POST',
      headers: { ...headers, accept: 'application/json, text/event-stream' },
      body,
      signal,
    });
  }
}

/** A client of protocol 2025-11-25: its door calls tools in a session. */
export class SessionClient extends StreamingClient {
  constructor(readonly sessionDoor: SessionDoor) {
    super(sessionDoor);
  }

  protected async openStream(signal: AbortSignal): Promise<Response> {
    const headers = {
      authorization: `Bearer ${this.door.key}`,
      accept: 'text/event-stream',
      'mcp-session-id': await this.sessionDoor.session(),
    };
    return fetch(`${this.door.origin}/mcp`, { headers, signal });
  }
}

/** Calls tools in a session, and opens a new session when the service does not know the old one any more. */
export class SessionDoor extends Door {
  private id: string | null = null; // null = no session is open

  override async call(name: string, args: Json): Promise<Json> {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    const { status, body } = await this.mcp('POST', { 'mcp-session-id': await this.session() }, message);
    if (status === 404) this.id = null;
    const { result } = body as { result?: Json & { isError?: boolean } };
    if (!result || result.isError) throw new Unanswered(JSON.stringify(body).slice(0, 300));
    return result;
  }

  async session(): Promise<string> {
    if (this.id !== null) return this.id;
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'faults', version: '1' } };
    const { sessionId } = await this.mcp('POST', {}, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    if (sessionId === null) throw new Unanswered('no session');
    return (this.id = sessionId);
  }
}
