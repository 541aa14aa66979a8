import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './harness/free-port.js';
import { until } from './support/until.js';

const KEY = 'key-of-the-release';

const describeWithRegistry = process.env['REQUIRE_ALL'] === '1' ? describe : describe.skip;
if (process.env['REQUIRE_ALL'] !== '1') {
  process.stderr.write('Left out: "a release" installs packages from the registry; REQUIRE_ALL=1 leaves nothing out\n');
}

describeWithRegistry('a release', () => {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('starts after npm ci --omit=dev, with the pages, and with nothing to build', async () => {
    const archive = execFileSync(process.execPath, ['bin/build/release.js', folder], { encoding: 'utf8' }).trim();
    execFileSync('tar', ['-xzf', archive, '-C', folder]);
    const [name = ''] = readdirSync(folder).filter((entry) => !entry.endsWith('.tgz'));
    const release = join(folder, name);
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'warn' };
    const args = ['ci', '--omit=dev', '--prefer-offline', '--no-audit'];
    execFileSync('npm', args, { cwd: release, env, stdio: ['ignore', 'ignore', 'inherit'] });
    const installed = readdirSync(join(release, 'node_modules'));
    expect(installed.filter((entry) => ['@swc', 'jest', 'playwright-core'].includes(entry))).toEqual([]);

    const port = String(await freePort());
    const npm = spawn('npm', ['start'], {
      cwd: release,
      env: { ...env, PORT: port, MCP_API_KEY: KEY, DATA_DIR: join(folder, 'data') },
    });
    try {
      let stderr = '';
      npm.stderr.on('data', (text) => (stderr += String(text)));
      const origin = `http://127.0.0.1:${port}`;
      await until(() => {
        if (npm.exitCode !== null) throw new Error(stderr);
        return fetch(`${origin}/health/ready`).then(
          (response) => response.ok,
          () => false,
        );
      });
      expect(await callSystemInfo(origin)).toMatchObject({
        result: { structuredContent: { hostname: expect.any(String) as unknown } },
      });
      const pages = await fetch(`${origin}/admin/`);
      expect([pages.status, await pages.text()]).toEqual([200, expect.stringContaining('<!doctype html>')]);
      expect(stderr).toBe('');
      expect(existsSync(join(release, 'src'))).toBe(false);
    } finally {
      npm.kill('SIGTERM');
    }
  }, 180_000);
});

async function callSystemInfo(origin: string): Promise<unknown> {
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'system_info',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'system_info',
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  return response.json();
}
