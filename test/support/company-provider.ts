import { ServerProcess } from '../harness/server-process.js';

/** The user at the provider, and the faults that the provider simulates. */
interface ProviderState {
  person: { sub: string } & Record<string, unknown>;
  /** True when the user denies consent. */
  denies: boolean;
  /** True when the provider closes all connections. */
  isDown: boolean;
  /** Clock skew: how far the provider's clock is ahead. */
  skewSeconds: number;
  /** Makes the provider sign with new keys from now on. */
  rotates: true;
}

export const CLIENT_ID = 'agent-service';
export const CLIENT_SECRET = 'the secret of the service';

/** The OpenID Connect provider of a company, in a child process: the npm package oidc-provider. */
export class CompanyProvider {
  private constructor(private readonly server: ServerProcess) {}

  /** @param services origins of the services that it redirects users back to */
  static async start(services: readonly string[], env: Record<string, string> = {}): Promise<CompanyProvider> {
    const [redirects, logouts] = ['/admin/api/sso/callback', '/admin/'].map((path) =>
      JSON.stringify(services.map((origin) => origin + path)),
    );
    const server = await ServerProcess.start({
      script: 'test/support/oidc-server.js',
      env: { REDIRECT_URIS: redirects, LOGOUT_URIS: logouts, ...env },
      readyPath: '/ready',
    });
    return new CompanyProvider(server);
  }

  get issuer(): string {
    return this.server.origin;
  }

  async set(change: Partial<ProviderState>): Promise<void> {
    await fetch(`${this.issuer}/control`, { method: 'POST', body: JSON.stringify(change) });
  }

  stop(): Promise<unknown> {
    return this.server.stop();
  }
}
