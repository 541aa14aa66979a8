import { RestateRefused } from './restate.errors.js';
import { RUNS } from './services.js';

const PATIENCE_MS = 10_000;

interface Urls {
  /** Where invocations are sent. */
  ingress: string;
  /** Where the cluster is administered. */
  admin: string;
}

/** What the service asks of a Restate cluster over HTTP. All of it may be asked again. */
export class RestateApi {
  constructor(private readonly urls: Urls) {}

  /** Has a run executed. Returns the id of its invocation, which is the same every time. @throws RestateRefused */
  async send(runId: string): Promise<string> {
    const { service, method } = RUNS;
    const body = { id: runId };
    const answer = await this.ask(this.urls.ingress, 'POST', `/${service}/${method}/send`, body, {
      'idempotency-key': runId,
    });
    return (JSON.parse(answer.text) as { invocationId: string }).invocationId;
  }

  /** Lets a step continue that waits. @throws RestateRefused */
  async resolve(awakeable: string): Promise<void> {
    await this.ask(this.urls.ingress, 'POST', `/restate/awakeables/${encodeURIComponent(awakeable)}/resolve`, null);
  }

  /** Stops an invocation, with those that it waits for; one that has ended stays as it is. @throws RestateRefused */
  async cancel(invocationId: string): Promise<void> {
    await this.end(invocationId, 'cancel');
  }

  /** Ends an invocation at once, without its doing. @throws RestateRefused */
  async kill(invocationId: string): Promise<void> {
    await this.end(invocationId, 'kill');
  }

  /** Has the cluster look at what an endpoint offers, and call it there from now on. @throws RestateRefused */
  async register(endpointUrl: string): Promise<void> {
    await this.ask(this.urls.admin, 'POST', '/deployments', { uri: endpointUrl, force: true });
  }

  private async end(invocationId: string, how: 'cancel' | 'kill'): Promise<void> {
    await this.ask(
      this.urls.admin,
      'PATCH',
      `/invocations/${encodeURIComponent(invocationId)}/${how}`,
      undefined,
      {},
      [404, 409],
    );
  }

  private async ask(
    origin: string,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    alsoFine: readonly number[] = [],
  ): Promise<{ text: string }> {
    const url = origin.replace(/\/+$/, '') + path;
    const response = await fetch(url, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    }).catch((error: unknown) => {
      throw new RestateRefused(url, reasonOf(error));
    });
    const text = await response.text();
    if (response.ok || alsoFine.includes(response.status)) return { text };
    throw new RestateRefused(url, `${response.status} ${text.slice(0, 300)}`);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
