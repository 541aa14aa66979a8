import { bearer, type Snippet, toJson } from './snippet';

const ENVIRONMENT_KEY = 'The key is read from the environment variable AGENT_KEY.';

const CLAUDE_LIMITS =
  'The first byte of an answer must arrive within 60 s, and pauses may last 5 minutes; tool output is cut off after about 25,000 tokens.';

/** Command-line clients. */
export const TERMINAL_CLIENTS: readonly Snippet[] = [
  {
    client: 'Claude Code',
    where: 'In a terminal',
    text: (url) =>
      `claude mcp add --transport http --scope user agent ${url} --header "Authorization: Bearer $AGENT_KEY"`,
    notes: [
      ENVIRONMENT_KEY,
      CLAUDE_LIMITS,
      'Descriptions are cut off after 2 KB. If a result has structured content, only that is shown.',
    ],
  },
  {
    client: 'Claude Code, for a project',
    where: '.mcp.json',
    text: (url) =>
      toJson({ mcpServers: { agent: { type: 'http', url, headers: bearer('${AGENT_KEY}'), timeout: 600_000 } } }),
    notes: [ENVIRONMENT_KEY, 'The timeout is in milliseconds.', CLAUDE_LIMITS],
  },
  {
    client: 'Gemini CLI',
    where: '~/.gemini/settings.json',
    text: (url) => toJson({ mcpServers: { agent: { httpUrl: url, headers: bearer('KEY'), timeout: 600_000 } } }),
    notes: [
      'Replace KEY with your key. The timeout is in milliseconds.',
      'Write httpUrl, because url means the old SSE transport. The name of the server must not contain an underscore.',
      'The server and tool names together may have about 58 characters.',
      'In a folder that it does not trust, it starts no MCP servers: trust the folder with /permissions, or when it asks.',
    ],
  },
  {
    client: 'Qwen Code',
    where: '~/.qwen/settings.json',
    text: (url) => toJson({ mcpServers: { agent: { httpUrl: url, headers: bearer('KEY'), timeout: 600_000 } } }),
    notes: ['Replace KEY with your key. The timeout is in milliseconds.', 'A wrong key shows as "Disconnected".'],
  },
  {
    client: 'Copilot CLI',
    where: '~/.copilot/mcp-config.json',
    text: (url) => toJson({ mcpServers: { agent: { type: 'http', url, headers: bearer('KEY'), tools: ['*'] } } }),
    notes: [
      'Replace KEY with your key. A wrong key shows as nothing at all: check it with the test below.',
      'When the service was away, its tools are gone until the next session of the CLI.',
    ],
  },
  {
    client: 'opencode',
    where: '~/.config/opencode/opencode.json',
    text: (url) =>
      toJson({ mcp: { agent: { type: 'remote', url, headers: bearer('{env:AGENT_KEY}'), timeout: 300_000 } } }),
    notes: [ENVIRONMENT_KEY, 'The timeout is in milliseconds; without it, a call may take 60 s.'],
  },
  {
    client: 'Continue',
    where: '~/.continue/config.yaml',
    text: (url) =>
      [
        'mcpServers:',
        '  - name: agent',
        '    type: streamable-http',
        `    url: ${url}`,
        '    requestOptions:',
        '      headers:',
        '        Authorization: Bearer KEY',
      ].join('\n'),
    notes: ['Replace KEY with your key.', 'A call may take 60 s; there is no setting for it.'],
  },
  {
    client: 'Codex',
    where: '~/.codex/config.toml',
    text: (url) =>
      ['[mcp_servers.agent]', `url = "${url}"`, 'bearer_token_env_var = "AGENT_KEY"', 'tool_timeout_sec = 300'].join(
        '\n',
      ),
    notes: [ENVIRONMENT_KEY],
  },
];
