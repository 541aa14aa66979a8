import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTING_KEYS } from '../src/platform/settings/settings.rules.js';

/** Sources that declare, show or test settings, but are not configured by them. */
const NO_READERS = [
  /^src\/(platform\/settings|entrypoints\/admin)\//,
  /\.(spec|errors)\.ts$/,
  /testing\.ts$/,
  /endpoint-options\.ts$/,
];

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !NO_READERS.some((pattern) => pattern.test(file)))
    .map((file) => readFileSync(file, 'utf8'));
}

describe('every setting', () => {
  const sources = sourcesIn('src');

  /** Returns the settings that no code reads. */
  const unreadOf = (keys: readonly string[]): string[] =>
    keys.filter((key) => !sources.some((text) => readingOf(key).test(text)));

  it('is read by the service: one that changes nothing is not shown to administrators', () => {
    expect(unreadOf(SETTING_KEYS)).toEqual([]);
    expect(unreadOf(['mcp.no_such_setting'])).toEqual(['mcp.no_such_setting']);
  });

  it('that limits the endpoint is followed by it', () => {
    const table = readFileSync('src/entrypoints/mcp/mcp-transport.provider.ts', 'utf8');
    const limits = [...table.matchAll(/^ {2}(\w+): '(mcp\.\w+)',$/gm)].map(([, limit = '']) => limit);
    const endpoint = sourcesIn('libs/mcp-http/src');
    expect(limits).toContain('maxCalls');
    expect(limits.filter((limit) => !endpoint.some((text) => new RegExp(`\\b${limit}\\b`).test(text)))).toEqual([]);
  });
});

/** Matches a call with the key, or an entry in a table of settings. */
function readingOf(key: string): RegExp {
  const literal = `'${key.replaceAll('.', '\\.')}'`;
  return new RegExp(`[(,]\\s*${literal}|^ {2}\\w+: ${literal},$`, 'm');
}
