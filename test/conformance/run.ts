import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../harness/free-port.js';
import { ServerProcess } from '../harness/server-process.js';
import { runAuthorization } from './authorization.js';
import { startAuthProxy } from './auth-proxy.js';
import { readResults, renderReport, shortcomings, type SuiteResult } from './report.js';
import { type Suite, SUITES } from './suites.js';

/** Runs the official conformance suites against the service, behind its own API-key guard, and against its authorization server. */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  const proxyPort = await freePort();
  const apiKey = randomBytes(24).toString('base64url');
  const server = await ServerProcess.start({
    script: 'dist/test/conformance/server.js',
    env: {
      DATA_DIR: join(folder, 'data'),
      MCP_API_KEY: apiKey,
      SKILLS_DIR: 'test/conformance/skills',
      LOG_LEVEL: 'warn',
    },
  });
  const proxy = await startAuthProxy({ port: proxyPort, targetPort: server.port, apiKey });
  try {
    const results: SuiteResult[] = [];
    for (const suite of SUITES) results.push(await runSuite(suite, `http://127.0.0.1:${proxyPort}/mcp`, folder));
    results.push(await runAuthorization(folder));
    report(results);
    if (process.exitCode === 1 && server.lastOutput) console.log(`\nLast output of the server:\n${server.lastOutput}`);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function runSuite(suite: Suite, url: string, folder: string): Promise<SuiteResult> {
  const output = await mkdtemp(join(folder, 'results-'));
  const scored = suite.hasUnscored ? await scoredScenarios(suite) : null;
  await runCli([suite.cli, 'server', '--url', url, ...suite.args, '-o', output]);
  for (const name of suite.alone) await runCli([suite.cli, 'server', '--url', url, '--scenario', name, '-o', output]);
  return { suite, scenarios: await readResults(output, scored) };
}

async function scoredScenarios(suite: Suite): Promise<Set<string>> {
  const listed = await runCli([suite.cli, 'list', '--server', ...suite.args]);
  const [servers = ''] = listed.slice(listed.indexOf('Server scenarios')).split('Client scenarios');
  return new Set([...servers.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = '']) => name));
}

/** The results on disk say more than the exit code, so the exit code is ignored. */
function runCli(args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => resolve(stdout));
  });
}

function report(results: readonly SuiteResult[]): void {
  console.log(renderReport(results));
  const failed = results.filter((result) => shortcomings(result).length > 0);
  console.log('');
  for (const result of failed) console.log(`${result.suite.title}: ${shortcomings(result).join('; ')}`);
  console.log(`conformance: ${results.length - failed.length} suites passed, ${failed.length} failed`);
  if (failed.length > 0) process.exitCode = 1;
}

await main();
