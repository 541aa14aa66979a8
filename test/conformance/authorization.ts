import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../harness/free-port.js';
import { ServerProcess } from '../harness/server-process.js';
import { adminRequest } from '../support/admin-request.js';
import { ADMIN_PASSWORD, KEY } from '../support/service.js';
import { SignInBrowser } from '../support/sign-in-browser.js';
import { readResults, type SuiteResult } from './report.js';
import { AUTHORIZATION } from './suites.js';

/** Runs the official suite for authorization servers against ours, and signs in when the suite asks for it. */
export async function runAuthorization(folder: string): Promise<SuiteResult> {
  const [port, callbackPort] = [await freePort(), await freePort()];
  const origin = `http://127.0.0.1:${port}`;
  const server = await ServerProcess.start({
    env: {
      PORT: String(port),
      PUBLIC_URL: origin,
      OAUTH_ENABLED: 'on',
      ADMIN_PASSWORD,
      MCP_API_KEY: KEY,
      DATA_DIR: join(folder, 'authorization'),
      LOG_LEVEL: 'warn',
    },
  });
  try {
    const output = await mkdtemp(join(folder, 'results-'));
    const { id } = await adminRequest(port, 'POST', 'programs', {
      name: 'Conformance',
      redirectUris: [`http://127.0.0.1:${callbackPort}/callback`],
    });
    const named = ['--url', `${origin}/oauth`, '--client-id', String(id), '--resource', `${origin}/mcp/oauth`];
    const args = [AUTHORIZATION.cli, 'authorization', ...named, '--port', String(callbackPort), '-o', output];
    await runAsPerson(args, new SignInBrowser(origin, 'admin', ADMIN_PASSWORD));
    return { suite: AUTHORIZATION, scenarios: await readResults(output, null) };
  } finally {
    await server.stop();
  }
}

/** Runs the CLI; whenever it prints a link, a simulated user follows it and gives consent. */
function runAsPerson(args: readonly string[], browser: SignInBrowser): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let line = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (line + text).split('\n');
      line = lines.pop() ?? '';
      const link = lines.map((one) => /https?:\/\/\S+\/oauth\/authorize\?\S+/.exec(one)?.[0]).find(Boolean);
      if (link)
        browser
          .signIn(link)
          .then((back) => fetch(back))
          .catch(reject);
    });
    child.on('error', reject).on('exit', () => resolve());
  });
}
