import { mkdtemp, rm } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Profiler } from 'node:inspector';

import { freePort } from '../test/harness/free-port.js';

const KEY = 'a-key-for-counting-files';
const WARM_UP = 200;
/** After this time, the background work of earlier calls is done, such as writing the audit log. */
const BACKGROUND_MS = 1_000;
const CALLS = 5;
const DIST = join(import.meta.dirname, '..');

/**
 * `npm run files-of-a-call`: lists the project's files, and the number of functions in each, that one call of `system_info` runs on a
 * warm service, measured by V8's coverage.
 */
async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'files-'));
  const port = await freePort();
  Object.assign(process.env, { DATA_DIR: dataDir, MCP_API_KEY: KEY, LOG_LEVEL: 'silent', PORT: String(port) });
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const { createApp } = await import('../src/app.setup.js');
  const app = await createApp();
  await app.listen(port, '127.0.0.1');
  const url = `http://127.0.0.1:${port}/mcp`;
  try {
    for (let call = 0; call < WARM_UP; call += 1) await callSystemInfo(url);
    const calls: Map<string, number>[] = [];
    for (let call = 0; call < CALLS; call += 1) {
      await pause(BACKGROUND_MS);
      await session.post('Profiler.takePreciseCoverage');
      await callSystemInfo(url);
      calls.push(filesIn((await session.post('Profiler.takePreciseCoverage')).result));
    }
    report(calls);
  } finally {
    await app.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function callSystemInfo(url: string): Promise<void> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'system_info',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'system_info', _meta } }),
  });
  const text = await answer.text();
  if (!text.includes('"result"')) throw new Error(`the call was answered with ${answer.status}: ${text}`);
}

/** Returns how many functions of each file of the project have run. */
function filesIn(scripts: readonly Profiler.ScriptCoverage[]): Map<string, number> {
  const files = scripts.flatMap(({ url, functions }): [string, number][] => {
    const file = url.startsWith('file:') ? relative(DIST, fileURLToPath(url)) : '';
    const called = functions.filter(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0);
    return /^(src|libs)\//.test(file) && called.length > 0 ? [[file, called.length]] : [];
  });
  return new Map(files.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Prints the files that every call ran: others belong to unrelated work at the same time. */
function report([first = new Map(), ...others]: readonly Map<string, number>[]): void {
  const files = [...first].filter(([file]) => others.every((call) => call.has(file)));
  for (const [file, functions] of files) console.log(`${String(functions).padStart(4)}  ${file}`);
  console.log(`${files.reduce((sum, [, functions]) => sum + functions, 0)} functions in ${files.length} files`);
}

await main();
