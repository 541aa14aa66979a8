import { RestateRefused } from './restate.errors.js';
import { RUNS } from './services.js';

const PATIENCE_MS = 10_000;

interface Urls {
  /** URL for invocations. */
  ingress: string;
  /** URL of the administration of the cluster. */
  admin: string;
}

/** The HTTP requests of the service to a Restate cluster. All are idempotent. */
export class RestateApi {
  constructor(private readonly urls: Urls) {}

  /** Requests the execution of a run. Returns the id of its invocation, which is the same every time. @throws RestateRefused */
  async send(runId: string): Promise<string> {
    const { service, method } = RUNS;
    const body = { id: runId };
    const answer = await this.ask(this.urls.ingress, 'POST', `/${service}/${method}/send`, body, {
      'idempotency-key': runId,
    });
    return (JSON.parse(answer.text) as { invocationId: string }).invocationId;
  }

  /** Resumes a waiting step. @throws RestateRefused */
  async resolve(awakeable: string): Promise<void> {
    await this.ask(this.urls.ingress, 'POST', `/restate/awakeables/${encodeURIComponent(awakeable)}/resolve`, null);
  }

  /** Cancels an invocation, with those for which it waits; no effect on an ended one. @throws RestateRefused */
  async cancel(invocationId: string): Promise<void> {
    await this.end(invocationId, 'cancel');
  }

  /** Kills an invocation immediately, without its cooperation. @throws RestateRefused */
  async kill(invocationId: string): Promise<void> {
    await this.end(invocationId, 'kill');
  }

  /** Registers the services of an endpoint, so that the cluster calls it there from now on. @throws RestateRefused */
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
