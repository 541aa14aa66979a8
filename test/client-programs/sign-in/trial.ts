import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '../../../src/platform/database/open-database.js';
import { freePort } from '../../harness/free-port.js';
import { ServerProcess } from '../../harness/server-process.js';
import { SignInBrowser } from '../../support/sign-in-browser.js';
import { until } from '../../support/until.js';
import { ScriptedModel } from '../model/scripted-model.js';
import type { Place } from '../programs.js';
import { placeFor } from '../trial.js';
import type { SigningProgram } from './programs.js';

const ADMIN_PASSWORD = 'password-of-the-trial';
const ADA = { name: 'ada', role: 'member', password: 'a-long-password-of-ada' };

/** The steps of the test; each starts in the state that the previous one left. */
export const STEPS = ['first call', 'expired token', 'removed registration'] as const;

/**
 * Signs in with a program, calls a tool, and calls it again after an expired token and a removed registration. Returns the
 * failures by step.
 */
export async function trySigningIn(signing: SigningProgram): Promise<Partial<Record<(typeof STEPS)[number], string>>> {
  const folder = await mkdtemp(join(tmpdir(), 'client-program-'));
  const service = await Service.start(join(folder, 'data'));
  const models: ScriptedModel[] = [];
  const call = async (place: Place): Promise<void> => {
    const shown = await signing.call(place, service.url);
    const [made] = models.at(-1)?.calls ?? [];
    const seen = made ? made.shown : shown;
    if (!seen?.includes('uptime')) throw new Error(`system_info was not called: ${shown.slice(-1_000)}`);
  };
  /** The same home each time, with a model whose script starts over. */
  const place = async (): Promise<Place> => {
    const model = await ScriptedModel.start([{ tool: 'system_info', arguments: {} }]);
    models.push(model);
    const at = { folder: join(folder, 'place'), key: '', url: service.url, model, page: 'docs/sign-in.md' };
    return placeFor(signing.program, at);
  };
  const logIn = async (where: Place): Promise<void> => {
    const followed = new Set<string>();
    const watch = (output: string): void => {
      for (const link of linksIn(output)) {
        if (followed.has(link)) continue;
        followed.add(link);
        service.signIn(new URL(link)).catch((error: unknown) => console.error(`${link}: ${String(error)}`));
      }
    };
    await signing.logIn(where, service.url, watch);
    if (followed.size === 0) throw new Error('it has shown no link');
  };
  const steps = {
    'first call': async () => {
      const where = await place();
      await logIn(where);
      await call(where);
    },
    'expired token': async () => {
      await service.restartWithExpiredTokens();
      await call(await place());
    },
    'removed registration': async () => {
      await service.removePrograms();
      const where = await place();
      // A program notices this only when its refresh token is rejected: its login would use the removed registration.
      const isRefused =
        signing.signsInItself === true ||
        (await call(where).then(
          () => false,
          () => true,
        ));
      if (!isRefused) throw new Error('it called although its registration was removed');
      await logIn(where);
      await call(where);
    },
  };
  const failures: Partial<Record<(typeof STEPS)[number], string>> = {};
  try {
    for (const step of STEPS) await steps[step]().catch((error: unknown) => (failures[step] = String(error)));
    return failures;
  } finally {
    for (const model of models) model.stop();
    await service.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Returns the complete links in the output: a program whose registration is unknown shows a second one. */
const linksIn = (output: string): string[] =>
  output.match(/http:\/\/[\w.:]+\/oauth\/authorize\?[!-~]+(?=[^!-~])/g) ?? [];

/** A service with sign-in, and a user in a browser who allows everything. */
class Service {
  private constructor(
    private process: ServerProcess,
    private readonly env: Record<string, string>,
  ) {}

  static async start(dataDir: string): Promise<Service> {
    const port = await freePort();
    const env = {
      PORT: String(port),
      DATA_DIR: dataDir,
      OAUTH_ENABLED: 'on',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      // No internet access, so client metadata documents cannot be fetched.
      OAUTH_METADATA_DOCUMENTS: 'off',
      ADMIN_PASSWORD,
      LOG_LEVEL: 'warn',
    };
    const service = new Service(await started(env), env);
    await service.admin('POST', 'administrators', ADA);
    return service;
  }

  get url(): string {
    return `${this.origin}/mcp/oauth`;
  }

  /** Follows a link as Ada, up to the redirect to the program. */
  async signIn(link: URL): Promise<void> {
    const back = await new SignInBrowser(this.origin, ADA.name, ADA.password).signIn(link);
    // Retries, as some programs start to listen only after they have shown the link.
    await until(() =>
      fetch(back).then(
        () => true,
        () => false,
      ),
    );
  }

  async restartWithExpiredTokens(): Promise<void> {
    await this.process.stop();
    const database = await openEmbeddedDatabase(this.env['DATA_DIR'] ?? '');
    await database
      .updateTable('oauth_artifacts')
      .set({ expires_at: '2000-01-01T00:00:00.000Z' })
      .where('kind', '=', 'AccessToken')
      .execute();
    await database.destroy();
    this.process = await started(this.env);
  }

  async removePrograms(): Promise<void> {
    const { items } = (await this.admin('GET', 'programs')) as { items: { id: string }[] };
    for (const { id } of items) await this.admin('DELETE', `programs/${encodeURIComponent(id)}`);
  }

  async stop(): Promise<void> {
    await this.process.stop();
  }

  private get origin(): string {
    return this.env['PUBLIC_URL'] ?? '';
  }

  private async admin(method: string, path: string, body?: object): Promise<unknown> {
    const authorization = `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}`;
    const answer = await fetch(`${this.origin}/admin/api/${path}`, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
    const text = await answer.text();
    return text === '' ? {} : JSON.parse(text);
  }
}

const started = (env: Record<string, string>): Promise<ServerProcess> => ServerProcess.start({ env });
